"""The same calls to a real Triton core and to our server give the same answers; each difference is in the list of differences.

pytest -m long tests/long/test_triton_core.py
"""

from __future__ import annotations

import contextlib
import http.client
import json
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from edgefleet_agent.pipeline.model.loaded_model import cpu_profile, installed_runtimes
from edgefleet_agent.serving.engine.model_registry import ModelRegistry
from edgefleet_agent.serving.frontend.listener_context import ListenerLimits
from edgefleet_agent.serving.frontend.server_state import Server
from edgefleet_agent.serving.models.model_source import LoadTarget
from edgefleet_agent.serving.models.repository import FolderRepository
from edgefleet_agent.serving.open_listeners import open_grpc, open_http
from edgefleet_agent.serving.protocol.shared_memory import SharedMemoryRegions
from tests.agent.serving import onnx_file
from tests.agent.serving.conftest import put_model
from tests.agent.serving.engine.sequences.test_sequence_batcher import CONTROLS, STATE
from tests.agent.serving.engine.test_ensembles import TWICE, put_ensemble
from tests.long import triton_core
from tests.long.triton_core import op, put_python_model
from tests.long.triton_differences import Probe, Served, check_section, compared
from tests.long.triton_probes import DIFFERENT, SAME

pytest.importorskip("tritonclient.http", reason="tritonclient[http,grpc] is not installed")

import tritonclient.grpc
import tritonclient.http
import tritonclient.utils.shared_memory as shm
from tritonclient.utils import InferenceServerException

pytestmark = [pytest.mark.long, pytest.mark.timeout(1800)]

LABELS = "\n".join(f"label {number}" for number in range(10))
IDLE_US = 60_000_000


@dataclass(frozen=True)
class Pair:
    """Both servers: addresses of theirs and of ours."""

    http: tuple[str, str]
    grpc: tuple[str, str]


def tensor_text(name: str, datatype: str, dims: list[int], extra: str = "") -> str:
    return f'{{ name: "{name}" data_type: TYPE_{"STRING" if datatype == "BYTES" else datatype} dims: {dims} {extra} }}'


def put_both(theirs: Path, ours: Path) -> None:
    for datatype in onnx_file.ELEMENTS:
        name, extra = f"identity_{datatype.lower()}", 'label_filename: "labels.txt"' if datatype == "FP32" else ""
        ends = f"input [{tensor_text('INPUT', datatype, [16])}]\noutput [{tensor_text('OUTPUT', datatype, [16], extra)}]\n"
        put_python_model(theirs, name, "max_batch_size: 16\n" + ends + op("identity"))
        put_model(ours, name, onnx_file.identity(datatype))
    (theirs / "identity_fp32/labels.txt").write_text(LABELS)
    (ours / "identity_fp32/1/labels.txt").write_text(LABELS)
    pair = ",".join(tensor_text(name, "FP32", [4]) for name in "AB")
    ends = f"input [{pair}]\noutput [{tensor_text('SUM', 'FP32', [4])}]\n"
    put_python_model(theirs, "add", f"max_batch_size: 8\n{ends}dynamic_batching {{ }}\n{op('add')}")
    put_model(ours, "add", onnx_file.add(), config="max_batch_size = 8\n[dynamic_batching]\n[[instance_group]]\ncount = 1\n")
    for version in "123":
        ends = f"input [{tensor_text('INPUT', 'FP32', [16])}]\noutput [{tensor_text('OUTPUT', 'FP32', [16])}]\n"
        policy = "max_batch_size: 16\nversion_policy { specific { versions: [1, 3] } }\n"
        put_python_model(theirs, "versions", policy + ends + op("identity"), version)
        put_model(ours, "versions", onnx_file.identity(), version, "[version_policy.specific]\nversions = [1, 3]\n")
    put_sequences(theirs, ours)
    put_ensembles(theirs, ours)


def put_sequences(theirs: Path, ours: Path) -> None:
    kinds = {"START": "INT32", "END": "INT32", "READY": "INT32", "CORRID": "UINT64"}
    forms = {name: "data_type: TYPE_UINT64" if name == "CORRID" else "int32_false_true: [0, 1]" for name in kinds}
    controls = ",".join(
        f'{{ name: "{name}" control [ {{ kind: CONTROL_SEQUENCE_{name} {how} }} ] }}' for name, how in forms.items()
    )
    zero = 'initial_state { data_type: TYPE_FP32 dims: [1] zero_data: true name: "zero" }'
    state = f'state [ {{ input_name: "STATE" output_name: "NEXT" data_type: TYPE_FP32 dims: [1] {zero} }} ]'
    batching = f"max_sequence_idle_microseconds: {IDLE_US} direct {{ }} control_input [{controls}] {state}"
    outputs = [tensor_text("OUTPUT", "FP32", [1]), *(tensor_text(f"{name}_WAS", kind, [1]) for name, kind in kinds.items())]
    ends = f"input [{tensor_text('INPUT', 'FP32', [1])}]\noutput [{','.join(outputs)}]\n"
    config = f"max_batch_size: 4\n{ends}sequence_batching {{ {batching} }}\n"
    put_python_model(theirs, "sum", config + op("accumulate"))
    head = f"max_batch_size = 4\n[sequence_batching]\nmax_sequence_idle_microseconds = {IDLE_US}\n[[instance_group]]\ncount = 1\n"
    put_model(ours, "sum", onnx_file.accumulator(), config=head + CONTROLS + STATE)


def put_ensembles(theirs: Path, ours: Path) -> None:
    (theirs / "twice/1").mkdir(parents=True)
    maps = ({"A": "X", "B": "X", "SUM": "mid"}, {"A": "mid", "B": "X", "SUM": "Y"})
    steps = ",".join(
        '{ model_name: "add" model_version: -1 '
        + "".join(f'input_map {{ key: "{key}" value: "{each[key]}" }} ' for key in "AB")
        + f'output_map {{ key: "SUM" value: "{each["SUM"]}" }} }}'
        for each in maps
    )
    ends = f"input [{tensor_text('X', 'FP32', [4])}]\noutput [{tensor_text('Y', 'FP32', [4])}]\n"
    text = f'name: "twice"\nplatform: "ensemble"\nmax_batch_size: 4\n{ends}ensemble_scheduling {{ step [ {steps} ] }}\n'
    (theirs / "twice/config.pbtxt").write_text(text)
    put_ensemble(ours, "twice", TWICE)


@contextlib.contextmanager
def served_here(root: Path) -> Iterator[Served]:
    """Our server over a repository."""
    catalogue = ModelRegistry()
    repository = FolderRepository([root], catalogue, LoadTarget(tuple(installed_runtimes()), cpu_profile()))
    assert repository.load_all() == []
    server = Server("edgefleet", "test", SharedMemoryRegions(allowed=True))
    http_listener = open_http("127.0.0.1:0", catalogue, repository, server, ListenerLimits())
    grpc_listener = open_grpc("127.0.0.1:0", catalogue, repository, server, ListenerLimits())
    try:
        yield Served(http_listener.address, grpc_listener.address)
    finally:
        grpc_listener.close()
        http_listener.close()
        catalogue.close()


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    scratch = tmp_path_factory.mktemp("triton")
    packages = triton_core.environment(scratch)
    theirs, ours = scratch / "theirs", scratch / "ours"
    put_both(theirs, ours)
    with served_here(ours) as served, triton_core.running(packages, theirs, scratch) as core:
        yield Pair((core.http, served.http), (core.grpc, served.grpc))


def ask(address: str, method: str, path: str, body: bytes = b"", headers: dict[str, str] | None = None) -> tuple[int, bytes]:
    host, _, port = address.rpartition(":")
    connection = http.client.HTTPConnection(host, int(port), timeout=30)
    try:
        connection.request(method, path, body or None, headers or {})
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def send(address: str, method: str, path: str, body: Any = b"", raw: bytes | None = None) -> tuple[int, Any]:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    headers = {} if raw is None else {"Inference-Header-Content-Length": str(len(data))}
    status, answer = ask(address, method, path, data + (raw or b""), headers)
    try:
        return status, json.loads(answer)
    except ValueError:
        return status, answer


def probe_text(probe: tuple[Any, ...]) -> str:
    return " ".join(str(part)[:60] for part in probe)


def test_http_answers_are_the_same(pair: Pair) -> None:
    """The order matters: some probes change state."""
    wrong: list[str] = []
    for probe in SAME:
        theirs, ours = (send(address, *probe) for address in pair.http)
        if theirs[0] != ours[0] or _essence(*theirs) != _essence(*ours):
            wrong.append(f"{probe_text(probe)}: theirs {theirs}, ours {ours}")
    assert not wrong, "\n".join(wrong)


def _essence(status: int, answer: Any) -> Any:
    """The part that must be equal: a whole answer; of an error only its fields."""
    if status != 200 and isinstance(answer, dict):
        return sorted(answer)
    return _sorted(answer)


def _sorted(value: Any) -> Any:
    """Without the order of fields, and without what only ours lists: `NAME.picture` beside packages is none here."""
    if isinstance(value, dict):
        return {key: _sorted(value[key]) for key in sorted(value)}
    return [_sorted(each) for each in value] if isinstance(value, list) else repr(value)


def status_of(probe: tuple[Any, ...]) -> Callable[[Served], str]:
    return lambda served: str(send(served.http, *probe)[0])


def empty_or_json(path: str, method: str = "GET") -> Callable[[Served], str]:
    def outcome(served: Served) -> str:
        status, body = ask(served.http, method, path)
        return f"{status}, {'JSON' if body else 'empty body'}"

    return outcome


def unknown_coding(served: Served) -> str:
    return str(ask(served.http, "POST", "/v2/models/add/infer", b"x", {"Content-Encoding": "br"})[0])


def registered_twice(served: Served) -> str:
    key = f"/edgefleet-{uuid.uuid4().hex}"
    region = shm.create_shared_memory_region("twice", key, 64)
    try:
        with tritonclient.grpc.InferenceServerClient(served.grpc) as client:
            client.register_system_shared_memory("twice", key, 64)
            try:
                client.register_system_shared_memory("twice", key, 64)
            except InferenceServerException as error:
                return str(error.status()).removeprefix("StatusCode.")
            finally:
                client.unregister_system_shared_memory("twice")
            return "OK"
    finally:
        shm.destroy_shared_memory_region(region)


def output_beyond_region(served: Served) -> str:
    key = f"/edgefleet-{uuid.uuid4().hex}"
    region = shm.create_shared_memory_region("small", key, 32)
    try:
        with tritonclient.http.InferenceServerClient(served.http) as client:
            client.register_system_shared_memory("small", key, 32)
            requested = tritonclient.http.InferRequestedOutput("OUTPUT")
            requested.set_shared_memory("small", 32)
            try:
                client.infer("identity_fp32", [tensor(tritonclient.http, "FP32")], outputs=[requested])
            except InferenceServerException as error:
                return str(error.status())
            finally:
                client.unregister_system_shared_memory("small")
            return "200"
    finally:
        shm.destroy_shared_memory_region(region)


def parameters_of_an_ensemble(served: Served) -> str:
    body = {"inputs": [{"name": "X", "shape": [1, 4], "datatype": "FP32", "data": [1, 2, 3, 4]}]}
    _, answer = send(served.http, "POST", "/v2/models/twice/infer", body)
    return ", ".join(f"`{name}`" for name in sorted(answer.get("parameters", {}))) or "none"


PROBES = [
    *(Probe(what, status_of(probe)) for what, probe in DIFFERENT),
    *(Probe(f"`{path}`", empty_or_json(path)) for path in ("/v2/health/live", "/v2/health/ready", "/v2/models/add/ready")),
    Probe("`load` and `unload`", empty_or_json("/v2/repository/models/identity_int8/load", "POST")),
    Probe("an unknown `Content-Encoding`", unknown_coding),
    Probe("registering a region that is registered, gRPC", registered_twice),
    Probe("an output that does not fit its region", output_beyond_region),
    Probe("parameters in the answer of an ensemble", parameters_of_an_ensemble),
]


def test_http_differences_are_the_listed_ones(pair: Pair) -> None:
    theirs, ours = (Served(*addresses) for addresses in zip(pair.http, pair.grpc, strict=True))
    check_section("protocol", compared(PROBES, theirs, ours))


METADATA = ("add", "versions", "sum", "twice", *(f"identity_{datatype.lower()}" for datatype in onnx_file.ELEMENTS))


@pytest.mark.parametrize("name", METADATA)
def test_metadata_and_configuration_say_the_same(pair: Pair, name: str) -> None:
    theirs, ours = (send(address, "GET", f"/v2/models/{name}")[1] for address in pair.http)
    assert {key: theirs[key] for key in theirs if key != "platform"} == {key: ours[key] for key in ours if key != "platform"}
    theirs, ours = (send(address, "GET", f"/v2/models/{name}/config")[1] for address in pair.http)
    for key in ("name", "max_batch_size", "version_policy"):
        assert theirs[key] == ours[key], key
    for key in ("input", "output"):
        assert [_pick(each) for each in theirs[key]] == [_pick(each) for each in ours[key]]
    assert ("sequence_batching" in theirs, "ensemble_scheduling" in theirs) == (
        "sequence_batching" in ours,
        "ensemble_scheduling" in ours,
    )
    if "sequence_batching" in theirs:
        assert theirs["sequence_batching"]["control_input"] == ours["sequence_batching"]["control_input"]
    if "ensemble_scheduling" in theirs:
        assert theirs["ensemble_scheduling"] == ours["ensemble_scheduling"]
    with (
        tritonclient.grpc.InferenceServerClient(pair.grpc[0]) as first,
        tritonclient.grpc.InferenceServerClient(pair.grpc[1]) as second,
    ):
        configs = [client.get_model_config(name).config for client in (first, second)]
        assert configs[0].max_batch_size == configs[1].max_batch_size
        assert [each.dims for each in configs[0].input] == [each.dims for each in configs[1].input]
        assert configs[0].version_policy == configs[1].version_policy
        assert configs[0].WhichOneof("scheduling_choice") == configs[1].WhichOneof("scheduling_choice")


def _pick(described: dict[str, Any]) -> dict[str, Any]:
    return {key: described[key] for key in ("name", "data_type", "dims")}


def tensor(module: ModuleType, datatype: str) -> Any:
    if datatype == "BYTES":
        array = np.array([[b"", b"\xc3\xa4", *[b"x"] * 14]], np.object_)
    elif datatype == "BF16":
        array = np.arange(16).astype(pytest.importorskip("ml_dtypes").bfloat16).reshape(1, 16)
    else:
        array = np.arange(16).astype(tritonclient.utils.triton_to_np_dtype(datatype)).reshape(1, 16)
    made = module.InferInput("INPUT", [1, 16], datatype)
    made.set_data_from_numpy(array)
    return made


@pytest.mark.parametrize("module", [tritonclient.http, tritonclient.grpc], ids=["http", "grpc"])
@pytest.mark.parametrize("datatype", onnx_file.ELEMENTS)
def test_every_datatype_gives_the_same_bytes(pair: Pair, module: ModuleType, datatype: str) -> None:
    answers = []
    for address in pair.http if module is tritonclient.http else pair.grpc:
        with module.InferenceServerClient(address) as client:
            result = client.infer(f"identity_{datatype.lower()}", [tensor(module, datatype)], request_id="7")
            answers.append((result.as_numpy("OUTPUT").tolist(), str(result.get_output("OUTPUT"))))
    assert answers[0] == answers[1]


def codes(address: str) -> list[str]:
    """Answers of a gRPC server to a list of calls."""
    found: list[str] = []
    with tritonclient.grpc.InferenceServerClient(address) as client:

        def of(name: str, call: Any) -> None:
            try:
                answer = call()
                found.append(f"{name}: {answer if isinstance(answer, bool) else 'OK'}")
            except InferenceServerException as error:
                found.append(f"{name}: {error.status()}")

        def ask_model(model: str, version: str = "", **how: Any) -> Any:
            shape = how.pop("shape", [1, 16])
            made = tritonclient.grpc.InferInput(how.pop("name", "INPUT"), shape, "FP32")
            made.set_data_from_numpy(np.zeros(shape, np.float32))
            return lambda: (client.infer(model, [made], version, **how), None)[1]

        of("ready", lambda: client.is_model_ready("add"))
        of("ready of none", lambda: client.is_model_ready("nothing"))
        of("ready of no version", lambda: client.is_model_ready("add", "9"))
        of("metadata of none", lambda: client.get_model_metadata("nothing"))
        of("metadata of no version", lambda: client.get_model_metadata("add", "9"))
        of("config of none", lambda: client.get_model_config("nothing"))
        of("statistics of none", lambda: client.get_inference_statistics("nothing"))
        of("statistics", client.get_inference_statistics)
        of("trace of none", lambda: client.get_trace_settings("nothing"))
        of("trace", client.get_trace_settings)
        of("trace file", lambda: client.update_trace_settings(settings={"trace_file": "/tmp/x"}))
        of("log", client.get_log_settings)
        of("log file", lambda: client.update_log_settings({"log_file": "/tmp/x"}))
        of("infer", ask_model("identity_fp32"))
        of("infer of none", ask_model("nothing"))
        of("infer of no version", ask_model("identity_fp32", "9"))
        of("wrong input", ask_model("identity_fp32", name="OTHER"))
        of("wrong shape", ask_model("identity_fp32", shape=[1, 15]))
        of("wrong output", ask_model("identity_fp32", outputs=[tritonclient.grpc.InferRequestedOutput("NO")]))
        of("no sequence", ask_model("sum", shape=[1, 1]))
        of("sequence without a start", ask_model("sum", shape=[1, 1], sequence_id=55))
        of("region of none", lambda: client.get_system_shared_memory_status("none"))
        of("unregister of none", lambda: client.unregister_system_shared_memory("none"))
        of("unregister cuda", client.unregister_cuda_shared_memory)
        of("index", client.get_model_repository_index)
    return found


def test_grpc_codes_are_the_same(pair: Pair) -> None:
    theirs, ours = (codes(address) for address in pair.grpc)
    assert ours == theirs


def test_shared_memory_answers_are_the_same(pair: Pair) -> None:
    for module, addresses in ((tritonclient.http, pair.http), (tritonclient.grpc, pair.grpc)):
        answers = []
        for address in addresses:
            key = f"/edgefleet-{uuid.uuid4().hex}"
            region = shm.create_shared_memory_region("mine", key, 256)
            shm.set_shared_memory_region(region, [np.arange(16, dtype=np.float32)])
            with module.InferenceServerClient(address) as client:
                client.register_system_shared_memory("mine", key, 256)
                made = module.InferInput("INPUT", [1, 16], "FP32")
                made.set_shared_memory("mine", 64)
                requested_output = module.InferRequestedOutput("OUTPUT")
                requested_output.set_shared_memory("mine", 64, offset=128)
                response = str(client.infer("identity_fp32", [made], outputs=[requested_output]).get_response())
                values = shm.get_contents_as_numpy(region, np.float32, [16], offset=128).tolist()
                refused = []
                for size, offset, name in ((60, 0, "mine"), (64, 250, "mine"), (64, 0, "other")):
                    made.set_shared_memory(name, size, offset)
                    with pytest.raises(InferenceServerException) as caught:
                        client.infer("identity_fp32", [made])
                    refused.append(caught.value.status())
                client.unregister_system_shared_memory()
            shm.destroy_shared_memory_region(region)
            answers.append((response, values, refused))
        assert answers[0] == answers[1]


def test_statistics_count_the_same(pair: Pair) -> None:
    counts = []
    for address in pair.http:
        before = _counts(address)
        with tritonclient.http.InferenceServerClient(address) as client:
            for rows in (1, 1, 3):
                made = []
                for name in "AB":
                    made.append(tritonclient.http.InferInput(name, [rows, 4], "FP32"))
                    made[-1].set_data_from_numpy(np.ones((rows, 4), np.float32))
                client.infer("add", made)
            with pytest.raises(InferenceServerException):
                client.infer("add", made[:1])
        after = _counts(address)
        counts.append({key: after[key] - before.get(key, 0) for key in after})
    assert counts[0] == counts[1]


def _counts(address: str) -> dict[str, int]:
    stats = send(address, "GET", "/v2/models/add/stats")[1]["model_stats"][0]
    found = {key: stats[key] for key in ("inference_count", "execution_count")}
    found |= {key: value["count"] for key, value in stats["inference_stats"].items()}
    return found | {f"batch {each['batch_size']}": each["compute_infer"]["count"] for each in stats["batch_stats"]}


def test_an_ensemble_gives_the_same(pair: Pair) -> None:
    """Triton adds parameters of a sequence that were not requested; the tensors are the same."""
    body = {"inputs": [{"name": "X", "shape": [1, 4], "datatype": "FP32", "data": [1, 2, 3, 4]}]}
    theirs, ours = (send(address, "POST", "/v2/models/twice/infer", body) for address in pair.http)
    assert theirs[0] == ours[0] == 200
    assert theirs[1]["outputs"] == ours[1]["outputs"]


def test_the_last_answer_of_a_stream_is_marked_the_same(pair: Pair) -> None:
    import queue

    marks = []
    for address in pair.grpc:
        for requested in (False, True):
            answers: queue.Queue[tuple[Any, Any]] = queue.Queue()
            client = tritonclient.grpc.InferenceServerClient(address)
            client.start_stream(lambda result, error, into=answers: into.put((result, error)))
            client.async_stream_infer("identity_fp32", [tensor(tritonclient.grpc, "FP32")], enable_empty_final_response=requested)
            result, _ = answers.get(timeout=30)
            marks.append({key: str(value) for key, value in result.get_response().parameters.items()})
            client.stop_stream()
            client.close()
    assert marks[:2] == marks[2:]
