"""A server with the models of some cells, and the comparison of each cell with the bare runtime."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable
from pathlib import Path

import av
import cv2
import grpc
import msgspec
import numpy as np
from paho.mqtt.enums import MQTTProtocolVersion

from edgefleet_agent.backends.installed import cpu_profile, installed_runtimes
from edgefleet_agent.pipeline.model.loaded_model import LoadedModel
from edgefleet_agent.serving.engine.model_registry import ModelRegistry
from edgefleet_agent.serving.engine.video_models import frames_of
from edgefleet_agent.serving.models.model_loader import LoadTarget
from edgefleet_agent.serving.models.repository import FolderRepository
from edgefleet_agent.serving.mqtt.service import MqttService
from edgefleet_agent.serving.open_listeners import open_grpc, open_http
from edgefleet_agent.serving.protocol.image_input import frame_from
from edgefleet_agent.serving.protocol.tensors import Array, text_of
from edgefleet_agent.vision.answers import model_outputs, result_kind
from edgefleet_agent.vision.results import Result
from edgefleet_contract.mqtt.address import BrokerAddress
from tests.agent.fakes.bench import Broker
from tests.agent.serving.conftest import LIMITS, SERVER
from tests.agent.serving.matrix.cells import Cell
from tests.agent.serving.matrix.models import bare, sample, write_model
from tests.agent.serving.matrix.ways import Callers, WayError, read_outputs
from tests.agent.serving.mqtt.test_service import InferenceClient
from tests.packages import assemble

ROOT = "matrix/infer"
SENT_BYTES = 64 * 1024 * 1024
ENSEMBLE = """
[[ensemble.step]]
model = "{0}"
input_map = {{ X = "X" }}
output_map = {{ Y = "Y" }}
"""
SEQUENCE = "max_batch_size = 4\n[sequence_batching]\nmax_sequence_idle_microseconds = 60000000\n"
SETTINGS = {"none": "max_batch_size = 0\n", "open": "", "fixed": ""}


class MatrixSite:
    """Serves the models of `cells`."""

    def __init__(self, cells: Iterable[Cell], folder: Path, data: Path) -> None:
        self._root, self._data = folder / "models", data
        self._root.mkdir(parents=True)
        self._files: dict[str, tuple[Path, ...]] = {}
        for cell in cells:
            self._add(cell, folder)
        self.catalogue = ModelRegistry()
        target = LoadTarget(tuple(installed_runtimes()), cpu_profile())
        self.repository = FolderRepository([self._root], self.catalogue, target, sent_bytes=SENT_BYTES)
        self.faults = self.repository.load_all()
        self._http = open_http("127.0.0.1:0", self.catalogue, self.repository, SERVER, LIMITS)
        self._grpc = open_grpc("127.0.0.1:0", self.catalogue, self.repository, SERVER, LIMITS)
        self._broker = Broker(folder)
        self._broker.start()
        self._topics = MqttService(BrokerAddress("127.0.0.1", self._broker.port), ROOT, self.catalogue, SERVER)
        self._client = InferenceClient(self._broker.port, MQTTProtocolVersion.MQTTv5, ROOT)
        self.callers = Callers(self._http.address, self._grpc.address, self._client, ROOT)

    def close(self) -> None:
        self.callers.close()
        self._client.close()
        self._topics.close()
        self._broker.stop()
        self._grpc.close()
        self._http.close()
        self.catalogue.close()
        self.repository.close()

    def difference(self, cell: Cell) -> str:
        """The difference between the answer of a cell and the bare runtime's; empty if there is none."""
        if cell.way in ("picture", "clip"):
            return self._picture(cell)
        model, array = _name(cell), sample(cell.datatype, cell.batch)
        if cell.way == "load":
            model += "-sent"
            self.callers.load(model, cell.runtime, self._files[_name(cell)])
        if cell.way == "generate" and cell.batch == "open":
            array = np.ascontiguousarray(array[:1])
        expected = bare(cell.runtime, self._files[_name(cell)], array)
        found = self.callers.ways[cell.way](model, cell.datatype, array)
        return _difference(found, expected)

    def outcome(self, cell: Cell) -> str:
        """The difference, or the error of the server; empty for an equal answer."""
        try:
            return self.difference(cell)
        except (WayError, grpc.RpcError) as cause:
            return f"{type(cause).__name__}: {cause}"[:300]

    def _add(self, cell: Cell, folder: Path) -> None:
        name = _name(cell)
        if cell.way in ("picture", "clip"):
            if not (self._root / name).exists():
                assemble(self._data, self._root, "mobilenet_v2", copy=True).parent.rename(self._root / name)
                (self._root / name / "serving.toml").write_text(f'runtime = "{cell.runtime}"\n')
            return
        if name not in self._files:
            version = folder / "sent" / name if cell.way == "load" else self._root / name / "1"
            self._files[name] = write_model(cell.runtime, cell.datatype, cell.batch, version)
            self._configure(self._root / name, cell, SETTINGS[cell.batch])
        if cell.way == "ensemble":
            joined = self._root / f"{name}-ensemble" / "1"
            joined.mkdir(parents=True)
            (joined / "model.toml").write_text(ENSEMBLE.format(name))
        if cell.way == "sequence":
            write_model(cell.runtime, cell.datatype, cell.batch, self._root / f"{name}-sequence" / "1")
            self._configure(self._root / f"{name}-sequence", cell, SEQUENCE)

    def _configure(self, model: Path, cell: Cell, settings: str) -> None:
        if model.is_dir():
            runtime = 'runtime = "faulty"\n' if cell.runtime == "faulty" else ""
            (model / "serving.toml").write_text(runtime + settings)

    def _picture(self, cell: Cell) -> str:
        """Labels and scores of a picture, or of each frame of a clip."""
        name = _name(cell)
        (version,) = [each for each in (self._root / name).iterdir() if each.is_dir()]
        package = LoadedModel.open(version, runtimes=[cell.runtime], threads=1)
        picture = (self._data / "media/images/cat_720p.jpg").read_bytes()
        if cell.way == "picture":
            path, length = f"/v2/models/{name}.picture/infer?min_score=0&top=5", {"Inference-Header-Content-Length": "0"}
            answer, size = self.callers.post(path, picture, **length)
            found = [text_of(read_outputs(answer, size)["RESULT"][0]).decode()]
            frames = [frame_from(picture)]
        else:
            data = _clip(picture)
            path = f"/v2/models/{name}.clip/generate_stream?min_score=0&top=5"
            answer, _ = self.callers.post(path, data, **{"Content-Type": "video/x-matroska"})
            found = [json.loads(line[5:])["RESULT"] for line in answer.splitlines() if line.startswith(b"data:")]
            frames = list(frames_of(data, 0.0))
        if len(found) != len(frames):
            return f"{len(found)} answers to {len(frames)} frames"
        pairs = zip(found, frames, strict=True)
        differences = (_compared(json.loads(text), package.infer(frame, 0.0).result, package) for text, frame in pairs)
        return next(filter(None, differences), "")


def _clip(picture: bytes) -> bytes:
    """A video of three frames: the picture, darker each time."""
    full = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR)
    assert full is not None
    full = cv2.resize(full, (320, 240))
    file = io.BytesIO()
    with av.open(file, "w", format="matroska") as container:
        stream = container.add_stream("mpeg4", rate=10)
        stream.width, stream.height, stream.pix_fmt = 320, 240, "yuv420p"
        for part in (1.0, 0.8, 0.6):
            frame = av.VideoFrame.from_ndarray((full * part).astype(np.uint8), format="bgr24")
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
    return file.getvalue()


def _compared(found: dict[str, object], expected: Result, package: LoadedModel) -> str:
    expected_fields = json.loads(msgspec.json.encode(model_outputs(expected, package.label, 5)))
    own = found[result_kind(expected)]
    return "" if own == expected_fields else f"got {own}, the bare runtime gives {expected_fields}"


def _name(cell: Cell) -> str:
    way = {"picture": "-pictures", "clip": "-pictures", "load": "-load"}.get(cell.way, "")
    return f"{cell.runtime}-{cell.datatype.lower()}-{cell.batch}{way}"


def _difference(found: Array, expected: Array) -> str:
    if found.shape != expected.shape:
        return f"shape {list(found.shape)}, the bare runtime gives {list(expected.shape)}"
    if expected.dtype.kind == "O":
        same = [text_of(each) for each in found.flat] == [text_of(each) for each in expected.flat]
    else:
        same = found.tobytes() == expected.tobytes()
    return "" if same else f"got {found.ravel()[:4]}, the bare runtime gives {expected.ravel()[:4]}"
