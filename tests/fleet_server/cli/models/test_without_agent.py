"""Commands that run models say in one line that edgefleet-agent is missing; the others work without it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from edgefleet_server.__main__ import main
from edgefleet_server.core.errors import MissingError

PACKAGE = Path(__file__).resolve().parents[4] / "firmware_models" / "conveyor_inspector" / "1.1.0"


@pytest.fixture(autouse=True)
def no_agent(monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment without the distribution edgefleet-agent."""
    monkeypatch.setitem(sys.modules, "edgefleet_agent", None)


@pytest.mark.parametrize(
    "arguments",
    [
        ("model", "validate", str(PACKAGE)),
        ("model", "quantize", str(PACKAGE), "--data", str(PACKAGE)),
        ("model", "analyze", str(PACKAGE)),
        ("model", "golden", str(PACKAGE), "--images", str(PACKAGE)),
        ("demo", "--headless"),
    ],
)
def test_a_missing_agent_is_named(arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == MissingError.exit_code
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert " requires edgefleet-agent " in error
    assert "pip install './agent[onnx]' ./contract (in a checkout)" in error


def test_a_package_is_checked_without_running_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["model", "validate", str(PACKAGE), "--no-run"]) == 0
    assert "conveyor_inspector@1.1.0 is valid" in capsys.readouterr().out
