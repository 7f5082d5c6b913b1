"""Output of `try` while a camera is away."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from edgefleet_agent.cli.camera.quick_pipeline import quick_pipeline
from edgefleet_agent.cli.camera.source_address import source_of
from edgefleet_agent.cli.camera.try_report import TryReport
from edgefleet_agent.cli.support.progress import ProgressLine


def report() -> TryReport:
    source = source_of("rtsp://192.0.2.1/main", "fast")
    spec = quick_pipeline("try", source, model="slot:detector", line=None, classes=[], min_score=0.5, evidence=None)
    made = TryReport(spec, "rtsp://192.0.2.1/main", recorded=False, as_json=False, progress=ProgressLine(enabled=False))
    made.model = cast("Any", SimpleNamespace(labels=["person"]))
    return made


def test_a_loss_right_after_the_first_frame_is_printed(capfd: pytest.CaptureFixture[str]) -> None:
    """The frames are counted by another thread, later than the loss."""
    made = report()
    made.on_fault("try", "the camera closed the connection; retrying", False)
    assert capfd.readouterr().err == ""
    made.begin()
    made.begin()
    assert capfd.readouterr().err == "edgefleet-agent: the camera closed the connection; retrying\n"
    made.on_fault("try", "the source delivers frames again", True)
    assert capfd.readouterr().err == "edgefleet-agent: the source delivers frames again\n"
