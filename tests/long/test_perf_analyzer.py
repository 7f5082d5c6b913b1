"""Triton's `perf_analyzer`, unmodified, against our server, in all its sending modes.

    EDGEFLEET_PERF_ANALYZER=/path/to/perf_analyzer LD_LIBRARY_PATH=... pytest -m long -s tests/long/test_perf_analyzer.py

The program is in the wheel `tritonclient` 2.51.0; it needs Debian's `libb64-0d` and `libcudart.so.12` from the wheel
`nvidia-cuda-runtime-cu12` on LD_LIBRARY_PATH.
"""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

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
from tests.agent.serving.engine.sequences.test_sequence_batcher import PLENTY, put_accumulator
from tests.agent.serving.engine.test_ensembles import TWICE, put_ensemble
from tests.agent.serving.engine.test_video_models import NAME, Site, clip

pytestmark = [pytest.mark.alone, pytest.mark.long, pytest.mark.timeout(1200)]

WINDOW = ["--measurement-mode", "count_windows", "--measurement-request-count", "300", "-s", "9999", "-r", "3"]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    root = tmp_path_factory.mktemp("perf")
    put_model(root, "identity", onnx_file.identity())
    put_model(root, "texts", onnx_file.identity("BYTES"))
    put_model(root, "add", onnx_file.add(), config="max_batch_size = 8\n[dynamic_batching]\n")
    put_ensemble(root, "twice", TWICE)
    put_accumulator(root, "sum", PLENTY)
    catalogue = ModelRegistry()
    repository = FolderRepository([root], catalogue, LoadTarget(tuple(installed_runtimes()), cpu_profile()))
    assert repository.load_all() == []
    server = Server("edgefleet", "test", SharedMemoryRegions(allowed=True))
    http = open_http("127.0.0.1:0", catalogue, repository, server, ListenerLimits())
    grpc = open_grpc("127.0.0.1:0", catalogue, repository, server, ListenerLimits())
    yield {"http": http.address, "grpc": grpc.address}
    grpc.close()
    http.close()
    catalogue.close()


@pytest.fixture(scope="module")
def program() -> str:
    found = os.environ.get("EDGEFLEET_PERF_ANALYZER") or shutil.which("perf_analyzer")
    if not found:
        pytest.skip("perf_analyzer is not installed; the head of this file says where it is from")
    return found


@pytest.mark.parametrize(
    ("protocol", "model", "how"),
    [
        ("http", "identity", "--concurrency-range 1:4:3"),
        ("grpc", "identity", "--concurrency-range 1:4:3"),
        ("http", "identity", "--concurrency-range 4 --async"),
        ("grpc", "identity", "--concurrency-range 4 --async"),
        ("grpc", "identity", "--concurrency-range 4 --streaming --async"),
        ("http", "identity", "--concurrency-range 2 --shared-memory system"),
        ("grpc", "identity", "--concurrency-range 2 --shared-memory system"),
        ("http", "identity", "--request-rate-range 200"),
        ("http", "texts", "--concurrency-range 2 --string-length 10"),
        ("grpc", "texts", "--concurrency-range 2 --string-length 10"),
        ("http", "twice", "--concurrency-range 2 -b 4"),
        ("http", "add", "--concurrency-range 4 -b 2"),
        ("http", "sum", "--concurrency-range 2 --sequence-length 8"),
        ("grpc", "sum", "--concurrency-range 4 --sequence-length 8 --streaming --async"),
    ],
)
def test_it_measures(served: dict[str, str], program: str, protocol: str, model: str, how: str) -> None:
    command = [program, "-i", protocol, "-u", served[protocol], "-m", model, *WINDOW, *how.split()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    output = done.stdout + done.stderr
    rates = re.findall(r"Throughput: ([\d.]+) infer/sec", output)
    latencies = re.findall(r"p50 latency: (\d+) usec", output)
    print(f"\n{protocol} {model} {how}: {rates} inferences/s, p50 {latencies} us")
    assert done.returncode == 0, output
    assert rates, output
    assert "rror" not in output.replace("Error count: 0", ""), output


def test_it_validates_outputs(served: dict[str, str], program: str, tmp_path: Path) -> None:
    numbers = [float(number) for number in range(16)]
    data = {"data": [{"INPUT": numbers}], "validation_data": [{"OUTPUT": numbers}]}
    (tmp_path / "data.json").write_text(json.dumps(data), encoding="utf-8")
    command = [
        program,
        "-i",
        "http",
        "-u",
        served["http"],
        "-m",
        "identity",
        *WINDOW,
        "--input-data",
        str(tmp_path / "data.json"),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    data["validation_data"] = [{"OUTPUT": numbers[::-1]}]
    (tmp_path / "data.json").write_text(json.dumps(data), encoding="utf-8")
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert "Output doesn't match expected output" in done.stdout + done.stderr


def test_it_measures_several_answers_to_a_request(program: str, tmp_path: Path) -> None:
    site = Site()
    video = clip([True] * 3)
    raw = base64.b64encode(len(video).to_bytes(4, "little") + video).decode()  # as BYTES are sent raw
    (tmp_path / "data.json").write_text(json.dumps({"data": [{"VIDEO": {"b64": raw}}]}))
    command = [program, "-i", "grpc", "-u", site.grpc.address, "-m", NAME, *WINDOW, "--streaming", "--async"]
    command += ["--concurrency-range", "2", "--input-data", str(tmp_path / "data.json")]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    finally:
        site.close()
    output = done.stdout + done.stderr
    answers = re.findall(r"Response Throughput: ([\d.]+) infer/sec", output)
    print(f"\ngrpc {NAME}: {answers} answers/s")
    assert done.returncode == 0, output
    assert answers, output
