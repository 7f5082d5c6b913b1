"""An unexpected exception is an error of one request: the thread, the connection and all other requests continue."""

from __future__ import annotations

import http.client
import json
import shutil
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tritonclient.grpc as triton_grpc
import tritonclient.http as triton_http
from tritonclient.utils import InferenceServerException

from edgefleet_agent.backends.base import Array, Placement, Session
from edgefleet_agent.backends.installed import cpu_profile, installed_runtimes
from edgefleet_agent.serving.config.model_config import DynamicBatching, ServingConfig
from edgefleet_agent.serving.engine.dynamic_batcher import Answer, QueuedRequest
from edgefleet_agent.serving.engine.instance_pool import INLINE_S_MAX, InstancePool
from edgefleet_agent.serving.engine.model_registry import ModelRegistry, ServedModel
from edgefleet_agent.serving.models.model_source import LoadTarget
from edgefleet_agent.serving.models.repository import FolderRepository
from edgefleet_agent.serving.models.slot_models import ReadOnlyRepository, SlotModelQueue
from edgefleet_agent.serving.open_listeners import open_grpc, open_http
from edgefleet_agent.serving.protocol.errors import CallError, Code
from edgefleet_agent.serving.protocol.inference_request import InferenceRequest, TensorSignature
from edgefleet_agent.vision.heads.base import TensorSpec
from tests.agent.serving.conftest import LIMITS, SERVER

SPEC = TensorSpec("X", (-1, 4), np.dtype(np.float32))
SIGNATURE = TensorSignature("m", "1", "test", (SPEC,), (SPEC,), 8)
BAD = 13.0
FAULT = "internal error; see the log of the agent"
WAIT_S = 30.0
MOBILENET = "mobilenet_v2_1.0_224_quant"
PICTURE = (1, 224, 224, 3)


class Broken(Session):
    """Returns its input, and raises an unexpected exception for one number."""

    inputs = outputs = (SPEC,)
    placement = Placement("test", "0", "cpu")

    def infer(self, inputs: Mapping[str, Array]) -> Mapping[str, Array]:
        if (inputs["X"] == BAD).any():
            raise ZeroDivisionError("nobody foresaw this")
        return dict(inputs)

    def close(self) -> None: ...


class Site:
    """The listeners of one model."""

    def __init__(self, catalogue: ModelRegistry, repository: Any = None) -> None:
        self.catalogue = catalogue
        lent = repository or ReadOnlyRepository(catalogue)
        self.http_listener = open_http("127.0.0.1:0", catalogue, lent, SERVER, LIMITS)
        self.grpc_listener = open_grpc("127.0.0.1:0", catalogue, lent, SERVER, LIMITS)
        self.grpc = triton_grpc.InferenceServerClient(self.grpc_listener.address)
        self.line = http.client.HTTPConnection(self.http_listener.address, timeout=WAIT_S)

    def post(self, value: float) -> tuple[int, Any]:
        tensor = {"name": "X", "shape": [1, 4], "datatype": "FP32", "data": [value] * 4}
        self.line.request("POST", "/v2/models/m/infer", json.dumps({"inputs": [tensor]}))
        answer = self.line.getresponse()
        return answer.status, json.loads(answer.read())

    def call(self, value: float) -> float:
        given = triton_grpc.InferInput("X", [1, 4], "FP32")
        given.set_data_from_numpy(np.full((1, 4), value, np.float32))
        return float(self.grpc.infer("m", [given], client_timeout=WAIT_S).as_numpy("X")[0, 0])

    def close(self) -> None:
        self.grpc.close()
        self.line.close()
        self.grpc_listener.close()
        self.http_listener.close()
        self.catalogue.close()


@pytest.fixture(params=[INLINE_S_MAX / 10, 1.0], ids=["on the caller's thread", "on the model's thread"])
def site(request: pytest.FixtureRequest) -> Iterator[Site]:
    catalogue = ModelRegistry()
    catalogue.replace("m", [ServedModel(InstancePool(SIGNATURE, [Broken()], None, request.param), ServingConfig())])
    made = Site(catalogue)
    yield made
    made.close()


def test_a_fault_of_a_runtime_is_an_error_of_its_call(site: Site) -> None:
    assert site.post(BAD) == (500, {"error": FAULT})
    status, answer = site.post(1.0)
    assert (status, answer["outputs"][0]["data"]) == (200, [1.0] * 4)
    with pytest.raises(InferenceServerException, match=FAULT) as caught:
        site.call(BAD)
    assert caught.value.status() == "StatusCode.INTERNAL"
    assert site.call(2.0) == 2.0
    assert site.catalogue.find("m", "").statistics.to_json("m", "1")["inference_stats"]["fail"]["count"] == 2


def test_a_fault_while_a_call_is_read_is_an_error_of_that_call(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    assert site.post(1.0)[0] == 200  # from here on both connections are open
    assert site.call(1.0) == 1.0
    sockets = site.line.sock

    def route(self: ModelRegistry, model: str, version: str = "") -> ServedModel:
        raise LookupError(model)

    with monkeypatch.context() as patch:
        patch.setattr(ModelRegistry, "route", route)
        assert site.post(1.0) == (500, {"error": FAULT})
        with pytest.raises(InferenceServerException, match=FAULT) as caught:
            site.call(1.0)
        assert caught.value.status() == "StatusCode.INTERNAL"
    assert site.post(1.0)[0] == 200
    assert site.line.sock is sockets
    assert site.call(1.0) == 1.0


def test_in_a_batch_only_the_call_at_fault_fails() -> None:
    batching = DynamicBatching(preferred_batch_size=[3], max_queue_delay_microseconds=1_000_000)
    pool = InstancePool(SIGNATURE, [Broken()], batching, 1.0)
    received: dict[float, Answer] = {}
    answered = threading.Semaphore(0)

    def ask(value: float) -> None:
        def done(answer: Answer, _signature: TensorSignature) -> None:
            received[value] = answer if isinstance(answer, CallError) else {"X": answer["X"].copy()}
            answered.release()

        ServedModel(pool, ServingConfig()).submit(InferenceRequest({"X": np.full((1, 4), value, np.float32)}), done)

    for value in (1.0, BAD, 2.0):
        ask(value)
    assert all(answered.acquire(timeout=WAIT_S) for _ in range(3))
    fault = received.pop(BAD)
    assert isinstance(fault, CallError)
    assert fault.code is Code.INTERNAL
    assert {value: np.asarray(answer["X"])[0, 0] for value, answer in received.items() if isinstance(answer, dict)} == {
        1: 1,
        2: 2,
    }
    pool.close()


def test_an_answer_that_cannot_be_encoded_is_an_error_of_its_call() -> None:
    pool = InstancePool(SIGNATURE, [Broken()], None, 1.0)
    answers: list[Answer] = []
    answered = threading.Event()

    def done(answer: Answer, _signature: TensorSignature) -> None:
        if not isinstance(answer, CallError):
            raise TypeError("it cannot be written")
        answers.append(answer)
        answered.set()

    ServedModel(pool, ServingConfig()).submit(InferenceRequest({"X": np.zeros((1, 4), np.float32)}), done)
    assert answered.wait(WAIT_S)
    assert [str(each) for each in answers] == [FAULT]
    assert all(thread.is_alive() for thread in threading.enumerate() if thread.name.startswith("serve:m"))
    pool.close()


def test_a_call_to_a_camera_s_model_is_answered_and_its_thread_continues() -> None:
    session, answers = Broken(), list[Answer]()
    queue = SlotModelQueue(lambda: None)
    queue.adopt(session, SIGNATURE)
    for value in (BAD, 1.0):
        inputs = {"X": np.full((1, 4), value, np.float32)}
        queue.put(QueuedRequest(inputs, 1, lambda answer, _: answers.append(answer), time.monotonic_ns()), 0, 0)
        queue.serve(session)
    fault, answer = answers
    assert isinstance(fault, CallError)
    assert fault.code is Code.INTERNAL
    assert not isinstance(answer, CallError)


def test_open_vino_answers_over_both_protocols(data: Path, tmp_path: Path) -> None:
    """Tensors that are views of a message are read-only."""
    folder = tmp_path / "mobilenet" / "1"
    folder.mkdir(parents=True)
    for end in ("xml", "bin"):
        shutil.copyfile(data / "models/openvino" / MOBILENET / f"{MOBILENET}.{end}", folder / f"model.{end}")
    catalogue = ModelRegistry()
    repository = FolderRepository([tmp_path], catalogue, LoadTarget(tuple(installed_runtimes()), cpu_profile()))
    assert repository.load_all() == []
    site = Site(catalogue, repository)
    web = triton_http.InferenceServerClient(site.http_listener.address)
    picture = np.random.default_rng(7).integers(0, 256, PICTURE, np.uint8)
    found = []
    for client, kind in ((site.grpc, triton_grpc.InferInput), (web, triton_http.InferInput)):
        given = kind("input", PICTURE, "UINT8")
        given.set_data_from_numpy(picture)
        found.append(client.infer("mobilenet", [given]).as_numpy("MobilenetV2/Predictions/Softmax"))
    assert found[0].any()
    assert (found[0] == found[1]).all()
    web.close()
    site.close()
