"""A model that finds speech, with the files that a Python package ships: it has state, an `If`, a scalar input, open sizes.

    pytest -m long tests/long/test_speech_model.py

The package is downloaded into a temporary folder and not installed: only its model files are used. The sound is noise: what is
compared is the runtime by itself.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import tritonclient.grpc
import tritonclient.http

from edgefleet_agent.backends.installed import cpu_profile, installed_runtimes
from edgefleet_agent.serving.engine.model_registry import ModelRegistry
from edgefleet_agent.serving.models.model_source import LoadTarget
from edgefleet_agent.serving.models.repository import FolderRepository
from edgefleet_agent.serving.open_listeners import open_grpc, open_http
from tests.agent.serving.conftest import LIMITS, SERVER
from tests.long.wheel_files import wheel_files

onnxruntime = pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")

pytestmark = [pytest.mark.long(minutes=1), pytest.mark.timeout(600)]

PACKAGE = "silero-vad==6.2.3"
FILES = {  # the file, and the samples of one call
    "speech": ("silero_vad.onnx", 512),
    "speech_16k": ("silero_vad_16k_op15.onnx", 512),
    "speech_without_if": ("silero_vad_op18_ifless.onnx", 512),
    "speech_fixed": ("silero_vad_openvino_16k.onnx", 576),
}
RATE = np.array(16_000, np.int64)
CALLS = 30
CONFIG = """{backend}
max_batch_size: 0
sequence_batching {{
  max_sequence_idle_microseconds: 30000000
  state [ {{ input_name: "state" output_name: "stateN" data_type: TYPE_FP32 dims: [ 2, 1, 128 ]
    initial_state: {{ data_type: TYPE_FP32 dims: [ 2, 1, 128 ] zero_data: true name: "silence" }} }} ]
}}
"""
BACKENDS = {"onnx": 'platform: "onnxruntime_onnx"', "openvino": 'backend: "openvino"'}
REFUSED = {("speech", "openvino"), ("speech_16k", "openvino")}
"""OpenVINO 2026.4 cannot convert these graphs."""
SERVED = [(name, backend) for name in FILES for backend in BACKENDS if (name, backend) not in REFUSED]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return wheel_files(PACKAGE, tmp_path_factory.mktemp("models")) / "silero_vad" / "data"


@pytest.fixture(scope="module")
def clients(files: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[tuple[ModuleType, Any]]]:
    """Clients of a server with every file on every backend that takes it, as `FILE_BACKEND`."""
    root = tmp_path_factory.mktemp("repository")
    for name, backend in SERVED:
        (root / f"{name}_{backend}" / "1").mkdir(parents=True)
        shutil.copyfile(files / FILES[name][0], root / f"{name}_{backend}" / "1" / "model.onnx")
        (root / f"{name}_{backend}" / "config.pbtxt").write_text(CONFIG.format(backend=BACKENDS[backend]))
    catalogue = ModelRegistry()
    repository = FolderRepository([root], catalogue, LoadTarget(tuple(installed_runtimes()), cpu_profile()))
    assert repository.load_all() == []
    listeners = [opened("127.0.0.1:0", catalogue, repository, SERVER, LIMITS) for opened in (open_http, open_grpc)]
    http, grpc = (listener.address for listener in listeners)
    opened = [tritonclient.http.InferenceServerClient(http), tritonclient.grpc.InferenceServerClient(grpc)]
    yield list(zip((tritonclient.http, tritonclient.grpc), opened, strict=True))
    for each in (*opened, *listeners):
        each.close()
    catalogue.close()
    repository.close()


def sounds(samples: int) -> list[Any]:
    dice = np.random.default_rng(1)
    return [(dice.standard_normal((1, samples)) * 0.1).astype(np.float32) for _ in range(CALLS)]


def by_the_runtime(file: Path, samples: int) -> list[Any]:
    """The answers of ONNX Runtime, whose state this test carries from call to call."""
    settings = onnxruntime.SessionOptions()
    settings.log_severity_level, settings.intra_op_num_threads = 3, 1
    session = onnxruntime.InferenceSession(str(file), settings, providers=["CPUExecutionProvider"])
    rate = {"sr": RATE} if "sr" in {each.name for each in session.get_inputs()} else {}
    state, answers = np.zeros((2, 1, 128), np.float32), []
    for sound in sounds(samples):
        answer, state = session.run(["output", "stateN"], {"input": sound, "state": state, **rate})
        answers.append(answer)
    return answers


def by_the_server(module: ModuleType, client: Any, model: str, samples: int, sequence: int) -> list[Any]:
    named = {"input", "sr"} & {
        each["name"] if isinstance(each, dict) else each.name for each in _inputs(client.get_model_metadata(model))
    }
    answers = []
    for number, sound in enumerate(sounds(samples)):
        tensors = []
        for name, array in (("input", sound), ("sr", RATE)):
            if name in named:
                tensors.append(module.InferInput(name, list(array.shape), "FP32" if name == "input" else "INT64"))
                tensors[-1].set_data_from_numpy(array)
        marks = {"sequence_id": sequence, "sequence_start": number == 0, "sequence_end": number == CALLS - 1}
        answers.append(client.infer(model, tensors, **marks).as_numpy("output"))
    return answers


def _inputs(metadata: Any) -> list[Any]:
    return list(metadata["inputs"] if isinstance(metadata, dict) else metadata.inputs)


@pytest.mark.parametrize(("name", "backend"), SERVED)
def test_the_state_of_a_sequence_stays_on_the_server(
    files: Path, clients: list[tuple[ModuleType, Any]], name: str, backend: str
) -> None:
    file, samples = FILES[name]
    expected = by_the_runtime(files / file, samples)
    for sequence, (module, client) in enumerate(clients, 1):
        found = by_the_server(module, client, f"{name}_{backend}", samples, sequence)
        if backend == "onnx":
            assert all(np.array_equal(one, other) for one, other in zip(found, expected, strict=True))
        else:
            assert np.abs(np.array(found) - np.array(expected)).max() < 1e-3
