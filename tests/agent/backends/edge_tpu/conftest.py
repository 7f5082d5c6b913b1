"""The stand-in library, built once for all tests that use it, and commands that find it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Protocol

import pytest

from tests.conftest import ROOT

MODEL = "models/tflite/mobilenet_v2_1.0_224_quant/mobilenet_v2_1.0_224_quant"
MANIFEST = """
name = "mobilenet"
version = "1.0.0"
task = "classification"
head = { family = "classification" }
[[inputs]]
name = "input"
shape = [1, 224, 224, 3]
[[variants]]
name = "cpu"
format = "tflite"
precision = "int8"
files = ["model.tflite"]
runtimes = ["lite_rt"]
[[variants]]
name = "tpu"
format = "tflite"
precision = "int8"
files = ["model_edgetpu.tflite"]
runtimes = ["lite_rt"]
profiles = ["coral"]
"""


@pytest.fixture(scope="session")
def libraries(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folders `new` and `old` with a libedgetpu.so.1 each."""
    if shutil.which("cc") is None:
        pytest.skip("no C compiler: apt install gcc libc6-dev")
    return build(tmp_path_factory.mktemp("libedgetpu"))


def build(folder: Path) -> Path:
    """Compile both into `folder`."""
    flags: dict[str, list[str]] = {"new": [], "old": ["-DOLD_ABI"]}
    for name, own in flags.items():
        (folder / name).mkdir(parents=True)
        source = Path(__file__).parent / "libedgetpu.c"
        command = ["cc", "-shared", "-fPIC", "-O1", "-Wall", "-Werror", *own]
        subprocess.run([*command, "-o", str(folder / name / "libedgetpu.so.1"), str(source)], check=True)
    return folder


class Run(Protocol):
    def __call__(
        self, *arguments: str, old: bool = False, code: str = "", **environment: str
    ) -> subprocess.CompletedProcess[str]: ...


@pytest.fixture
def run(libraries: Path, tmp_path: Path) -> Run:
    """The agent (or `code`) in a child that finds the stand-in; TPU_LOG is `opened` in the test's folder."""

    def start(*arguments: str, old: bool = False, code: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
        own = {
            "LD_LIBRARY_PATH": str(libraries / ("old" if old else "new")),
            "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]),
        }
        command = [sys.executable, "-c", code, *arguments] if code else [sys.executable, "-m", "edgefleet_agent", *arguments]
        return subprocess.run(
            command,
            capture_output=True,
            text=True,
            timeout=120,
            env={**os.environ, **own, "TPU_LOG": str(tmp_path / "opened"), **environment},
        )

    return start


@pytest.fixture
def folder(data: Path, tmp_path: Path) -> Path:
    """A package for the CPU and for Edge TPUs."""
    made = tmp_path / "package"
    made.mkdir()
    (made / "model.toml").write_text(MANIFEST, encoding="utf-8")
    for kind in ("", "_edgetpu"):
        (made / f"model{kind}.tflite").symlink_to(data / f"{MODEL}{kind}.tflite")
    return made
