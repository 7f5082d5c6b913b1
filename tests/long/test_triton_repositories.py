"""The same repositories, with the same `config.pbtxt`, on a real Triton core and here: what is served, and how.

pytest -m long tests/long/test_triton_repositories.py

The core's wheel has no ONNX Runtime backend, so the test gives it one in Python: a few lines around the same runtime. Differences
are in the list of differences (see `triton_differences`).
"""

from __future__ import annotations

import contextlib
import json
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import onnxruntime
import pytest

from edgefleet_agent.backends.installed import cpu_profile, installed_runtimes
from edgefleet_agent.serving.engine.model_registry import ModelRegistry
from edgefleet_agent.serving.frontend.listener_context import ListenerLimits
from edgefleet_agent.serving.frontend.server_state import Server
from edgefleet_agent.serving.models.model_source import LoadTarget
from edgefleet_agent.serving.models.repository import ControlMode, FolderRepository
from edgefleet_agent.serving.models.repository_poller import RepositoryPoller
from edgefleet_agent.serving.open_listeners import open_http
from edgefleet_agent.serving.protocol.shared_memory import SharedMemoryRegions
from tests.agent.serving import onnx_file
from tests.long import triton_core
from tests.long.test_triton_core import ask, send
from tests.long.triton_differences import Probe, Served, check_section, compared

pytestmark = [pytest.mark.long, pytest.mark.timeout(900)]

POLL_S = 1.0
ONE = "instance_group { count: 1 kind: KIND_CPU }\n"
HEAD = f'platform: "onnxruntime_onnx"\nmax_batch_size: 4\n{ONE}'
ENDS = (
    'input {{ name: "INPUT" data_type: TYPE_FP32 dims: {0} }}\noutput {{ name: "OUTPUT" data_type: TYPE_FP32 dims: {0} {1} }}\n'
)
PLAIN = ENDS.format("[ 16 ]", "")

BACKEND = """
import json, os, sys
sys.path.append({site!r})
import onnxruntime
import triton_python_backend_utils as pb

class TritonPythonModel:
    @staticmethod
    def auto_complete_config(config):
        return config

    def initialize(self, args):
        config = json.loads(args["model_config"])
        folder = os.path.join(args["model_repository"], args["model_version"])
        self.session = onnxruntime.InferenceSession(
            os.path.join(folder, config["default_model_filename"]), providers=["CPUExecutionProvider"]
        )

    def execute(self, requests):
        return [self.run(request) for request in requests]

    def run(self, request):
        given = {{each.name(): each.as_numpy() for each in request.inputs()}}
        names = [each.name for each in self.session.get_outputs()]
        return pb.InferenceResponse([pb.Tensor(*pair) for pair in zip(names, self.session.run(names, given))])
"""

Servers = tuple[str, str]
"""HTTP addresses: theirs, ours."""


def put(root: Path, name: str, config: str, data: bytes = b"", *versions: str) -> None:
    for version in versions or ("1",):
        (root / name / version).mkdir(parents=True, exist_ok=True)
        if data:
            (root / name / version / "model.onnx").write_bytes(data)
    (root / name / "config.pbtxt").write_text(config)


def ensemble(*models: str, dims: str = "16") -> str:
    tensors = ["X", *(f"t{index}" for index in range(1, len(models))), "Y"]
    steps = ",".join(
        f'{{ model_name: "{model}" model_version: -1 input_map {{ key: "INPUT" value: "{source}" }} '
        f'output_map {{ key: "OUTPUT" value: "{target}" }} }}'
        for model, source, target in zip(models, tensors[:-1], tensors[1:], strict=True)
    )
    ends = PLAIN.replace('"INPUT"', '"X"').replace('"OUTPUT"', '"Y"').replace("16", dims)
    return f'platform: "ensemble"\nmax_batch_size: 4\n{ends}ensemble_scheduling {{ step [ {steps} ] }}\n'


def sequence_config(strategy: str = "direct { }") -> str:
    kinds = {"START": "int32_false_true: [0, 1]", "END": "int32_false_true: [0, 1]", "READY": "int32_false_true: [0, 1]"}
    kinds["CORRID"] = "data_type: TYPE_UINT64"
    controls = ",".join(f'{{ name: "{name}" control {{ kind: CONTROL_SEQUENCE_{name} {how} }} }}' for name, how in kinds.items())
    state = 'state { input_name: "STATE" output_name: "NEXT" data_type: TYPE_FP32 dims: 1\n'
    state += 'initial_state { data_type: TYPE_FP32 dims: 1 zero_data: true name: "z" } }'
    outputs = [("OUTPUT", "FP32"), *((f"{name}_WAS", "UINT64" if name == "CORRID" else "INT32") for name in kinds)]
    ends = 'input { name: "INPUT" data_type: TYPE_FP32 dims: 1 }\n'
    ends += "".join(f'output {{ name: "{name}" data_type: TYPE_{kind} dims: 1 }}\n' for name, kind in outputs)
    return f"{HEAD}{ends}sequence_batching {{ {strategy} control_input [ {controls} ]\n{state} }}\n"


def put_all(root: Path) -> None:
    identity = onnx_file.identity()
    put(root, "plain", HEAD + PLAIN, identity)
    for name, policy in {
        "latest": "latest { num_versions: 2 }",
        "all": "all { }",
        "specific": "specific { versions: [ 1, 10 ] }",
    }.items():
        put(root, name, f"{HEAD}{PLAIN}version_policy {{ {policy} }}\n", identity, "1", "2", "10")
    put(root, "newest", HEAD + PLAIN, identity, "1", "2", "10")
    put(root, "labelled", HEAD + ENDS.format("[ 16 ]", 'label_filename: "names.txt"'), identity)
    (root / "labelled/names.txt").write_text("\n".join(f"label {number}" for number in range(10)))
    put(root, "shaped", HEAD + ENDS.format("[ 4, 4 ] reshape { shape: [ 16 ] }", ""), identity)
    put(root, "unbatched", f'backend: "onnxruntime"\n{ONE}' + ENDS.format("[ -1, 16 ]", ""), identity)
    put(root, "sum", sequence_config(), onnx_file.accumulator())
    put(root, "oldest", sequence_config("oldest { max_candidate_sequences: 4 }"), onnx_file.accumulator())
    put(root, "once", ensemble("plain"))
    put(root, "twice", ensemble("plain", "newest"))
    # What cannot be served.
    put(root, "field", 'platform: "onnxruntime_onnx"\nmax_batch: 4\n' + PLAIN, identity)
    put(root, "syntax", HEAD + PLAIN + "}", identity)
    put(root, "backend", 'platform: "tensorrt_plan"\nmax_batch_size: 4\n' + PLAIN, identity)
    put(root, "renamed", 'name: "other"\n' + HEAD + PLAIN, identity)
    put(root, "missing", HEAD + PLAIN + "version_policy { specific { versions: 9 } }", identity)
    put(root, "narrow", ensemble("plain", dims="15"))
    put(root, "lost", ensemble("nothing"))
    (root / "empty").mkdir()
    (root / "empty/config.pbtxt").write_text(HEAD + PLAIN)


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return triton_core.environment(tmp_path_factory.mktemp("wheel"))


class Both:
    """Both servers over copies of one repository."""

    def __init__(self, theirs: Path, ours: Path, addresses: Servers, poller: RepositoryPoller | None) -> None:
        self.roots = (theirs, ours)
        self.addresses = addresses
        self.poller = poller

    def ask(self, method: str, path: str, body: Any = b"", raw: bytes | None = None) -> list[tuple[int, Any]]:
        return [send(address, method, path, body, raw) for address in self.addresses]

    def states(self) -> list[set[tuple[str, str]]]:
        """The served versions of both."""
        return [
            {(row["name"], row["version"]) for row in send(address, "POST", "/v2/repository/index", {"ready": True})[1]}
            for address in self.addresses
        ]

    def settled(self, accept: Callable[[set[tuple[str, str]]], bool]) -> bool:
        """Wait until both serve what is accepted."""
        ends_s = time.monotonic() + 20
        while time.monotonic() < ends_s:
            if all(accept(each) for each in self.states()):
                return True
            time.sleep(0.2)
        return False


@contextlib.contextmanager
def served_here(root: Path, control: ControlMode, options: Sequence[str]) -> Iterator[tuple[Served, RepositoryPoller | None]]:
    """Our server over a repository, with the options of Triton's that say what is loaded."""
    catalogue = ModelRegistry()
    repository = FolderRepository([root], catalogue, LoadTarget(tuple(installed_runtimes()), cpu_profile()), control=control)
    chosen = [each.partition("=")[2] for each in options if each.startswith("--load-model=")]
    names = list(repository.found()) if "*" in chosen else chosen
    repository.load_all(names if control == "explicit" else None)
    server = Server("edgefleet", "test", SharedMemoryRegions(allowed=False))
    listener = open_http("127.0.0.1:0", catalogue, repository, server, ListenerLimits())
    poller = RepositoryPoller(repository, POLL_S) if control == "poll" else None
    if poller is not None:
        poller.start()
    try:
        yield Served(listener.address, ""), poller
    finally:
        if poller is not None:
            poller.close()
        listener.close()
        catalogue.close()


@pytest.fixture
def both(request: pytest.FixtureRequest, packages: Path, tmp_path: Path) -> Iterator[Both]:
    control, *options = request.param
    theirs, ours = tmp_path / "theirs", tmp_path / "ours"
    put_all(theirs)
    shutil.copytree(theirs, ours)
    backend = tmp_path / "backends/onnxruntime"
    backend.mkdir(parents=True)
    (backend / "model.py").write_text(BACKEND.format(site=str(Path(onnxruntime.__file__).parents[1])))
    settings = (f"--model-control-mode={control}", "--disable-auto-complete-config", *options)
    with (
        served_here(ours, control, options) as (served, poller),
        triton_core.running(packages, theirs, tmp_path, settings) as core,
    ):
        yield Both(theirs, ours, (core.http, served.http), poller)


def infer(name: str, shape: list[int], data: list[float], **parameters: Any) -> dict[str, Any]:
    tensor = {"name": name, "shape": shape, "datatype": "FP32", "data": data}
    return {"inputs": [tensor], **({"parameters": parameters} if parameters else {})}


ROW = [float(number) for number in range(16)]
CONTROLS = {"outputs": [{"name": f"{name}_WAS"} for name in ("START", "END", "READY", "CORRID")]}
"""Of a sequence only its controls are compared: Triton's Python backend has no implicit state."""
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("plain", infer("INPUT", [1, 16], ROW)),
    ("plain", infer("INPUT", [4, 16], ROW * 4)),
    ("plain", infer("INPUT", [5, 16], ROW * 5)),
    ("plain/versions/01", infer("INPUT", [1, 16], ROW)),
    ("newest", infer("INPUT", [1, 16], ROW)),
    ("latest/versions/2", infer("INPUT", [1, 16], ROW)),
    ("latest/versions/1", infer("INPUT", [1, 16], ROW)),
    ("specific/versions/2", infer("INPUT", [1, 16], ROW)),
    ("labelled", {**infer("INPUT", [1, 16], ROW), "outputs": [{"name": "OUTPUT", "parameters": {"classification": 8}}]}),
    ("plain", {**infer("INPUT", [1, 16], ROW), "outputs": [{"name": "OUTPUT", "parameters": {"classification": 2}}]}),
    ("shaped", infer("INPUT", [2, 4, 4], ROW * 2)),
    ("shaped", infer("INPUT", [2, 16], ROW * 2)),
    ("unbatched", infer("INPUT", [7, 16], ROW * 7)),
    ("once", infer("X", [1, 16], ROW)),
    ("twice", infer("X", [2, 16], ROW * 2)),
    ("twice", infer("X", [5, 16], ROW * 5)),
    ("field", infer("INPUT", [1, 16], ROW)),
    ("once", {**infer("X", [1, 16], ROW), "outputs": [{"name": "Y", "parameters": {"classification": 2}}]}),
    ("labelled", {**infer("INPUT", [2, 16], ROW * 2), "outputs": [{"name": "OUTPUT", "parameters": {"classification": 2}}]}),
    *(
        (f"{name}/versions/{version}", infer("INPUT", [1, 16], ROW))
        for name in ("all", "specific")
        for version in ("1", "2", "10")
    ),
    *(
        (name, infer("INPUT", [1, 1], [1.0], **parameters) | CONTROLS)
        for name in ("sum", "oldest")
        for parameters in (
            {},
            {"sequence_id": 8},
            {"sequence_id": 8, "sequence_start": True, "sequence_end": True},
            {"sequence_id": 8},
            {"sequence_id": 9, "sequence_start": True},
            {"sequence_id": 9, "sequence_start": True},
            {"sequence_id": 9},
            {"sequence_start": True},
            {"sequence_id": 9, "sequence_end": True},
            {"sequence_id": 9},
        )
    ),
    *(
        ("sum", infer("INPUT", [1, 1], [value], sequence_id=3, sequence_start=start, sequence_end=end) | CONTROLS)
        for value, start, end in ((1.0, True, False), (2.0, False, False), (3.0, False, True), (4.0, False, False))
    ),
]


def outcome(status: int, answer: Any) -> Any:
    """Status and outputs; of an error only the status."""
    return status, answer.get("outputs") if isinstance(answer, dict) else None


@pytest.mark.parametrize("both", [("explicit", "--load-model=*")], indirect=True)
def test_what_is_served_is_the_same(both: Both) -> None:
    theirs, ours = both.states()
    assert ours == theirs
    assert ("latest", "2") in ours
    assert ("latest", "1") not in ours
    wrong = []
    for name, body in CALLS:
        first, second = both.ask("POST", f"/v2/models/{name}/infer", body)
        if outcome(*first) != outcome(*second):
            wrong.append(f"{name}: theirs {first}, ours {second}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("both", [("explicit", "--load-model=plain")], indirect=True)
def test_a_configuration_of_triton_can_be_sent_to_load(both: Both) -> None:
    for name in ("plain", "latest", "labelled", "shaped", "unbatched", "sum", "twice"):
        loaded = both.ask("POST", f"/v2/repository/models/{name}/load")
        assert [status for status, _ in loaded] == [200, 200], (name, loaded)
        theirs, ours = (answer for _, answer in both.ask("GET", f"/v2/models/{name}/config"))
        for key in ("name", "platform", "backend", "version_policy", "max_batch_size", "input", "output"):
            assert ours[key] == theirs[key], (name, key)
        for key in ("sequence_batching", "ensemble_scheduling"):
            assert (key in ours) == (key in theirs)
        body = {"parameters": {"config": json.dumps(theirs)}}
        status, answer = send(both.addresses[1], "POST", f"/v2/repository/models/{name}/load", body)
        assert status == 200, (name, answer)
        again = send(both.addresses[1], "GET", f"/v2/models/{name}/config")[1]
        fields = ("input", "output", "max_batch_size")
        assert {key: again[key] for key in fields} == {key: ours[key] for key in fields}


@pytest.mark.parametrize("both", [("explicit", "--load-model=plain")], indirect=True)
def test_explicit_control_is_the_same(both: Both) -> None:
    assert both.states()[0] == both.states()[1] == {("plain", "1")}
    for path, body in (
        ("once/load", b""), ("once/unload", b""), ("plain/unload", b""), ("twice/load", b""),
        ("twice/unload", {"parameters": {"unload_dependents": True}}), ("twice/load", b""), ("once/load", b""),
        ("plain/unload", b""), ("plain/load", b""), ("newest/unload", b""), ("plain/load", b""), ("newest/load", b""),
        ("plain/unload", {"parameters": {"unload_dependents": True}}), ("plain/load", b""), ("latest/load", b""),
        ("all/load", b""), ("specific/load", b""), ("latest/unload", b""), ("specific/unload", b""), ("oldest/load", b""),
    ):  # fmt: skip
        theirs, ours = both.ask("POST", f"/v2/repository/models/{path}", body)
        assert theirs[0] == ours[0], path
        assert both.settled(lambda _: both.states()[0] == both.states()[1]), (path, both.states())


@pytest.mark.parametrize("both", [("none",), ("poll", "--repository-poll-secs=1")], indirect=True, ids=["none", "poll"])
def test_none_and_poll_refuse_callers(both: Both) -> None:
    for change in ("load", "unload"):
        theirs, ours = both.ask("POST", f"/v2/repository/models/plain/{change}")
        assert theirs[0] == ours[0] == 503
    theirs, ours = both.states()
    assert ours == theirs
    if both.poller is None:
        return
    for root in both.roots:
        shutil.copytree(root / "newest/10", root / "newest/11")
        (root / "all/config.pbtxt").write_text("max_batch: 1")
        shutil.rmtree(root / "plain")
    assert both.settled(lambda states: ("newest", "11") in states and ("plain", "1") not in states), both.states()
    assert all(("all", "1") in states for states in both.states()), "a failed reload keeps the versions before"
    assert both.settled(lambda states: ("once", "1") not in states and ("twice", "1") not in states), both.states()
    for root in both.roots:
        put(root, "plain", HEAD + PLAIN, onnx_file.identity())
    assert both.settled(lambda states: {("plain", "1"), ("once", "1"), ("twice", "1")} <= states), both.states()
    assert both.states()[0] == both.states()[1]


NON_FINITE = ", ".join(["NaN", "Infinity", "-Infinity", *["1.5"] * 13]).encode()


def model(name: str, change: str, **parameters: Any) -> Callable[[Served], tuple[int, Any]]:
    body = {"parameters": parameters} if parameters else b""
    return lambda served: send(served.http, "POST", f"/v2/repository/models/{name}/{change}", body)


def index_of(served: Served, name: str) -> tuple[str, str]:
    """State and reason of a model in the index, when it is settled."""
    ends_s = time.monotonic() + 20
    while True:
        rows = [row for row in send(served.http, "POST", "/v2/repository/index")[1] if row["name"] == name]
        state, reason = rows[0].get("state", ""), rows[0].get("reason", "")
        if state not in ("LOADING", "UNLOADING") or time.monotonic() > ends_s:
            return state, reason
        time.sleep(0.05)


def reason_of_a_fault(served: Served) -> str:
    model("field", "load")(served)
    return "file, line and fault" if "config.pbtxt:2: max_batch" in index_of(served, "field")[1] else "nothing"


def spared(served: Served) -> str:
    """Whether a part that was loaded by its own name survives `unload_dependents`."""
    for name in ("plain", "once"):
        model(name, "load")(served)
    model("once", "unload", unload_dependents=True)(served)
    return index_of(served, "plain")[0]


def without_part(ask: Callable[[Served], str]) -> Callable[[Served], str]:
    """The answer of an ensemble one of whose parts is unloaded."""

    def outcome(served: Served) -> str:
        for name in ("plain", "once"):
            model(name, "load")(served)
        model("plain", "unload")(served)
        index_of(served, "plain")
        found = ask(served)
        model("plain", "load")(served)
        return found

    return outcome


def with_part_again(served: Served) -> str:
    without_part(lambda _: "")(served)
    return index_of(served, "once")[0]


def status(method: str, path: str, body: Any = b"") -> Callable[[Served], str]:
    return lambda served: str(send(served.http, method, path, body)[0])


def numbers_of(path: str, body: bytes) -> Callable[[Served], str]:
    """Whether NaN and infinity go both ways."""

    def outcome(served: Served) -> str:
        code, answer = ask(served.http, "POST", path, body % NON_FINITE)
        return "as words" if code == 200 and NON_FINITE.replace(b" ", b"") in answer.replace(b" ", b"") else str(code)

    return outcome


INFER_PLAIN = b'{"inputs": [{"name": "INPUT", "shape": [1, 16], "datatype": "FP32", "data": [%b]}]}'
PART = "an ensemble, one of whose parts is unloaded"
PROBES = [
    Probe("`load` of a model whose `config.pbtxt` is not valid", lambda served: str(model("field", "load")(served)[0])),
    Probe("`reason` in the index of such a model", reason_of_a_fault),
    Probe("a part that was loaded by its own name, at `unload_dependents`", spared),
    Probe(f"{PART}: state in the index", without_part(lambda served: index_of(served, "once")[0])),
    Probe(f"{PART}: `reason` in the index", without_part(lambda served: index_of(served, "once")[1])),
    Probe(f"{PART}: `ready`", without_part(status("GET", "/v2/models/once/ready"))),
    Probe(f"{PART}: a call", without_part(status("POST", "/v2/models/once/infer", infer("X", [1, 16], ROW)))),
    Probe(f"{PART}: metadata, `config`", without_part(status("GET", "/v2/models/once"))),
    Probe(f"{PART}: metadata, `config`", without_part(status("GET", "/v2/models/once/config"))),
    Probe(f"{PART}: statistics", without_part(status("GET", "/v2/models/once/stats"))),
    Probe("an ensemble whose part is loaded again", with_part_again),
    Probe("`load` of a model that there is not", lambda served: str(model("nothing", "load")(served)[0])),
    Probe("`load` of a model without a version", lambda served: str(model("empty", "load")(served)[0])),
    Probe("`nan` instead of `NaN` in JSON", status("POST", "/v2/models/plain/infer", b'{"inputs": [nan]}')),
    Probe("NaN and infinity in `infer`", numbers_of("/v2/models/plain/infer", INFER_PLAIN)),
    Probe("NaN and infinity in `generate`", numbers_of("/v2/models/plain/generate", b'{"INPUT": [%b]}')),
    Probe("NaN and infinity in `generate_stream`", numbers_of("/v2/models/plain/generate_stream", b'{"INPUT": [%b]}')),
    Probe("NaN as a parameter", status("POST", "/v2/models/plain/generate", b'{"INPUT": [' + b"1," * 15 + b'1], "x": NaN}')),
]


@pytest.mark.parametrize("both", [("explicit", "--load-model=plain")], indirect=True)
def test_the_list_of_differences_is_true(both: Both) -> None:
    theirs, ours = (Served(address, "") for address in both.addresses)
    check_section("repositories", compared(PROBES, theirs, ours))
