"""Samples of telemetry beside the worker's gauges: two clocks of two processes."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest

from edgefleet_agent.cli.status import table
from edgefleet_agent.core.clock import ManualClock
from edgefleet_agent.machine.vitals import VitalsProbe
from edgefleet_agent.supervisor.commands import CommandHandler
from edgefleet_agent.supervisor.inbox import Inbox
from edgefleet_agent.supervisor.loop import Loop
from edgefleet_agent.supervisor.status_report import WINDOW_S_MAX, StatusReporter
from edgefleet_contract.wire.messages import PipelineGauges, SourceReason, Stream
from edgefleet_contract.worker_process import HOME_PART, Gauges, WorkerFault
from tests.agent.fakes.device import Bench, DirectWorker, server_with
from tests.agent.fakes.packages import make_package

FACTORY = make_package("1.0.0", 1000)
STEP_S = 0.1


class Still(Inbox[Any]):
    """Nothing ever arrives, and no call blocks: time moves by itself."""

    def __init__(self, clock: ManualClock) -> None:
        super().__init__()
        self._clock = clock

    def take(self, _patience_s: float) -> list[Any]:
        self._clock.advance(STEP_S)
        return []


class Watched:
    """A device whose worker sends gauges every two seconds and a little more, as long as it is `lively`."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch, every_s: float) -> None:
        self.bench = Bench(folder / "device", server_with())
        self.bench.start(FACTORY.write(folder / "factory"))
        self.samples: list[Any] = []
        device, self.clock = self.bench.device, self.bench.clock
        monkeypatch.setattr(device.link.uplink, "keep", self._keep)
        self.port = cast("DirectWorker", device.processes.worker.port)
        commands = CommandHandler(device, cast("Any", None), cast("Any", None))
        reporter = StatusReporter(device, VitalsProbe(folder), "b", every_s, self.clock.monotonic())
        self.reporter = reporter
        self.reasons: list[SourceReason] = []
        self.loop = Loop(device, Still(self.clock), commands, reporter, self.clock, lambda _event: None)
        self._sent_s = 0.0

    def run(self, seconds: float, *, lively: bool = True) -> list[Any]:
        """The samples of so many seconds."""
        self.samples, ends_s = [], self.clock.monotonic() + seconds

        def over() -> bool:
            if lively and self.clock.monotonic() - self._sent_s > 2.2:
                self._sent_s = self.clock.monotonic()
                self.port.words.append(Gauges(window_s=2.0, pipelines={"p": self._gauges()}))
            return self.clock.monotonic() >= ends_s

        self.loop.run(over, lambda _snapshot: None)
        return self.samples

    def _gauges(self) -> PipelineGauges:
        present = next((reason.text for reason in self.reasons if not reason.until), "")
        return PipelineGauges(process_fps=25.0, reason=present, reasons=list(self.reasons))

    def _keep(self, stream: Stream, records: list[Any], _wall: float, _reached: Any = None) -> None:
        self.samples += records if stream is Stream.TELEMETRY else []


@pytest.mark.parametrize("every_s", [0.5, 2.0, 5.0])
def test_a_sample_waits_for_the_gauges_of_its_window(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, every_s: float) -> None:
    """However often samples are asked for, none says of a worker at work that nothing runs."""
    watched = Watched(tmp_path, monkeypatch, every_s)
    watched.run(5.0)
    samples = watched.run(30.0)
    assert len(samples) >= 5
    assert [list(sample.pipelines) for sample in samples] == [["p"]] * len(samples)


def test_a_worker_without_gauges_delays_no_sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Temperature and disk are reported nevertheless."""
    watched = Watched(tmp_path, monkeypatch, 2.0)
    watched.run(5.0)
    samples = watched.run(30.0, lively=False)
    assert len(samples) >= 30.0 / (2.0 + WINDOW_S_MAX) - 1
    assert not any(sample.pipelines for sample in samples[1:])
    watched.port.incarnation += 1
    assert len(watched.run(30.0, lively=False)) >= 30.0 / 2.2 - 1


def test_the_server_gets_present_reasons_and_the_device_has_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    watched = Watched(tmp_path, monkeypatch, 5.0)
    watched.run(5.0)
    now = watched.clock.wall()
    past = SourceReason(state="source_lost", text="the cable is out", at=now - 7200.0, until=now - 3600.0, times=3)
    present = SourceReason(state="stalled", text="stopped sending; restart the camera", at=now)
    watched.reasons = [past, present]
    samples = watched.run(20.0)
    assert {reason.text for sample in samples for reason in sample.pipelines["p"].reasons} == {present.text}
    assert samples[-1].pipelines["p"].reason == present.text
    watched.reasons = [past, SourceReason(state="stalled", text=present.text, at=now, until=watched.clock.wall() + 1.0)]
    watched.run(12.0)
    last = watched.run(20.0)[-1].pipelines["p"]
    assert (last.reason, last.reasons) == ("", [])
    status = watched.reporter.snapshot("", watched.clock.wall())
    assert [reason["text"] for reason in status["sources"]["p"]["reasons"]] == [past.text, present.text]
    status["pipelines"] = {"p": "running"}
    lines = table(status).splitlines()
    shown = lines[lines.index("pipeline   p: running") + 1 :]
    assert shown[0].endswith(": stalled: stopped sending; restart the camera")
    assert shown[1].endswith(": source_lost: the cable is out")


def test_a_fault_of_a_part_of_the_worker_is_shown_until_it_is_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    watched = Watched(tmp_path, monkeypatch, 5.0)
    for over, words in ((False, "fault      home automation: no answer"), (True, "")):
        watched.port.words.append(WorkerFault(HOME_PART, "home automation: no answer", over))
        watched.run(1.0)
        assert ("home automation" in table(watched.reporter.snapshot("", watched.clock.wall()))) is bool(words)
    watched.port.words.append(WorkerFault(HOME_PART, "home automation: no answer", False))
    watched.run(1.0)
    watched.port.incarnation += 1
    watched.run(1.0)
    assert "home automation" not in table(watched.reporter.snapshot("", watched.clock.wall()))
