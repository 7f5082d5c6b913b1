"""Models whose files come with `load`, as unmodified clients send them: served, bounded, removed when they are unloaded."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from edgefleet_agent.backends.installed import installed_runtimes
from edgefleet_agent.serving.engine.model_registry import ModelRegistry
from edgefleet_agent.serving.frontend.api_keys import Key, Level, read_keys
from edgefleet_agent.serving.frontend.authentication import Authentication
from edgefleet_agent.serving.models.model_source import LoadTarget
from edgefleet_agent.serving.models.repository import FolderRepository
from edgefleet_agent.serving.models.uploaded_models import FILES_MAX, read_files
from edgefleet_agent.serving.open_listeners import open_grpc, open_http
from edgefleet_agent.serving.protocol.errors import CallError, Code
from tests.agent.serving import onnx_file
from tests.agent.serving.conftest import LIMITS, SERVER, put_model
from tests.agent.serving.frontend.test_authentication import KEY, OTHER, keys_file

pytest.importorskip("tritonclient.http", reason="tritonclient[http,grpc] is not installed")

import tritonclient.grpc
import tritonclient.http
from tritonclient.utils import InferenceServerException

BYTES_MAX = 100_000
MODEL = onnx_file.add()


class Site:
    """Both listeners of a repository that accepts uploads."""

    def __init__(self, root: Path, guard: Authentication | None = None, sent_bytes: int = BYTES_MAX) -> None:
        put_model(root, "kept", onnx_file.identity())
        self.catalogue = ModelRegistry()
        self.repository = FolderRepository(
            [root], self.catalogue, LoadTarget(tuple(installed_runtimes())), sent_bytes=sent_bytes, memory_bytes=2**40
        )
        assert self.repository.load_all() == []
        self.http = open_http("127.0.0.1:0", self.catalogue, self.repository, SERVER, LIMITS, guard)
        self.grpc = open_grpc("127.0.0.1:0", self.catalogue, self.repository, SERVER, LIMITS, guard)

    def close(self) -> None:
        self.http.close()
        self.grpc.close()
        self.catalogue.close()
        self.repository.close()


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Temporary folder of uploaded files."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.fixture
def site(tmp_path: Path, place: Path) -> Iterator[Site]:
    made = Site(tmp_path / "models")
    yield made
    made.close()
    assert list(place.iterdir()) == []


@pytest.fixture(params=["http", "grpc"])
def client(request: pytest.FixtureRequest, site: Site) -> Iterator[tuple[ModuleType, Any]]:
    module = getattr(tritonclient, request.param)
    with module.InferenceServerClient(getattr(site, request.param).address) as opened:
        yield module, opened


def files_of(place: Path) -> list[str]:
    return sorted(path.name for path in place.rglob("*") if path.is_file())


def test_what_is_sent_is_served_until_it_is_unloaded(client: tuple[ModuleType, Any], site: Site, place: Path) -> None:
    module, triton = client
    for version, config in (("1", '{"max_batch_size": 4}'), ("3", "{}")):  # the second one replaces the first
        triton.load_model(
            "sent", config=config, files={f"file:{version}/model.onnx": MODEL, f"file:{version}/labels.txt": b"a\nb"}
        )
        inputs = [module.InferInput(name, [1, 4], "FP32") for name in "AB"]
        for tensor in inputs:
            tensor.set_data_from_numpy(np.ones((1, 4), np.float32))
        assert triton.infer("sent", inputs).as_numpy("SUM").tolist() == [[2.0] * 4]
        assert site.catalogue.versions("sent") == [version]
        assert files_of(place) == ["labels.txt", "model.onnx"]
    assert site.catalogue.find("sent").signature.batch == 16
    assert {"name": "sent", "version": "3", "state": "READY", "reason": ""} in site.repository.index(ready=True)
    triton.unload_model("sent")
    assert files_of(place) == []
    with pytest.raises(InferenceServerException, match="no such model"):
        triton.load_model("sent")


def test_it_stands_before_the_repositorys_own_until_that_is_loaded_again(client: tuple[ModuleType, Any], site: Site) -> None:
    client[1].load_model("kept", config="{}", files={"file:7/model.onnx": MODEL})
    assert [spec.name for spec in site.catalogue.find("kept").signature.inputs] == ["A", "B"]
    client[1].load_model("kept")
    assert [spec.name for spec in site.catalogue.find("kept").signature.inputs] == ["INPUT"]


@pytest.mark.parametrize(
    ("files", "config", "message"),
    [
        ({"file:1/model.onnx": b"noise"}, "{}", "failed to load"),
        ({"file:1/model.onnx": MODEL}, None, "require a 'config'"),
        ({"file:1/model.onnx": MODEL}, '{"max_batch_size": -1}', "max_batch_size"),
        ({"file:1/model.onnx": MODEL, "file:1/other.onnx": MODEL}, "{}", "contains 2 model files"),
        ({"file:1/model.toml": b""}, "{}", "use the repository for packages"),
        ({"file:1/plugin.so": b""}, "{}", "is not accepted"),
        ({"file:../model.onnx": MODEL}, "{}", "VERSION/NAME"),
        ({"file:1/../../model.onnx": MODEL}, "{}", "VERSION/NAME"),
        ({"file:/etc/model.onnx": MODEL}, "{}", "VERSION/NAME"),
        ({"file:1/": MODEL}, "{}", "VERSION/NAME"),
        ({"file:1/model.onnx": MODEL, "file:1/weights.bin": bytes(BYTES_MAX)}, "{}", "exceed the limit"),
        ({"file:1/model.onnx": onnx_file.outside("../../../../secret.bin")}, "{}", "failed to load"),
        ({"file:1/model.onnx": onnx_file.outside("/etc/hostname")}, "{}", "failed to load"),
    ],
)
def test_what_is_no_model_is_refused_and_leaves_nothing(
    client: tuple[ModuleType, Any], site: Site, place: Path, files: dict[str, bytes], config: str | None, message: str
) -> None:
    (place.parent / "secret.bin").write_bytes(bytes(16))
    with pytest.raises(InferenceServerException, match=message):
        client[1].load_model("kept", config=config, files=files)
    assert [spec.name for spec in site.catalogue.find("kept").signature.inputs] == ["INPUT"]
    assert files_of(place) == []


def test_weights_beside_the_model_are_read(site: Site) -> None:
    with tritonclient.grpc.InferenceServerClient(site.grpc.address) as triton:
        weights = np.arange(4, dtype=np.float32).tobytes()
        triton.load_model("sum", config="{}", files={"file:1/model.onnx": onnx_file.outside("w.bin"), "file:1/w.bin": weights})
        tensor = tritonclient.grpc.InferInput("INPUT", [4], "FP32")
        tensor.set_data_from_numpy(np.ones(4, np.float32))
        assert triton.infer("sum", [tensor]).as_numpy("OUTPUT").tolist() == [1.0, 2.0, 3.0, 4.0]


@pytest.mark.parametrize("name", ["..", "a/b", "kept.picture", ""])
def test_names_are_names(site: Site, name: str) -> None:
    with pytest.raises(CallError, match="is not a valid model name"):
        site.repository.load(name, "{}", {"1/model.onnx": MODEL})


def test_what_is_no_file_in_json_is_refused() -> None:
    for wrong in ("no base64!", 7, None, ["AA=="]):
        with pytest.raises(CallError, match="as base64"):
            read_files({"file:1/model.onnx": wrong})
    with pytest.raises(CallError, match="the limit is 64"):
        read_files({f"file:1/{number}.bin": "" for number in range(FILES_MAX + 1)})
    assert read_files({"config": "{}", "file:1/a.bin": "AAE="}) == {"1/a.bin": b"\x00\x01"}


def test_uploads_are_refused_unless_enabled(tmp_path: Path) -> None:
    made = Site(tmp_path / "models", sent_bytes=0)
    try:
        for module, listener in ((tritonclient.http, made.http), (tritonclient.grpc, made.grpc)):
            with (
                module.InferenceServerClient(listener.address) as triton,
                pytest.raises(InferenceServerException, match="--sent-models"),
            ):
                triton.load_model("sent", config="{}", files={"file:1/model.onnx": MODEL})
    finally:
        made.close()


def test_behind_keys_it_takes_an_administrators(tmp_path: Path) -> None:
    made = Site(tmp_path / "models", Authentication(read_keys(keys_file(tmp_path, f"line {KEY}\nboss {OTHER} admin"))))
    try:
        for module, listener in ((tritonclient.http, made.http), (tritonclient.grpc, made.grpc)):
            with module.InferenceServerClient(listener.address) as triton:
                given: dict[str, Any] = {"config": "{}", "files": {"file:1/model.onnx": MODEL}}
                with pytest.raises(InferenceServerException, match="marked 'admin'") as refused:
                    triton.load_model("sent", headers={"x-api-key": KEY}, **given)
                assert refused.value.status() in ("403", "StatusCode.PERMISSION_DENIED")
                triton.load_model("sent", headers={"x-api-key": OTHER}, **given)
                triton.unload_model("sent", headers={"x-api-key": KEY})
    finally:
        made.close()


def test_without_keys_only_callers_of_this_machine_send_models() -> None:
    for peer in ("127.0.0.1", "::1", "::ffff:127.0.0.1", ""):
        Authentication().check_level(Level.ADMIN, {}, peer)
    others = [
        (Authentication(allow_unauthenticated=True), "192.0.2.7"),
        (Authentication(), "unknown"),
        (Authentication({b"x": Key("x", Level.ADMIN)}), "127.0.0.1"),
    ]
    for guard, peer in others:
        with pytest.raises(CallError) as refused:
            guard.check_level(Level.ADMIN, {}, peer)
        assert refused.value.code is Code.FORBIDDEN
