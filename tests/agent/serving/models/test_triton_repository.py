"""Repositories of Triton: `config.pbtxt` decides what is served, and how."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from edgefleet_agent.backends.installed import cpu_profile, installed_runtimes
from edgefleet_agent.serving.engine.model_registry import ModelRegistry
from edgefleet_agent.serving.models.model_source import LoadTarget
from edgefleet_agent.serving.models.repository import ControlMode, FolderRepository
from edgefleet_agent.serving.models.repository_poller import RepositoryPoller
from edgefleet_agent.serving.protocol.errors import CallError, Code
from edgefleet_agent.serving.protocol.inference_request import InferenceRequest, RequestedOutput, classified
from tests.agent.serving import onnx_file
from tests.packages import MakePackage

HEAD = 'platform: "onnxruntime_onnx"\nmax_batch_size: 4\n'
INPUT = 'input [ { name: "INPUT" data_type: TYPE_FP32 dims: [ 16 ] } ]\n'
OUTPUT = 'output [ { name: "OUTPUT" data_type: TYPE_FP32 dims: [ 16 ] } ]\n'


@pytest.fixture
def catalogue() -> Iterator[ModelRegistry]:
    made = ModelRegistry()
    yield made
    made.close()


@pytest.fixture
def opened(catalogue: ModelRegistry, tmp_path: Path) -> Callable[..., FolderRepository]:
    def make(control: ControlMode = "") -> FolderRepository:
        target = LoadTarget(tuple(installed_runtimes()), cpu_profile())
        return FolderRepository([tmp_path], catalogue, target, control=control)

    return make


def put(root: Path, name: str, config: str, data: bytes | None = None, *versions: str) -> Path:
    """Write a model of Triton; data: None for `identity`, empty for versions without a file."""
    for version in versions or ("1",):
        (root / name / version).mkdir(parents=True, exist_ok=True)
        if data != b"":
            (root / name / version / "model.onnx").write_bytes(onnx_file.identity() if data is None else data)
    (root / name / "config.pbtxt").write_text(config)
    return root / name


def infer(catalogue: ModelRegistry, model: str, **inputs: Any) -> Any:
    """The answer as arrays."""
    answers: list[Any] = []

    def done(answer: Any, _: Any) -> None:
        answers.append(answer if isinstance(answer, CallError) else {name: np.array(each) for name, each in answer.items()})

    catalogue.find(model).submit(InferenceRequest(inputs), done)
    ends_s = time.monotonic() + 120
    while not answers and time.monotonic() < ends_s:
        time.sleep(0.005)
    return answers[0]


def reasons(repository: FolderRepository) -> dict[str, str]:
    return {row["name"]: row["reason"] for row in repository.index(ready=False) if row["state"] != "READY"}


def test_models_that_cannot_be_honoured_have_a_reason_and_the_others_serve(
    catalogue: ModelRegistry, tmp_path: Path, opened: Callable[..., FolderRepository]
) -> None:
    put(tmp_path, "good", HEAD + INPUT + OUTPUT)
    put(tmp_path, "python", 'backend: "python"\n' + INPUT, b"")
    put(tmp_path, "field", "max_batch: 3\n")
    put(tmp_path, "other", 'name: "another"\n' + HEAD)
    put(tmp_path, "dims", HEAD + INPUT.replace("16", "17"))
    put(tmp_path, "type", HEAD + INPUT.replace("FP32", "INT8"))
    put(tmp_path, "absent", HEAD + INPUT.replace('"INPUT"', '"IN"'))
    put(tmp_path, "labels", HEAD + OUTPUT.replace("] }", '] label_filename: "../x" }'))
    put(tmp_path, "filename", HEAD + 'default_model_filename: "other.onnx"\n')
    put(tmp_path, "fixed", HEAD, onnx_file.identity("FP32", (4, 16)))
    (tmp_path / "noversion").mkdir()
    (tmp_path / "noversion/config.pbtxt").write_text(HEAD)
    repository = opened()
    lines = repository.load_all()
    assert catalogue.names() == ["good"]
    expected = {
        "python": "config.pbtxt:1: backend: 'python' is not available",
        "field": "config.pbtxt:1: max_batch: is not a field",
        "other": "config.pbtxt:1: name: 'another' must be the name",
        "dims": "config.pbtxt:3: input[0].dims: give [-1, 17]",
        "type": "config.pbtxt:3: input[0].data_type: is TYPE_INT8",
        "absent": "config.pbtxt:3: input[0].name: the model has no input 'IN'",
        "labels": "config.pbtxt:3: output[0].label_filename: '../x' must be a path inside",
        "filename": "config.pbtxt:3: default_model_filename: ",
        "fixed": "config.pbtxt:2: max_batch_size: the model has no dynamic batch dimension",
        "noversion": "noversion: contains no version; add a folder with a number as its name",
    }
    found = reasons(repository)
    assert found.keys() == expected.keys()
    for name, text in expected.items():
        assert text in found[name], found[name]
        with pytest.raises(CallError, match=r"^Request for unknown model: .* is not found; failed to load: ") as caught:
            catalogue.find(name)
        assert text in str(caught.value)
        assert any(text in line and f"'{name}'" in line for line in lines)


def test_versions_files_and_labels(catalogue: ModelRegistry, tmp_path: Path, opened: Callable[..., FolderRepository]) -> None:
    model = put(tmp_path, "two", HEAD + "version_policy { latest { num_versions: 2 } }\n", None, "1", "2", "10")
    (model / "2/notes.onnx").write_bytes(b"noise")  # Triton takes model.onnx, too
    labelled = OUTPUT.replace("] }", '] label_filename: "names.txt" }')
    (put(tmp_path, "labelled", HEAD + labelled) / "names.txt").write_text("a\nb\nc\n")
    named = put(tmp_path, "named", HEAD + 'default_model_filename: "best.onnx"', b"")
    (named / "1/best.onnx").write_bytes(onnx_file.identity())
    assert opened().load_all() == []
    assert catalogue.versions("two") == ["2", "10"]
    signature = catalogue.find("labelled").signature
    rows = np.arange(16, dtype=np.float32).reshape(1, 16)[:, ::-1]
    assert classified(rows, RequestedOutput("OUTPUT", classes=2), signature).tolist() == [[b"15.000000:0:a", b"14.000000:1:b"]]
    assert catalogue.find("named").config_to_json()["default_model_filename"] == "best.onnx"


def test_reshape_and_a_selection_of_outputs(
    catalogue: ModelRegistry, tmp_path: Path, opened: Callable[..., FolderRepository]
) -> None:
    both = 'input { name: "INPUT" data_type: TYPE_FP32 dims: [ 4, 4 ] reshape { shape: [ 16 ] } }\n'
    back = 'output { name: "OUTPUT" data_type: TYPE_FP32 dims: [ 2, 8 ] reshape { shape: [ 16 ] } }\n'
    put(tmp_path, "shaped", HEAD + both + back)
    single = 'input { name: "INPUT" data_type: TYPE_FP32 dims: [ 1 ] reshape { shape: [ ] } }\n'
    put(tmp_path, "single", HEAD + single, onnx_file.identity("FP32", ("n",)))
    unbatched = INPUT.replace("[ 16 ]", "[ -1, 16 ]") + OUTPUT.replace("[ 16 ]", "[ -1, 16 ]")
    put(tmp_path, "unbatched", 'backend: "onnxruntime"\n' + unbatched)
    assert opened().load_all() == []
    signature = catalogue.find("shaped").signature
    assert [spec.shape for spec in (*signature.inputs, *signature.outputs)] == [(-1, 4, 4), (-1, 2, 8)]
    rows = np.arange(48, dtype=np.float32).reshape(3, 4, 4)
    assert np.array_equal(infer(catalogue, "shaped", INPUT=rows)["OUTPUT"], rows.reshape(3, 2, 8))
    assert infer(catalogue, "single", INPUT=np.ones((2, 1), np.float32))["OUTPUT"].shape == (2,)
    assert catalogue.find("unbatched").signature.batch == 0
    assert infer(catalogue, "unbatched", INPUT=np.ones((9, 16), np.float32))["OUTPUT"].shape == (9, 16)


def test_the_dims_of_a_configuration_hold_where_the_file_has_none(
    catalogue: ModelRegistry, tmp_path: Path, opened: Callable[..., FolderRepository]
) -> None:
    unranked = onnx_file.identity("FP32", None)
    put(tmp_path, "dims", 'backend: "onnxruntime"\n' + INPUT + OUTPUT, unranked)
    put(tmp_path, "batches", HEAD + INPUT + OUTPUT, unranked)
    single = 'input { name: "INPUT" data_type: TYPE_FP32 dims: [ 1 ] reshape { shape: [ ] } }\n'
    put(tmp_path, "single", 'backend: "onnxruntime"\n' + single, unranked)
    put(tmp_path, "silent", HEAD, unranked)
    repository = opened()
    repository.load_all()
    assert "max_batch_size: the model has no dynamic batch dimension" in reasons(repository)["silent"]
    assert infer(catalogue, "dims", INPUT=np.ones(16, np.float32))["OUTPUT"].shape == (16,)
    with pytest.raises(CallError, match=r"^unexpected shape for input 'INPUT' for model 'dims'. Expected \[16\], got \[2, 16\]"):
        infer(catalogue, "dims", INPUT=np.ones((2, 16), np.float32))
    assert catalogue.find("batches").signature.batch == 4
    assert infer(catalogue, "batches", INPUT=np.ones((3, 16), np.float32))["OUTPUT"].shape == (3, 16)
    assert infer(catalogue, "single", INPUT=np.ones(1, np.float32))["OUTPUT"].shape == ()


def test_an_optional_input_may_be_left_out_and_never_joins_a_batch_of_others(
    catalogue: ModelRegistry, tmp_path: Path, opened: Callable[..., FolderRepository]
) -> None:
    inputs = ",".join(f'{{ name: "{name}" data_type: TYPE_FP32 dims: [ 4 ] optional: true }}' for name in "AB")
    put(tmp_path, "add", HEAD + f"input [ {inputs} ]\ndynamic_batching {{ }}", onnx_file.add())
    assert opened().load_all() == []
    ones = np.ones((1, 4), np.float32)
    assert infer(catalogue, "add", A=ones, B=ones)["SUM"].tolist() == [[2.0] * 4]
    assert isinstance(infer(catalogue, "add", A=ones), CallError)  # the runtime needs it, and says so
    with pytest.raises(CallError, match="expected 2 inputs"):
        infer(catalogue, "add", A=ones, C=ones)


def test_controls_and_state_of_sequences_are_no_inputs(
    catalogue: ModelRegistry, tmp_path: Path, opened: Callable[..., FolderRepository]
) -> None:
    """The configuration names only the tensors of callers, as Triton's do."""
    controls = "".join(
        f'control_input {{ name: "{kind}" control {{ kind: CONTROL_SEQUENCE_{kind} {form} }} }}'
        for kind, form in {
            "START": "int32_false_true: [0, 1]",
            "END": "int32_false_true: [0, 1]",
            "READY": "int32_false_true: [0, 1]",
            "CORRID": "data_type: TYPE_UINT64",
        }.items()
    )
    state = 'state { input_name: "STATE" output_name: "NEXT" data_type: TYPE_FP32 dims: 1 }'
    ends = INPUT.replace("16", "1") + OUTPUT.replace("16", "1")
    put(tmp_path, "sum", f"{HEAD}{ends}sequence_batching {{ {controls} {state} }}", onnx_file.accumulator())
    assert opened().load_all() == []
    signature = catalogue.find("sum").signature
    assert [[spec.name for spec in side] for side in (signature.inputs, signature.outputs)] == [["INPUT"], ["OUTPUT"]]


def step(model: str, source: str, target: str) -> str:
    maps = f'input_map {{ key: "INPUT" value: "{source}" }} output_map {{ key: "OUTPUT" value: "{target}" }}'
    return f'{{ model_name: "{model}" model_version: -1 {maps} }}'


def ensemble(*steps: str, batch: int = 4, dims: int = 16) -> str:
    ends = "\n".join(
        f'{side} {{ name: "{name}" data_type: TYPE_FP32 dims: {dims} }}' for side, name in (("input", "X"), ("output", "Y"))
    )
    return f'platform: "ensemble"\nmax_batch_size: {batch}\n{ends}\nensemble_scheduling {{ step [ {",".join(steps)} ] }}\n'


def test_an_ensemble_loads_its_parts_and_unloads_those_that_have_no_caller(
    catalogue: ModelRegistry, tmp_path: Path, opened: Callable[..., FolderRepository]
) -> None:
    for name in ("first", "second"):
        put(tmp_path, name, HEAD + INPUT + OUTPUT)
    put(tmp_path, "both", ensemble(step("first", "X", "mid"), step("second", "mid", "Y")), b"")
    put(tmp_path, "narrow", ensemble(step("first", "X", "Y"), dims=15), b"")
    put(tmp_path, "round", ensemble(step("round", "X", "Y")), b"")
    repository = opened("explicit")
    assert repository.load_all(["both"]) == []
    assert sorted(catalogue.names()) == ["both", "first", "second"]
    rows = np.ones((2, 16), np.float32)
    assert np.array_equal(infer(catalogue, "both", X=rows)["Y"], rows)
    assert catalogue.find("both").config_to_json()["ensemble_scheduling"]["step"][0]["model_name"] == "first"
    repository.load("first")
    repository.unload("both", dependents=True)
    assert catalogue.names() == ["first"]
    with pytest.raises(CallError, match=r"config.pbtxt:3: input\[0\].dims"):
        repository.load("narrow")
    with pytest.raises(CallError, match="'round' cannot be a step of itself"):
        repository.load("round")


def test_config_pbtxt_wins_over_other_files_and_reports_it(
    catalogue: ModelRegistry, tmp_path: Path, opened: Callable[..., FolderRepository], package: MakePackage
) -> None:
    model = put(tmp_path, "m", HEAD + INPUT + OUTPUT)
    (model / "serving.toml").write_text("max_batch_size = 2\nthreads = 2\n")
    packaged = tmp_path / "p/1"
    shutil.copytree(package("mobilenet_v2"), packaged)
    (tmp_path / "p/config.pbtxt").write_text('platform: "litert_tflite"\ninstance_group { count: 2 }\n')
    lines = [line for line in opened().load_all() if "is not served" not in line]  # the folder of the package is no model
    assert catalogue.find("m").signature.batch == 4
    assert catalogue.find("p").engine.instances == 2
    assert [line.replace(str(tmp_path), "") for line in lines] == [
        "/m/config.pbtxt:2: max_batch_size: is used; /m/serving.toml says otherwise",
        "/m/serving.toml: threads: has no effect beside /m/config.pbtxt",
        "/p/config.pbtxt: the model is named 'p'; /p/1/model.toml says 'mobilenet_v2'",
    ]


def test_a_reported_configuration_is_taken_back(
    catalogue: ModelRegistry, tmp_path: Path, opened: Callable[..., FolderRepository]
) -> None:
    put(tmp_path, "m", HEAD + INPUT + OUTPUT + 'parameters { key: "a" value { string_value: "b" } }')
    repository = opened()
    repository.load_all()
    config = catalogue.find("m").config_to_json()
    repository.load("m", json.dumps(config))
    assert catalogue.find("m").config_to_json() == config
    with pytest.raises(CallError, match="backend: 'tensorrt' is not available"):
        repository.load("m", json.dumps({**config, "backend": "tensorrt"}))
    with pytest.raises(CallError, match="must be the name of the model, 'm'"):
        repository.load("m", json.dumps({**config, "name": "n"}))
    assert catalogue.find("m").config_to_json() == config


@pytest.mark.parametrize("control", ["none", "poll"])
def test_only_explicit_control_lets_callers_load(
    tmp_path: Path, opened: Callable[..., FolderRepository], control: ControlMode
) -> None:
    put(tmp_path, "m", HEAD)
    repository = opened(control)
    assert repository.load_all() == []
    for change in (repository.load, repository.unload):
        with pytest.raises(CallError, match="explicit model load / unload is not allowed") as caught:
            change("m")
        assert caught.value.code is Code.UNAVAILABLE


def test_polls_follow_the_files(catalogue: ModelRegistry, tmp_path: Path, opened: Callable[..., FolderRepository]) -> None:
    put(tmp_path, "m", HEAD + INPUT + OUTPUT)
    repository = opened("poll")
    repository.load_all()
    poller = RepositoryPoller(repository, 60.0)
    before = catalogue.find("m")
    poller.poll()
    poller.poll()
    assert catalogue.find("m") is before, "nothing changed"
    put(tmp_path, "m", HEAD + INPUT + OUTPUT, None, "2")
    poller.poll()
    assert catalogue.versions("m") == ["1"], "it may be half-written"
    poller.poll()
    assert catalogue.versions("m") == ["2"]
    put(tmp_path, "m", "max_batch: 1", None, "3")
    put(tmp_path, "new", HEAD)
    poller.poll()
    poller.poll()
    assert catalogue.versions("m") == ["2"], "a failed reload keeps what is served"
    assert catalogue.versions("new") == ["1"]
    shutil.rmtree(tmp_path / "new")
    poller.poll()
    assert catalogue.versions("new") == ["1"]
    poller.poll()
    assert catalogue.names() == ["m"]
    half = put(tmp_path, "half", HEAD, onnx_file.identity()[:20])
    poller.poll()
    (half / "1/model.onnx").write_bytes(onnx_file.identity())
    poller.poll()
    assert "half" not in reasons(repository) or reasons(repository)["half"] == "unloaded", "it was not tried while it changed"
    poller.poll()
    assert catalogue.versions("half") == ["1"]


def test_a_poll_loads_only_the_versions_that_changed(
    catalogue: ModelRegistry, tmp_path: Path, opened: Callable[..., FolderRepository]
) -> None:
    """A version stays open, with its statistics and its warm session, unless its files or the configuration change."""
    put(tmp_path, "m", f"{HEAD}{INPUT}{OUTPUT}version_policy {{ all {{ }} }}\n", None, "1", "2")
    repository = opened("poll")
    repository.load_all()
    poller = RepositoryPoller(repository, 60.0)

    def change(*versions: str, data: bytes | None = None, config: str = "") -> dict[str, bool]:
        """Make a change; returns which versions are the same after it."""
        before = dict(catalogue.served_versions("m"))
        for version in versions:
            (tmp_path / "m" / version).mkdir(exist_ok=True)
            (tmp_path / "m" / version / "model.onnx").write_bytes(onnx_file.identity() if data is None else data)
        if config:
            (tmp_path / "m/config.pbtxt").write_text(config)
        poller.poll()
        poller.poll()
        return {version: served is before.get(version) for version, served in catalogue.served_versions("m").items()}

    assert change("3") == {"1": True, "2": True, "3": False}
    assert change("2") == {"1": True, "2": False, "3": True}
    shutil.rmtree(tmp_path / "m/3")
    assert change() == {"1": True, "2": True}
    assert change("2", data=b"no model") == {"1": True, "2": True}, "a failed reload keeps what is served"
    (tmp_path / "m/1/model.onnx").write_bytes(onnx_file.identity() + b"")
    assert change() == {"1": True, "2": True}, "version 2 is still broken"
    assert change("2") == {"1": False, "2": False}
    assert change(config=f"{HEAD}{INPUT}{OUTPUT}version_policy {{ all {{ }} }}\nresponse_cache {{ enable: true }}\n") == {
        "1": False,
        "2": False,
    }
    assert infer(catalogue, "m", INPUT=np.ones((1, 16), np.float32)) is not None
