"""Packages as models that take pictures: the answers equal those of `edgefleet-agent infer`."""

from __future__ import annotations

import http.client
import json
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgefleet_agent.pipeline.model.loaded_model import LoadedModel, cpu_profile, installed_runtimes
from edgefleet_agent.serving.engine.model_registry import ModelRegistry
from edgefleet_agent.serving.frontend.listener_context import ListenerLimits
from edgefleet_agent.serving.models.model_source import LoadTarget
from edgefleet_agent.serving.models.repository import FolderRepository
from edgefleet_agent.serving.open_listeners import open_grpc, open_http
from edgefleet_agent.serving.protocol.errors import CallError
from edgefleet_agent.serving.protocol.image_input import PIXELS_MAX, frame_from, picture_size
from edgefleet_agent.sources.cameras.image_file import decode_picture
from edgefleet_agent.vision.answers import model_outputs
from edgefleet_agent.vision.detections import Classes, Detections
from edgefleet_server.registry.importers.import_model import Imported, ImportRequest, import_model
from tests.agent.serving.conftest import SERVER
from tests.sized_models import BOX, write_listed, write_table

pytest.importorskip("tritonclient.http", reason="tritonclient[http,grpc] is not installed")

import tritonclient.grpc
import tritonclient.http
from tritonclient.utils import InferenceServerException

INSPECTOR = Path(__file__).resolve().parents[4] / "firmware_models/conveyor_inspector"
VERSION = next(each for each in sorted(INSPECTOR.iterdir()) if (each / "model.toml").is_file())
SAMPLE = next(each for each in sorted(VERSION.rglob("*")) if each.suffix in (".png", ".jpg"))


@pytest.fixture(scope="module")
def served() -> Iterator[tuple[ModelRegistry, FolderRepository, str, str]]:
    catalogue = ModelRegistry()
    repository = FolderRepository([VERSION], catalogue, LoadTarget(tuple(installed_runtimes()), cpu_profile()))
    assert repository.load_all() == []
    listener = open_http("127.0.0.1:0", catalogue, repository, SERVER, ListenerLimits())
    grpc = open_grpc("127.0.0.1:0", catalogue, repository, SERVER, ListenerLimits())
    yield catalogue, repository, listener.address, grpc.address
    grpc.close()
    listener.close()
    catalogue.close()


def ask(module: Any, address: str, data: bytes, model: str = "conveyor_inspector", **parameters: Any) -> Any:
    with module.InferenceServerClient(address) as client:
        tensor = module.InferInput("IMAGE", [1], "BYTES")
        tensor.set_data_from_numpy(np.array([data], np.object_))
        return client.infer(f"{model}.picture", [tensor], parameters=parameters or None)


@pytest.fixture(params=["http", "grpc"])
def found(request: pytest.FixtureRequest, served: tuple[ModelRegistry, FolderRepository, str, str]) -> Any:
    module = getattr(tritonclient, request.param)
    return lambda data, **how: ask(module, served[2] if request.param == "http" else served[3], data, **how)


def test_a_picture_gives_what_the_command_finds_in_it(found: Any) -> None:
    data = SAMPLE.read_bytes()
    model = LoadedModel.open(VERSION, runtimes=installed_runtimes(), profile=cpu_profile())
    result = model.infer(decode_picture(np.frombuffer(data, np.uint8), "sample"), 0.3).result
    expected = json.loads(json.dumps([_plain(each) for each in model_outputs(result, model.label, 5)]))
    model.close()
    answer = found(data, min_score="0.3")
    found = json.loads(answer.as_numpy("RESULT")[0])
    kind = next(iter(set(found) & {"detections", "classes"}))
    assert expected
    assert [(each["label"], each["class_id"]) for each in found[kind]] == [(each["label"], each["class_id"]) for each in expected]
    assert np.allclose([each["score"] for each in found[kind]], [each["score"] for each in expected], atol=2e-3)
    assert found["model"].startswith("conveyor_inspector@")
    labels = [each.decode() for each in answer.as_numpy("LABELS").tolist()]
    assert labels == [each["label"] for each in expected]
    if isinstance(result, Detections):
        assert np.allclose(answer.as_numpy("BOXES"), result.boxes, atol=0.5)
    else:
        assert isinstance(result, Classes)


@pytest.mark.parametrize("write", [write_listed, write_table])
def test_constant_inputs_are_given_to_the_model(write: Any, tmp_path: Path) -> None:
    name = write.__name__.removeprefix("write_")
    (made,) = import_model(write(tmp_path / f"{name}.onnx"), tmp_path / "made", ImportRequest())
    assert isinstance(made, Imported)
    catalogue = ModelRegistry()
    repository = FolderRepository([made.folder], catalogue, LoadTarget(("onnx_runtime",), cpu_profile()))
    assert repository.load_all() == []
    listener = open_http("127.0.0.1:0", catalogue, repository, SERVER, ListenerLimits())
    data = cv2.imencode(".png", np.full((200, 400, 3), 204, np.uint8))[1].tobytes()
    try:
        answer = ask(tritonclient.http, listener.address, data, name)
    finally:
        listener.close()
        catalogue.close()
    assert np.allclose(answer.as_numpy("BOXES"), BOX * [400, 200, 400, 200], atol=0.5)
    assert answer.as_numpy("CLASS_IDS")[0] == 8


def _plain(answer: Any) -> dict[str, Any]:
    return {"label": answer.label, "class_id": answer.class_id, "score": answer.score}


def test_a_bare_picture_is_answered_with_what_was_found(served: tuple[ModelRegistry, FolderRepository, str, str]) -> None:
    host, _, port = served[2].rpartition(":")

    def post(name: str, data: bytes) -> tuple[int, Any]:
        connection = http.client.HTTPConnection(host, int(port), timeout=30)
        connection.request("POST", f"/v2/models/{name}", data, {"Content-Type": "image/png"})
        answer = connection.getresponse()
        found = json.loads(answer.read())
        connection.close()
        return answer.status, found

    status, found = post("conveyor_inspector.picture/generate?min_score=0.3", SAMPLE.read_bytes())
    assert (status, found["model"].startswith("conveyor_inspector@")) == (200, True)
    assert found["detections"]
    assert post("conveyor_inspector.picture/generate?min_score=2", SAMPLE.read_bytes())[0] == 400
    assert post("conveyor_inspector.picture/generate?" + "a=1&" * 50, SAMPLE.read_bytes())[0] == 400
    assert "conveyor_inspector.picture" in post("conveyor_inspector/generate", SAMPLE.read_bytes())[1]["error"]
    assert post("conveyor_inspector.picture/generate", b"")[0] == 400


def test_it_is_listed_and_counted_like_any_model(served: tuple[ModelRegistry, FolderRepository, str, str], found: Any) -> None:
    name = "conveyor_inspector.picture"
    before = served[0].find(name).statistics.success.count
    found(SAMPLE.read_bytes())
    assert served[0].find(name).statistics.success.count - before == 1
    assert name in [each["name"] for each in served[1].index(ready=True)]
    with tritonclient.http.InferenceServerClient(served[2]) as client:
        assert client.get_model_metadata(name)["inputs"] == [{"name": "IMAGE", "datatype": "BYTES", "shape": [1]}]
        served[1].load("conveyor_inspector")
        assert client.is_model_ready(name)
    found(SAMPLE.read_bytes())


def png(width: int, height: int) -> bytes:
    head = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + head + struct.pack(">I", zlib.crc32(head)) + bytes(40)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "neither JPEG nor PNG"),
        (b"GIF89a" + bytes(50), "neither JPEG nor PNG"),
        (b"\xff\xd8\xff", "neither JPEG nor PNG"),
        (png(100_000, 100_000), "at most"),
        (png(2**32 - 1, 2**32 - 1), "at most"),
        (png(0, 10), "at most"),
        (png(10, 10), "damaged or not complete"),
    ],
)
def test_what_is_no_picture_is_refused(found: Any, data: bytes, message: str) -> None:
    with pytest.raises(InferenceServerException, match=message):
        found(data)
    with pytest.raises(InferenceServerException, match="min_score"):
        found(SAMPLE.read_bytes(), min_score="many")


@pytest.mark.parametrize("suffix", [".png", ".jpg"])
@given(st.integers(1, 300), st.integers(1, 300))
def test_the_size_in_the_head_is_that_of_the_picture(suffix: str, width: int, height: int) -> None:
    _, data = cv2.imencode(suffix, np.zeros((height, width, 3), np.uint8))
    assert picture_size(data.tobytes()) == (width, height)


@given(st.binary(max_size=200), st.sampled_from([b"", b"\xff\xd8", b"\xff\xd8\xff\xe0\x00\x04", b"\x89PNG\r\n\x1a\n"]))
def test_noise_is_never_more_than_an_error(noise: bytes, head: bytes) -> None:
    size = picture_size(head + noise)
    if size is None or size[0] * size[1] > PIXELS_MAX:
        with pytest.raises(CallError):
            frame_from(head + noise)
