"""An exception that a source does not foresee is the loss of this source: the process and all other pipelines go on."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator

import av
import pytest

from edgefleet_agent.core import plugins
from edgefleet_agent.pipeline.camera.capture import Capture
from edgefleet_agent.pipeline.scheduling.runner import Runner
from edgefleet_agent.sources.base import Source, SourceInfo
from edgefleet_agent.sources.sensors.base import Reading, Sensor
from edgefleet_agent.vision.frame import Frame
from edgefleet_contract.core.errors import UnavailableError
from edgefleet_contract.pipeline.spec import SourceSpec, read_pipeline
from edgefleet_contract.wire.messages import Event

LEVEL = """
name = "press"
[source]
kind = "plugged"
[[rules]]
kind = "level"
name = "hot"
channel = "t"
above = 50
"""
FAULTS = [ValueError("no"), OverflowError("too large"), AssertionError(), av.error.InvalidDataError(1, "no data"), KeyError("x")]


class Broken(Source):
    """Fails with a fault, when it is opened or after its first frame; from the second opening on it works."""

    opened = 0

    def __init__(self, spec: SourceSpec, fault: Exception, where: str) -> None:
        super().__init__(spec)
        self._fault, self._where = fault, where

    def open(self) -> SourceInfo:
        type(self).opened += 1
        if self._where == "open" and type(self).opened == 1:
            raise self._fault
        return SourceInfo(64, 48, 50.0)

    def frames(self) -> Iterator[Frame]:
        fails = self._where == "frames" and type(self).opened == 1
        for index in range(5):
            yield Frame(index, index / 50, time.monotonic(), 64, 48, "gray", ())
            if fails:
                raise self._fault
            time.sleep(0.01)

    def close(self) -> None:
        self.stop()


@pytest.mark.parametrize("where", ["open", "frames"])
@pytest.mark.parametrize("fault", FAULTS, ids=repr)
def test_a_camera_is_lost_and_opened_again(fault: Exception, where: str, caplog: pytest.LogCaptureFixture) -> None:
    Broken.opened = 0
    reported: list[str] = []
    spec = SourceSpec(kind="synthetic", pace="realtime")
    capture = Capture(spec, lambda text, _over: reported.append(text), make=lambda spec: Broken(spec, fault, where))
    assert len(list(capture.frames())) >= 5, "those of the second opening"
    assert any("internal fault of the source; the log has the details" in text for text in reported)
    assert "Traceback" in caplog.text


@pytest.mark.parametrize("fault", FAULTS, ids=repr)
def test_a_file_fails_with_one_line(fault: Exception) -> None:
    Broken.opened = 0
    spec = SourceSpec(kind="file", uri="film.mp4", pace="fast")
    capture = Capture(spec, lambda _text, _over: None, make=lambda spec: Broken(spec, fault, "frames"))
    with pytest.raises(UnavailableError, match="internal fault of the source"):
        list(capture.frames())


class BrokenSensor(Sensor):
    """Gives a reading of an impossible time, then a fault; from the second opening on, readings above the limit."""

    opened = 0
    fault: Exception = ValueError()

    def open(self) -> None:
        type(self).opened += 1
        self.channels = ["t"]

    def readings(self) -> Iterator[Reading]:
        yield from (Reading(at_s, (80.0,)) for at_s in (1e13, -1e13, float("nan"), float("inf")))
        if type(self).opened == 1:
            raise self.fault
        while not self.closing.wait(0.01):
            yield Reading(time.time(), (80.0,))

    def close(self) -> None:
        self.stop()


class Recorded:
    """Records reports of a runner."""

    def __init__(self) -> None:
        self.event = threading.Event()
        self.faults: list[str] = []

    def on_event(self, _event: Event) -> None:
        self.event.set()

    def on_fault(self, _pipeline: str, text: str, _over: bool) -> None:
        self.faults.append(text)


@pytest.mark.parametrize("fault", FAULTS, ids=repr)
def test_a_sensor_is_lost_and_opened_again(
    fault: Exception, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.ERROR)
    BrokenSensor.opened, BrokenSensor.fault = 0, fault
    load = plugins.load
    monkeypatch.setattr(
        plugins, "load", lambda table, name, *rest: BrokenSensor if name == "plugged" else load(table, name, *rest)
    )
    names = plugins.names
    monkeypatch.setattr(plugins, "names", lambda table: [*names(table), "plugged"] if table == "sensors" else names(table))
    recorded = Recorded()
    runner = Runner(recorded)
    try:
        runner.set_pipelines([read_pipeline(LEVEL, "test")])
        assert recorded.event.wait(60.0), recorded.faults
        totals = runner.runs["press"].totals()
    finally:
        runner.close()
    assert any("internal fault of the source" in text for text in recorded.faults)
    assert totals.dropped["time"] == 8, "readings of times that no calendar has are left out and counted"
    assert "Traceback" in caplog.text
