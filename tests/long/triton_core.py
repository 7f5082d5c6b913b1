"""A real Triton core to compare with: the one in the wheel `nvidia-pytriton`, with its Python backend, in its own environment.

`EDGEFLEET_TRITON_VENV` names an environment that has the wheel; without it one is made. Everything here is a test's: the models
are a few lines of NumPy that do what the ONNX models of `tests.agent.serving.onnx_file` do.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

WHEEL = "nvidia-pytriton==0.7.0"
START_S_MAX = 90.0

MODEL = """
import json
import numpy as np
import triton_python_backend_utils as pb

class TritonPythonModel:
    def initialize(self, args):
        self.config = json.loads(args["model_config"])
        self.op = self.config["parameters"]["op"]["string_value"]

    def execute(self, requests):
        return [pb.InferenceResponse(getattr(self, self.op)(request)) for request in requests]

    def identity(self, request):
        given = pb.get_input_tensor_by_name(request, "INPUT")
        return [pb.Tensor.from_dlpack("OUTPUT", given.to_dlpack())] if self.bits else [pb.Tensor("OUTPUT", given.as_numpy())]

    @property
    def bits(self):
        return self.config["input"][0]["data_type"] == "TYPE_BF16"

    def add(self, request):
        a, b = (pb.get_input_tensor_by_name(request, name).as_numpy() for name in "AB")
        return [pb.Tensor("SUM", a + b)]

    def accumulate(self, request):
        names = ("INPUT", "STATE", "START", "END", "READY", "CORRID")
        given = {name: pb.get_input_tensor_by_name(request, name).as_numpy() for name in names}
        total = given["STATE"] + given["INPUT"]
        told = [pb.Tensor(name + "_WAS", given[name]) for name in names[2:]]
        return [pb.Tensor("OUTPUT", total), pb.Tensor("NEXT", total), *told]
"""


@dataclass(frozen=True)
class TritonCore:
    """A running server."""

    http: str
    grpc: str
    root: Path


def environment(scratch: Path) -> Path:
    """The site-packages of an environment with the wheel; skips the test where it cannot be had."""
    chosen = os.environ.get("EDGEFLEET_TRITON_VENV")
    folder = Path(chosen) if chosen else scratch / "venv"
    if not chosen:
        try:
            subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True, timeout=300, capture_output=True)
            pip = [str(folder / "bin/pip"), "install", "--quiet", WHEEL]
            subprocess.run(pip, check=True, timeout=600, capture_output=True)
        except (OSError, subprocess.SubprocessError) as cause:
            pytest.skip(f"{WHEEL} cannot be installed: {cause}")
    found = list(folder.glob("lib/python3.*/site-packages"))
    if not found or not (found[0] / "pytriton/tritonserver/bin/tritonserver").is_file():
        pytest.skip(f"{folder} holds no {WHEEL}")
    return found[0]


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
        return port


def put_python_model(root: Path, name: str, config: str, version: str = "1") -> None:
    """A model of the Python backend; config: `config.pbtxt` without its name."""
    folder = root / name / version
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.py").write_text(MODEL)
    (root / name / "config.pbtxt").write_text(f'name: "{name}"\nbackend: "python"\n{config}')


def op(name: str) -> str:
    return f'parameters {{ key: "op" value {{ string_value: "{name}" }} }}\n'


@contextlib.contextmanager
def running(
    packages: Path, root: Path, scratch: Path, control: Sequence[str] = ("--model-control-mode=explicit", "--load-model=*")
) -> Iterator[TritonCore]:
    """The server over the repository `root`, ready. control: its options for which models are loaded."""
    home = packages / "pytriton/tritonserver"
    backends = scratch / "backends"
    shutil.copytree(home / "backends", backends, dirs_exist_ok=True)
    python = packages.parent.name.removeprefix("python")
    shutil.copy(home / "python_backend_stubs" / python / "triton_python_backend_stub", backends / "python")
    ports = {name: free_port() for name in ("http", "grpc", "metrics")}
    libraries = [str(each) for each in (home / "external_libs", packages / "nvidia_pytriton.libs", Path(sys.base_prefix) / "lib")]
    settings = {
        **os.environ,
        "LD_LIBRARY_PATH": ":".join(libraries),
        "PATH": f"{packages.parent.parent.parent / 'bin'}:{os.environ['PATH']}",
        "PYTHONPATH": str(packages),
    }
    command = [
        str(home / "bin/tritonserver"), f"--model-repository={root}", f"--backend-directory={backends}",
        *control, "--allow-gpu-metrics=false",
        f"--http-port={ports['http']}", f"--grpc-port={ports['grpc']}", f"--metrics-port={ports['metrics']}",
        "--http-address=127.0.0.1", "--grpc-address=127.0.0.1", "--exit-on-error=false", "--exit-timeout-secs=3",
    ]  # fmt: skip
    with (scratch / "triton.log").open("wb") as log:
        process = subprocess.Popen(command, env=settings, stdout=log, stderr=subprocess.STDOUT)
    try:
        address = f"127.0.0.1:{ports['http']}"
        give_up_s = time.monotonic() + START_S_MAX
        while not _ready(address):
            if process.poll() is not None or time.monotonic() > give_up_s:
                pytest.skip(f"Triton does not start: {(scratch / 'triton.log').read_text()[-2000:]}")
            time.sleep(0.2)
        yield TritonCore(address, f"127.0.0.1:{ports['grpc']}", root)
    finally:
        process.terminate()
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(30)


def _ready(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"http://{address}/v2/health/live", timeout=2) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False
