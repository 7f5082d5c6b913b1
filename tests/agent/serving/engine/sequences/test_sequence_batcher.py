"""Sequences with state and control inputs, through the unmodified client and through the engine itself."""

from __future__ import annotations

import concurrent.futures
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from edgefleet_agent.pipeline.model.loaded_model import cpu_profile, installed_runtimes
from edgefleet_agent.serving.engine.model_registry import ModelRegistry
from edgefleet_agent.serving.engine.sequences.sequence_batcher import SequencePool
from edgefleet_agent.serving.frontend.listener_context import ListenerLimits
from edgefleet_agent.serving.models.model_source import LoadTarget
from edgefleet_agent.serving.models.repository import FolderRepository
from edgefleet_agent.serving.open_listeners import open_grpc, open_http
from edgefleet_agent.serving.protocol.errors import CallError
from edgefleet_agent.serving.protocol.inference_request import InferenceRequest, SequenceMark
from tests.agent.serving import onnx_file
from tests.agent.serving.conftest import SERVER, put_model

pytest.importorskip("tritonclient.http", reason="tritonclient[http,grpc] is not installed")

import tritonclient.grpc
import tritonclient.http
from tritonclient.utils import InferenceServerException

CONTROLS = "".join(
    f'[[sequence_batching.control_input]]\nname = "{name}"\ncontrol = [{{kind = "CONTROL_SEQUENCE_{name}", {how}}}]\n'
    for name, how in {
        "START": "int32_false_true = [0, 1]",
        "END": "int32_false_true = [0, 1]",
        "READY": "int32_false_true = [0, 1]",
        "CORRID": 'data_type = "TYPE_UINT64"',
    }.items()
)
STATE = """
[[sequence_batching.state]]
input_name = "STATE"
output_name = "NEXT"
data_type = "TYPE_FP32"
dims = [1]
"""
FROM_FILE = '[[sequence_batching.state.initial_state]]\ndata_type = "TYPE_FP32"\ndims = [1]\ndata_file = "hundred"\n'
PLENTY = "max_batch_size = 8\n[sequence_batching]\nmax_sequence_idle_microseconds = 30000000\n"
FEW = (
    "max_batch_size = 8\n[sequence_batching]\nmax_sequence_idle_microseconds = {idle}\noldest = {{max_candidate_sequences = 2}}\n"
)


def put_accumulator(root: Path, name: str, head: str, *, tail: str = "") -> None:
    put_model(root, name, onnx_file.accumulator(), config=head + "[[instance_group]]\ncount = 1\n" + CONTROLS + STATE + tail)
    (root / name / "initial_state").mkdir()
    (root / name / "initial_state" / "hundred").write_bytes(np.array([100], np.float32).tobytes())


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[ModelRegistry, str, str]]:
    root = tmp_path_factory.mktemp("sequences")
    put_accumulator(root, "sum", PLENTY)
    put_accumulator(root, "from_hundred", PLENTY, tail=FROM_FILE)
    put_accumulator(root, "few", FEW.format(idle=60_000_000))
    put_accumulator(root, "restless", FEW.format(idle=200_000))
    catalogue = ModelRegistry()
    repository = FolderRepository([root], catalogue, LoadTarget(tuple(installed_runtimes()), cpu_profile()))
    assert repository.load_all() == []
    http = open_http("127.0.0.1:0", catalogue, repository, SERVER, ListenerLimits())
    grpc = open_grpc("127.0.0.1:0", catalogue, repository, SERVER, ListenerLimits())
    yield catalogue, http.address, grpc.address
    grpc.close()
    http.close()
    catalogue.close()


@pytest.fixture(params=["http", "grpc"])
def add(request: pytest.FixtureRequest, served: tuple[ModelRegistry, str, str]) -> Iterator[Callable[..., Any]]:
    module: ModuleType = getattr(tritonclient, request.param)
    address = served[1] if request.param == "http" else served[2]
    mine = threading.local()  # a client belongs to one thread

    def one(value: float, key: int | str, model: str = "sum", *, start: bool = False, end: bool = False) -> Any:
        mine.client = client = getattr(mine, "client", None) or module.InferenceServerClient(address)
        tensor = module.InferInput("INPUT", [1, 1], "FP32")
        tensor.set_data_from_numpy(np.array([[value]], np.float32))
        return client.infer(model, [tensor], sequence_id=key, sequence_start=start, sequence_end=end)

    yield one
    mine.client.close()


def test_a_sequence_keeps_state_and_gets_its_control_tensors(add: Callable[..., Any]) -> None:
    answers = [add(1, 7, start=True), add(2, 7), add(3, 7, end=True)]
    assert [float(each.as_numpy("OUTPUT")[0, 0]) for each in answers] == [1, 3, 6]
    for name, expected in {"START": [1, 0, 0], "END": [0, 0, 1], "READY": [1, 1, 1], "CORRID": [7, 7, 7]}.items():
        assert [int(each.as_numpy(f"{name}_WAS")[0, 0]) for each in answers] == expected
    assert answers[0].as_numpy("NEXT") is None  # the state is the server's


def test_sequences_side_by_side_and_starting_again(add: Callable[..., Any]) -> None:
    values = [add(number, key, start=True).as_numpy("OUTPUT")[0, 0] for key, number in ((1, 10), (2, 20))]
    values += [add(1, key).as_numpy("OUTPUT")[0, 0] for key in (1, 2)]
    values += [add(5, 1, start=True, end=True).as_numpy("OUTPUT")[0, 0], add(1, 2, end=True).as_numpy("OUTPUT")[0, 0]]
    assert values == [10, 20, 11, 21, 5, 22]


def test_an_initial_state_from_a_file(add: Callable[..., Any]) -> None:
    assert add(1, 3, "from_hundred", start=True).as_numpy("OUTPUT")[0, 0] == 101
    assert add(1, 3, "from_hundred", end=True).as_numpy("OUTPUT")[0, 0] == 102


def test_what_is_no_sequence_is_refused(add: Callable[..., Any]) -> None:
    with pytest.raises(InferenceServerException, match="must specify the START flag"):
        add(1, 99)
    with pytest.raises(InferenceServerException, match="correlation ID"):
        add(1, 0)
    with pytest.raises(InferenceServerException, match="must be a number"):
        add(1, "text", start=True)
    add(1, 98, start=True, end=True)
    with pytest.raises(InferenceServerException, match="must specify the START flag"):
        add(1, 98)


def test_an_idle_sequence_is_forgotten(add: Callable[..., Any], served: tuple[ModelRegistry, str, str]) -> None:
    engine = served[0].find("restless").engine
    assert isinstance(engine, SequencePool)
    add(1, 5, "restless", start=True)
    give_up_s = time.monotonic() + 120
    while engine.active and time.monotonic() < give_up_s:
        time.sleep(0.01)
    assert engine.active == 0
    with pytest.raises(InferenceServerException, match="must specify the START flag"):
        add(1, 5, "restless")


def test_a_sequence_too_many_waits_for_one_to_end(add: Callable[..., Any]) -> None:
    for key in (1, 2):
        add(key, key, "few", start=True)
    with concurrent.futures.ThreadPoolExecutor(1) as other:
        third = other.submit(add, 3, 3, "few", start=True, end=True)
        time.sleep(0.1)
        assert not third.done()
        add(1, 1, "few", end=True)
        assert third.result(30).as_numpy("OUTPUT")[0, 0] == 3
    add(1, 2, "few", end=True)


def test_requests_of_many_sequences_keep_their_order_and_run_together(served: tuple[ModelRegistry, str, str]) -> None:
    target = served[0].find("sum")
    steps, keys = 20, range(100, 108)
    found: dict[int, list[float]] = {key: [] for key in keys}
    left = threading.Semaphore(0)

    def send_step(key: int, step: int) -> None:
        def done(answer: Any, _signature: Any) -> None:
            found[key].append(-1.0 if isinstance(answer, CallError) else float(answer["OUTPUT"][0, 0]))
            left.release()

        mark = SequenceMark(key, step == 0, step == steps - 1)
        target.submit(InferenceRequest({"INPUT": np.array([[1]], np.float32)}, sequence=mark), done)

    for step in range(steps):
        for key in keys:
            send_step(key, step)
    for _ in range(steps * len(keys)):
        assert left.acquire(timeout=30)
    assert all(values == list(range(1, steps + 1)) for values in found.values())


def test_stream_of_a_sequence(served: tuple[ModelRegistry, str, str]) -> None:
    import queue

    answers: queue.Queue[tuple[Any, Any]] = queue.Queue()
    client = tritonclient.grpc.InferenceServerClient(served[2])
    client.start_stream(lambda result, error: answers.put((result, error)))
    for number in range(5):
        tensor = tritonclient.grpc.InferInput("INPUT", [1, 1], "FP32")
        tensor.set_data_from_numpy(np.array([[number]], np.float32))
        client.async_stream_infer("sum", [tensor], sequence_id=77, sequence_start=number == 0, sequence_end=number == 4)
    found = [answers.get(timeout=120) for _ in range(5)]
    client.stop_stream()
    client.close()
    assert [error for _, error in found] == [None] * 5
    assert [result.as_numpy("OUTPUT")[0, 0] for result, _ in found] == [0, 1, 3, 6, 10]


def test_the_configuration_is_reported(served: tuple[ModelRegistry, str, str]) -> None:
    with tritonclient.grpc.InferenceServerClient(served[2]) as client:
        batching = client.get_model_config("from_hundred").config.sequence_batching
    assert [each.name for each in batching.control_input] == ["START", "END", "READY", "CORRID"]
    assert batching.state[0].initial_state[0].data_file == "hundred"
    with tritonclient.http.InferenceServerClient(served[1]) as client:
        assert client.get_model_config("few")["sequence_batching"]["oldest"]["max_candidate_sequences"] == 2
        assert [each["name"] for each in client.get_model_metadata("few")["inputs"]] == ["INPUT"]


@pytest.mark.parametrize(
    ("tail", "message"),
    [
        (STATE.replace("STATE", "NOTHING"), "does not have"),
        (STATE.replace("FP32", "INT8"), "the same type"),
        (STATE.replace("[1]", "[2]"), "do not fit"),
        (STATE + FROM_FILE.replace("hundred", "missing"), "no such file"),
        (STATE + FROM_FILE.replace("hundred", "../hundred"), "without a folder"),
        (CONTROLS.replace("TYPE_UINT64", "TYPE_INT8") + STATE, "data_type"),
        (CONTROLS.replace("int32_false_true", "fp32_false_true") + STATE, "false and true"),
    ],
)
def test_a_wrong_configuration_is_refused_with_a_sentence(tmp_path: Path, tail: str, message: str) -> None:
    put_model(tmp_path, "wrong", onnx_file.accumulator(), config=PLENTY + tail)
    (tmp_path / "wrong" / "initial_state").mkdir()
    catalogue = ModelRegistry()
    repository = FolderRepository([tmp_path], catalogue, LoadTarget(tuple(installed_runtimes()), cpu_profile()))
    assert message in repository.load_all()[0]


def test_waiting_sequences_start_when_idle_ones_are_forgotten(served: tuple[ModelRegistry, str, str]) -> None:
    target = served[0].find("restless")
    done = threading.Semaphore(0)
    failed: list[CallError] = []

    def ask(key: int, *, end: bool) -> None:
        def answered(answer: Any, _signature: Any) -> None:
            if isinstance(answer, CallError):
                failed.append(answer)
            done.release()

        mark = SequenceMark(key, start=True, end=end)
        target.submit(InferenceRequest({"INPUT": np.array([[1]], np.float32)}, sequence=mark), answered)

    for key in range(1, 41):  # two are active; none ends, so each pair has to expire before the next one starts
        ask(key, end=key > 10)
    for _ in range(40):
        assert done.acquire(timeout=30)
    assert failed == []
