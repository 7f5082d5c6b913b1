"""Runtimes in host processes on their stand-ins: one object that says the same things to each."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from edgefleet_agent.backends.base import Backend, LoadOptions, Session
from edgefleet_agent.backends.hailo.backend import HailoBackend
from edgefleet_agent.backends.rknn.backend import RknnBackend

STAND_INS = Path(__file__).parents[1] / "stand_ins"


@dataclass(frozen=True)
class Hosted:
    """A runtime with its stand-in. folder: has the files `device` and `fault` of the stand-in."""

    backend: Backend
    device: str
    folder: Path
    write: Callable[[Path], tuple[Path, ...]]

    def load(self, name: str = "model") -> Session:
        return self.backend.load(self.write(self.folder / name), LoadOptions(device=self.device, strict=True))

    def fault(self, text: str) -> None:
        (self.folder / "fault").write_text(text, encoding="utf-8")


def interpreter(folder: Path, stand_in: str) -> Path:
    """A Python that has a stand-in, as a file in `folder`."""
    script = folder / "python"
    script.write_text(f'#!/bin/sh\nPYTHONPATH={STAND_INS / stand_in} exec {sys.executable} "$@"\n', encoding="utf-8")
    script.chmod(0o755)
    return script


HEF = {
    "inputs": [{"name": "net/input_layer1", "shape": [4, 4, 3]}],
    "outputs": [{"name": "net/conv1", "shape": [4, 4, 3], "qp_scale": 0.5, "qp_zp": 10}],
    "scale": 0.25,
    "offset": -1.0,
}


def write_hef(path: Path, model: object = HEF) -> tuple[Path, ...]:
    """A model file of the stand-in for HailoRT."""
    path = path.with_suffix(".hef")
    path.write_bytes(b"\x01HEF" + json.dumps(model).encode())
    return (path,)


@pytest.fixture
def hailo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Hosted:
    """HailoRT, with a device."""
    monkeypatch.setenv("EDGEFLEET_HAILO_PYTHON", str(interpreter(tmp_path, "hailo")))
    monkeypatch.setenv("HAILO_STAND_IN", str(tmp_path))
    (tmp_path / "device").touch()
    return Hosted(HailoBackend(), "hailo", tmp_path, write_hef)


RKNN = "rk3588 4 4 3 0.25 -1.0 1.0 -128 0.5 10"


def write_rknn(path: Path, model: str = RKNN) -> tuple[Path, ...]:
    """A model file of the stand-in for Rockchip's library."""
    path = path.with_suffix(".rknn")
    path.write_bytes(b"RKNN" + bytes(4) + model.encode())
    return (path,)


@pytest.fixture(scope="session")
def rknn_library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The stand-in, compiled."""
    if shutil.which("cc") is None:
        pytest.skip("no C compiler: apt install gcc libc6-dev")
    library = tmp_path_factory.mktemp("librknnrt") / "librknnrt.so"
    command = ["cc", "-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o", str(library), str(STAND_INS / "librknnrt.c"), "-lm"]
    subprocess.run(command, check=True)
    return library


@pytest.fixture
def rknn(rknn_library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Hosted:
    """Rockchip's library, with an NPU."""
    monkeypatch.setenv("EDGEFLEET_RKNN_LIBRARY", str(rknn_library))
    monkeypatch.setenv("RKNN_STAND_IN", str(tmp_path))
    (tmp_path / "device").write_text("rk3588", encoding="utf-8")
    return Hosted(RknnBackend(), "rknpu", tmp_path, write_rknn)
