"""Ensembles, conditions, and traffic splits between versions."""

from __future__ import annotations

import http.client
import json
import queue
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgefleet_agent.pipeline.model.loaded_model import cpu_profile, installed_runtimes
from edgefleet_agent.serving.config.traffic_split import TrafficSplit
from edgefleet_agent.serving.engine.model_registry import ModelRegistry
from edgefleet_agent.serving.frontend.listener_context import ListenerLimits
from edgefleet_agent.serving.models.model_source import LoadTarget
from edgefleet_agent.serving.models.repository import FolderRepository
from edgefleet_agent.serving.open_listeners import open_grpc, open_http
from edgefleet_agent.serving.protocol.errors import CallError, FaultError
from edgefleet_agent.serving.protocol.inference_request import InferenceRequest
from tests.agent.serving import onnx_file
from tests.agent.serving.conftest import SERVER, put_model

pytest.importorskip("tritonclient.http", reason="tritonclient[http,grpc] is not installed")

import tritonclient.grpc
import tritonclient.http
from tritonclient.utils import InferenceServerException

TWICE = """
max_batch_size = 4
[[ensemble.step]]
model = "add"
input_map = {A = "mid", B = "X"}
output_map = {SUM = "Y"}
[[ensemble.step]]
model = "add"
input_map = {A = "X", B = "X"}
output_map = {SUM = "mid"}
"""
NESTED = """
[[ensemble.step]]
model = "twice"
input_map = {X = "IN"}
output_map = {Y = "OUT"}
"""
CASCADE = """
[ensemble]
outputs = ["answer", "costly"]
[[ensemble.step]]
model = "cheap"
input_map = {INPUT = "IN"}
output_map = {OUTPUT = "answer"}
[[ensemble.step]]
model = "twice"
input_map = {X = "IN"}
output_map = {Y = "costly"}
when = {tensor = "IN", below = 0.5}
[[ensemble.step]]
model = "cheap"
input_map = {INPUT = "costly"}
output_map = {OUTPUT = "answer"}
when = {tensor = "IN", below = 0.5}
"""


def put_ensemble(root: Path, name: str, text: str, version: str = "1") -> None:
    (root / name / version).mkdir(parents=True)
    (root / name / version / "model.toml").write_text(text)


def opened(root: Path) -> tuple[ModelRegistry, FolderRepository, list[str]]:
    catalogue = ModelRegistry()
    repository = FolderRepository([root], catalogue, LoadTarget(tuple(installed_runtimes()), cpu_profile()))
    return catalogue, repository, repository.load_all()


def put_models(root: Path) -> None:
    put_model(root, "add", onnx_file.add(), config="max_batch_size = 8")
    put_model(root, "cheap", onnx_file.identity("FP32", ("n", 4)), config="max_batch_size = 8")
    put_model(root, "bytes", onnx_file.identity("BYTES", ("n", 4)))


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[ModelRegistry, FolderRepository, str, str]]:
    root = tmp_path_factory.mktemp("ensembles")
    put_models(root)
    put_ensemble(root, "a_nested", NESTED)  # first by name: loaded before the models of its steps
    put_ensemble(root, "twice", TWICE)
    put_ensemble(root, "cascade", CASCADE)
    for version in ("1", "2"):
        put_model(root, "shared_out", onnx_file.identity(), version, "split = {1 = 3, 2 = 1}\nversion_policy = {all = {}}\n")
    catalogue, repository, faults = opened(root)
    assert faults == []
    http = open_http("127.0.0.1:0", catalogue, repository, SERVER, ListenerLimits())
    grpc = open_grpc("127.0.0.1:0", catalogue, repository, SERVER, ListenerLimits())
    yield catalogue, repository, http.address, grpc.address
    grpc.close()
    http.close()
    catalogue.close()


@pytest.fixture(params=["http", "grpc"])
def infer(
    request: pytest.FixtureRequest, served: tuple[ModelRegistry, FolderRepository, str, str]
) -> Iterator[Callable[..., Any]]:
    module: Any = getattr(tritonclient, request.param)
    client = module.InferenceServerClient(served[2] if request.param == "http" else served[3])

    def call(model: str, name: str, array: np.ndarray[Any, Any], **how: Any) -> Any:
        tensor = module.InferInput(name, list(array.shape), "FP32")
        tensor.set_data_from_numpy(array)
        return client.infer(model, [tensor], **how)

    call.client = client  # type: ignore[attr-defined]  # for the few tests that look at more
    yield call
    client.close()


def test_steps_run_in_the_order_of_their_data(infer: Callable[..., Any]) -> None:
    array = np.arange(8, dtype=np.float32).reshape(2, 4)
    assert np.array_equal(infer("twice", "X", array).as_numpy("Y"), array * 3)
    assert np.array_equal(infer("a_nested", "IN", array).as_numpy("OUT"), array * 3)
    with pytest.raises(InferenceServerException, match="batch-size must be <= 4"):
        infer("twice", "X", np.zeros((5, 4), np.float32))
    with pytest.raises(InferenceServerException, match="unexpected shape"):
        infer("twice", "X", np.zeros((1, 5), np.float32))


def test_a_step_whose_condition_is_not_met_is_left_out(infer: Callable[..., Any]) -> None:
    sure, unsure = np.full((1, 4), 0.9, np.float32), np.full((1, 4), 0.2, np.float32)
    answer = infer("cascade", "IN", sure)
    assert np.array_equal(answer.as_numpy("answer"), sure)
    assert answer.as_numpy("costly").shape == (0, 4)
    answer = infer("cascade", "IN", unsure)
    assert np.allclose(answer.as_numpy("answer"), unsure * 3)
    assert np.allclose(answer.as_numpy("costly"), unsure * 3)


def test_metadata_and_config_of_an_ensemble(
    served: tuple[ModelRegistry, FolderRepository, str, str], infer: Callable[..., Any]
) -> None:
    with tritonclient.grpc.InferenceServerClient(served[3]) as client:
        config = client.get_model_config("twice").config
        assert (config.platform, config.max_batch_size) == ("ensemble", 4)
        assert [dict(step.input_map) for step in config.ensemble_scheduling.step] == [
            {"A": "X", "B": "X"},
            {"A": "mid", "B": "X"},
        ]
    with tritonclient.http.InferenceServerClient(served[2]) as client:
        assert client.get_model_metadata("twice")["inputs"] == [{"name": "X", "datatype": "FP32", "shape": [-1, 4]}]
    before = served[0].find("twice").statistics.to_json("", "")
    parts = served[0].find("add").statistics.to_json("", "")["inference_count"]
    infer("twice", "X", np.zeros((2, 4), np.float32))
    after = served[0].find("twice").statistics.to_json("", "")
    assert after["inference_count"] - before["inference_count"] == 2
    assert after["execution_count"] - before["execution_count"] == 1
    assert served[0].find("add").statistics.to_json("", "")["inference_count"] - parts == 4


def test_a_missing_step_is_an_error(served: tuple[ModelRegistry, FolderRepository, str, str], infer: Callable[..., Any]) -> None:
    served[1].unload("cheap")
    try:
        with pytest.raises(InferenceServerException, match="step 'cheap'"):
            infer("cascade", "IN", np.zeros((1, 4), np.float32))
    finally:
        served[1].load("cheap")
    infer("cascade", "IN", np.zeros((1, 4), np.float32))


def states(address: str) -> dict[str, tuple[str, str]]:
    """State and reason of each version in the index."""
    with tritonclient.http.InferenceServerClient(address) as client:
        return {row["name"]: (row["state"], row.get("reason", "")) for row in client.get_model_repository_index()}


def test_an_ensemble_is_unavailable_without_its_parts(served: tuple[ModelRegistry, FolderRepository, str, str]) -> None:
    """In the index, in both protocols and in the metrics; and available again with the part."""
    repository, address, grpc = served[1:]
    waiting = "waiting for 'add', which is not served"
    repository.unload("add")
    try:
        found = states(address)
        assert found["twice"] == ("UNAVAILABLE", waiting)
        assert found["a_nested"] == ("UNAVAILABLE", f"waiting for 'twice', which is {waiting}")
        assert found["cheap"] == ("READY", "")
        status, body = get(address, "/v2/models/twice/ready")
        assert (status, json.loads(body)) == (503, {"error": f"model 'twice' is {waiting}"})
        status, body = get(address, "/v1/models/twice")
        state = json.loads(body)["model_version_status"][0]
        assert (state["state"], state["status"]) == ("END", {"error_code": "UNAVAILABLE", "error_message": waiting})
        assert b'edgefleet_model_out_of_service{model="twice",version="1"} 1' in get(address, "/metrics")[1]
        with tritonclient.grpc.InferenceServerClient(grpc) as client:
            assert not client.is_model_ready("twice")
            rows = {row.name: row.state for row in client.get_model_repository_index().models}
            assert (rows["twice"], rows["cheap"]) == ("UNAVAILABLE", "READY")
            assert "twice" not in {row["name"] for row in repository.index(ready=True)}
    finally:
        repository.load("add")
    assert states(address)["a_nested"] == states(address)["twice"] == ("READY", "")
    assert get(address, "/v2/models/twice/ready")[0] == 200
    assert b'edgefleet_model_out_of_service{model="twice",version="1"} 0' in get(address, "/metrics")[1]


def test_an_ensemble_reports_a_part_that_is_out_of_service(served: tuple[ModelRegistry, FolderRepository, str, str]) -> None:
    """Its calls still reach the part, which needs one as a trial to be in service again."""
    catalogue, repository, address, _ = served
    part = catalogue.find("add")
    for _ in range(part.config.faults_max):
        part.availability.record(FaultError("the device is lost"), part.signature)
    try:
        state, reason = states(address)["twice"]
        assert state == "UNAVAILABLE"
        assert reason.startswith("waiting for 'add', which is out of service after 8 failures in a row: the device is lost")
        part.availability.admit("add", time.monotonic() + 3600.0)  # the pause is over
        part.availability.record({}, part.signature)
        assert states(address)["twice"] == ("READY", "")
    finally:
        repository.load("add")


def test_an_ensemble_follows_a_part_with_other_tensors(tmp_path: Path) -> None:
    put_models(tmp_path)
    put_ensemble(tmp_path, "twice", TWICE.replace("max_batch_size = 4\n", ""))
    catalogue, repository, faults = opened(tmp_path)
    try:
        assert faults == []
        before = catalogue.find("twice")
        repository.load("add")
        assert catalogue.find("twice") is before, "its parts are the same"
        put_model(tmp_path, "add", onnx_file.add(("n", 5)))
        repository.load("add")
        assert [spec.shape for spec in catalogue.find("twice").signature.inputs] == [(-1, 5)]
        assert catalogue.find("twice").unavailable == ""
        put_model(tmp_path, "add", onnx_file.identity())
        repository.load("add")
        reason = "waiting for 'add', which has other tensors than when the ensemble was loaded"
        assert [row["reason"] for row in repository.index(ready=False) if row["name"] == "twice"] == [reason]
        put_model(tmp_path, "add", onnx_file.add(("n", 5)))
        repository.load("add")
        assert catalogue.find("twice").unavailable == ""
    finally:
        catalogue.close()


def get(address: str, path: str) -> tuple[int, bytes]:
    host, _, port = address.rpartition(":")
    line = http.client.HTTPConnection(host, int(port), timeout=30)
    try:
        line.request("GET", path)
        answer = line.getresponse()
        return answer.status, answer.read()
    finally:
        line.close()


STEP = "[[ensemble.step]]\nmodel = {model!r}\ninput_map = {{{inputs}}}\noutput_map = {{{outputs}}}\n"


def step(model: str, inputs: str, outputs: str, tail: str = "") -> str:
    return STEP.format(model=model, inputs=inputs, outputs=outputs) + tail


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (step("nothing", 'A = "X"', 'SUM = "Y"'), "unknown model"),
        (step("add", 'A = "X"', 'SUM = "Y"'), "input 'B' of model 'add'"),
        (step("add", 'A = "X", B = "X", C = "X"', 'SUM = "Y"'), "no input 'C'"),
        (step("add", 'A = "X", B = "X"', 'TOTAL = "Y"'), "no output 'TOTAL'"),
        (step("add", 'A = "Y", B = "X"', 'SUM = "Y"'), "cyclic dependency"),
        (step("add", 'A = "X", B = "Z"', 'SUM = "Y"') + step("add", 'A = "Y", B = "X"', 'SUM = "Z"'), "cyclic dependency"),
        (step("add", 'A = "X", B = "X"', 'SUM = "Y"') + step("bytes", 'INPUT = "Y"', 'OUTPUT = "Z"'), "is FP32, but"),
        (step("add", 'A = "X", B = "X"', 'SUM = "Y"') + step("wide", 'INPUT = "Y"', 'OUTPUT = "Z"'), "is [-1, 4], but"),
        (step("add", 'A = "X", B = "X"', 'SUM = "Y"') * 2, "require a condition"),
        (step("self", 'A = "X"', 'SUM = "Y"'), "step of itself"),
        (step("add", 'A = "X", B = "X"', 'SUM = "Y"', "when = {tensor = 'no', below = 1}"), "which does not exist"),
        (step("bytes", 'INPUT = "X"', 'OUTPUT = "Y"', "when = {tensor = 'X', below = 1}"), "not a number"),
        (step("add", 'A = "X", B = "X"', 'SUM = "Y"', "when = {tensor = 'X'}"), "at_least or below"),
        (step("add", 'A = "X", B = "X"', 'SUM = "Y"', "colour = 1"), "no 'colour'"),
        ("[ensemble]\noutputs = ['no']\n" + step("add", 'A = "X", B = "X"', 'SUM = "Y"'), "no step makes the output 'no'"),
        ("max_batch_size = 9\n" + step("add", 'A = "X", B = "X"', 'SUM = "Y"'), "exceeds that of its steps"),
        ("[ensemble]\nstep = []\n", "step: must have at least 1 entries"),
    ],
)
def test_what_cannot_work_is_refused_with_a_sentence(tmp_path: Path, text: str, message: str) -> None:
    put_models(tmp_path)
    put_model(tmp_path, "wide", onnx_file.identity("FP32", ("n", 5)))
    put_ensemble(tmp_path, "self", text)
    catalogue, _, faults = opened(tmp_path)
    assert len(faults) == 1
    assert message in faults[0]
    catalogue.close()


def test_ensembles_cannot_be_joined_into_a_circle(tmp_path: Path) -> None:
    put_models(tmp_path)
    put_ensemble(tmp_path, "one", step("add", 'A = "X", B = "X"', 'SUM = "Y"'))
    put_ensemble(tmp_path, "two", step("one", 'X = "X"', 'Y = "Y"'))
    catalogue, repository, faults = opened(tmp_path)
    assert faults == []
    (tmp_path / "one" / "1" / "model.toml").write_text(step("two", 'X = "X"', 'Y = "Y"'))
    with pytest.raises(CallError, match="step of itself"):
        repository.load("one")
    catalogue.close()


def test_calls_are_shared_out_exactly_and_counted_by_version(
    served: tuple[ModelRegistry, FolderRepository, str, str], infer: Callable[..., Any]
) -> None:
    catalogue = served[0]
    array = np.zeros((1, 16), np.float32)
    before = [catalogue.find("shared_out", version).statistics.success.count for version in "12"]
    for _ in range(40):
        infer("shared_out", "INPUT", array)
    after = [catalogue.find("shared_out", version).statistics.success.count for version in "12"]
    assert [now - then for now, then in zip(after, before, strict=True)] == [30, 10]


def test_shares_are_changed_while_it_runs(served: tuple[ModelRegistry, FolderRepository, str, str]) -> None:
    with tritonclient.http.InferenceServerClient(served[2]) as client:

        def shares(method: str, body: Any = None) -> tuple[int, Any]:
            ask = client._post if method == "POST" else client._get
            extra = {"request_body": json.dumps(body)} if method == "POST" else {}
            answer = ask(request_uri="v2/models/shared_out/split", headers=None, query_params=None, **extra)
            return answer.status_code, json.loads(answer.read())

        assert shares("GET") == (200, {"1": 3, "2": 1})
        assert shares("POST", {"2": 1}) == (200, {"2": 1})
        tensor = tritonclient.http.InferInput("INPUT", [1, 16], "FP32")
        tensor.set_data_from_numpy(np.zeros((1, 16), np.float32))
        assert {client.infer("shared_out", [tensor]).get_response()["model_version"] for _ in range(5)} == {"2"}
        assert client.infer("shared_out", [tensor], model_version="1").get_response()["model_version"] == "1"
        for wrong in ({"9": 1}, {"1": -1}, {"1": "x"}, {"1": 0}):
            assert shares("POST", wrong)[0] in (400, 404)
        assert shares("GET") == (200, {"2": 1})
        served[1].load("shared_out")  # back to the configuration of the file
        assert shares("GET") == (200, {"1": 3, "2": 1})


@given(st.dictionaries(st.sampled_from("abcdef"), st.integers(0, 20), min_size=1).filter(lambda each: sum(each.values()) > 0))
def test_shares_are_exact_over_any_round(weights: dict[str, int]) -> None:
    split = TrafficSplit(weights)
    chosen = Counter(split.choose() for _ in range(3 * sum(weights.values())))
    assert chosen == Counter({version: 3 * weight for version, weight in weights.items() if weight})
    assert split.choose_for(7) == split.choose_for(7)


@pytest.mark.parametrize("module", [tritonclient.http, tritonclient.grpc], ids=["http", "grpc"])
def test_unloading_an_ensemble_with_what_it_stands_on(
    served: tuple[ModelRegistry, FolderRepository, str, str], module: Any
) -> None:
    catalogue, repository = served[:2]
    with module.InferenceServerClient(served[2] if module is tritonclient.http else served[3]) as client:
        client.unload_model("a_nested")
        assert catalogue.versions("twice")
        for name in ("twice", "add"):
            client.unload_model(name)
        client.load_model("a_nested")
        assert catalogue.versions("twice"), "an ensemble loads its parts"
        client.unload_model("a_nested", unload_dependents=True)
        assert [name for name in ("a_nested", "twice", "add", "cheap") if catalogue.versions(name)] == ["cheap"]
        client.load_model("add")
        client.load_model("a_nested")
        client.unload_model("a_nested", unload_dependents=True)
    assert catalogue.versions("add"), "it was loaded by its own name"
    assert not catalogue.versions("twice")
    repository.load("a_nested")


@pytest.mark.parametrize("name", ["add", "cheap", "twice", "shared_out"])
def test_a_reported_configuration_can_be_sent_back(served: tuple[ModelRegistry, FolderRepository, str, str], name: str) -> None:
    """Tools read a configuration, change one number of it and load the model again with it."""
    config = served[0].find(name).config_to_json()
    with tritonclient.http.InferenceServerClient(served[2]) as client:
        client.load_model(name, config=json.dumps(config))
    assert served[0].find(name).config_to_json() == config
    served[1].load(name)


def test_steps_are_loaded_again_and_no_call_fails(served: tuple[ModelRegistry, FolderRepository, str, str]) -> None:
    catalogue, repository = served[:2]
    array = np.ones((1, 4), np.float32)
    answers: queue.Queue[Any] = queue.Queue()
    ending = threading.Event()

    def call() -> None:
        while not ending.is_set():
            done: queue.Queue[Any] = queue.Queue()
            target = catalogue.find("a_nested")
            catalogue.submit(target, "", InferenceRequest({"IN": array}), lambda answer, _, into=done: into.put(_copied(answer)))
            answers.put(done.get(timeout=30))

    callers = [threading.Thread(target=call) for _ in range(4)]
    for thread in callers:
        thread.start()
    for _ in range(15):
        for name in ("add", "twice", "a_nested"):
            repository.load(name)
    ending.set()
    for thread in callers:
        thread.join()
    found = [answers.get() for _ in range(answers.qsize())]
    assert len(found) > 15
    assert [each for each in found if not isinstance(each, np.ndarray)] == []
    assert all(np.array_equal(each, array * 3) for each in found)


def _copied(answer: Any) -> Any:
    return answer if isinstance(answer, CallError) else np.array(answer["OUT"])
