"""A model that takes its time: the command prints what it waits for, and for how long at most."""

from __future__ import annotations

import subprocess
import sys

import pytest

from edgefleet_server.cli.models import package


def test_a_slow_model_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(package, "QUIET_S_MAX", 0.01)
    monkeypatch.setattr(package, "RUN_S_MAX", 60.0)
    done = package._waited([sys.executable, "-c", "import time; time.sleep(0.1); print(1)"], "onnx-f32 on onnx_runtime")
    assert (done.returncode, done.stdout) == (0, b"1\n")
    assert capsys.readouterr().err == "running onnx-f32 on onnx_runtime, at most 60 s ...\n"


def test_an_endless_model_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(package, "QUIET_S_MAX", 0.01)
    monkeypatch.setattr(package, "RUN_S_MAX", 0.2)
    with pytest.raises(subprocess.TimeoutExpired):
        package._waited([sys.executable, "-c", "import time; time.sleep(600)"], "onnx-f32 on onnx_runtime")
