"""Event sinks in processes of their own: order, faults of all kinds, limits, and the stop of the service."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest

from edgefleet_agent.sinks import event_sink, event_sinks, sink_process
from edgefleet_agent.sinks.event_sinks import EventSinks
from edgefleet_agent.sinks.host import SinkStart
from edgefleet_contract.encoding.codec import decode
from edgefleet_contract.wire.messages import Event
from tests.agent.fakes.plug_in import install_plug_in

COMMAND = [sys.executable, "-m", "edgefleet_agent", "sink", "--fd"]
TOY = """
    import os, time
    from pathlib import Path

    from edgefleet_agent.sinks.base import Sink
    from edgefleet_contract.core.errors import UnavailableError

    class ToySink(Sink):
        "Appends the ids of events to a file; the kind of an event says what goes wrong."

        def start(self):
            self.folder = self.context.folder
            if (self.folder / "no-start").exists():
                raise UnavailableError("the receiver is away; start it")
            with (self.folder / "starts").open("a") as file:
                file.write("x")

        def put(self, event):
            print("a plug-in may print")
            if (self.folder / "away").exists():
                raise UnavailableError("the receiver is away; start it")
            if event.kind == "refuse":
                raise ValueError("not such an event")
            if event.kind == "exit":
                raise SystemExit(3)
            if event.kind == "abort":
                os.abort()
            if event.kind == "hang":
                time.sleep(3600)
            with (self.folder / "ids").open("a") as file:
                file.write(event.id + "\\n")

        def close(self):
            (self.folder / "closed").touch()

    class NoSink:
        def __init__(self, context):
            pass
"""


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the sink; its kinds `toy` and `none` are installed, and pauses are short."""
    folder = tmp_path / "installed"
    folder.mkdir()
    install_plug_in(folder, monkeypatch, "toy_sink", TOY, {"sinks": {"toy": "ToySink", "none": "NoSink"}})
    monkeypatch.setattr(event_sink, "RETRY_MIN_S", 0.05)
    monkeypatch.setattr(event_sink, "RETRY_MAX_S", 0.2)
    home = tmp_path / "home"
    home.mkdir()
    return home


def start(kind: str, folder: Path, **options: Any) -> SinkStart:
    return SinkStart(kind=kind, name="one", device="cam-1", folder=str(folder), options=options)


def wait(sinks: EventSinks, fits: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """Waits until the status of the sink fits."""
    ends_s = time.monotonic() + 120
    while not fits(status := sinks.status()["one"]):
        assert time.monotonic() < ends_s, status
        time.sleep(0.01)
    return status


def ids(folder: Path) -> list[str]:
    return (folder / "ids").read_text().split() if (folder / "ids").exists() else []


def test_a_stop_delivers_what_waits_in_order(tmp_path: Path) -> None:
    with EventSinks(COMMAND, [start("jsonl", tmp_path, path="below/events.jsonl")]) as sinks:
        for number in range(200):
            sinks.put(Event(kind="visit", id=str(number)))
        assert sinks.faults() == ()
    lines = (tmp_path / "below" / "events.jsonl").read_bytes().splitlines()
    assert [decode(line, Event).id for line in lines] == [str(number) for number in range(200)]
    assert sinks.status()["one"] == {
        "kind": "jsonl", "state": "stopped", "waiting": 0, "written": 200, "lost": 0, "refused": 0, "fault": "",
    }  # fmt: skip


def test_events_wait_for_a_receiver_that_is_away(toy: Path) -> None:
    (toy / "away").touch()
    with EventSinks(COMMAND, [start("toy", toy)]) as sinks:
        for number in range(5):
            sinks.put(Event(kind="visit", id=str(number)))
        status = wait(sinks, lambda status: status["state"] == "waiting")
        assert (status["waiting"], status["written"]) == (5, 0)
        assert sinks.faults() == ("sink one (toy): the receiver is away; start it",)
        (toy / "away").unlink()
        wait(sinks, lambda status: status["written"] == 5)
        assert sinks.faults() == ()
    assert ids(toy) == ["0", "1", "2", "3", "4"]
    assert len((toy / "starts").read_text()) > 1, "the sink is started again after a fault"
    assert (toy / "closed").exists()


def test_a_sink_that_cannot_start_is_tried_again_without_an_event(toy: Path) -> None:
    (toy / "no-start").touch()
    with EventSinks(COMMAND, [start("toy", toy)]) as sinks:
        wait(sinks, lambda status: status["fault"] != "")
        (toy / "no-start").unlink()
        wait(sinks, lambda status: status["state"] == "running" and status["fault"] == "")


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("refuse", "not such an event"),
        ("exit", "it ended the process with status 3"),
        ("abort", "its process crashed with signal SIGABRT"),
        ("hang", "no answer within 1 s"),
    ],
)
def test_an_event_that_the_sink_cannot_take_is_skipped(toy: Path, kind: str, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sink_process, "ANSWER_S_MAX", 1.0)
    with EventSinks(COMMAND, [start("toy", toy)]) as sinks:
        sinks.put(Event(kind=kind, id="bad"))
        wait(sinks, lambda status: status["refused"] == 1)
        assert sinks.faults() == (f"sink one (toy): {text}",)
        sinks.put(Event(kind="visit", id="good"))
        wait(sinks, lambda status: status["written"] == 1 and not status["fault"])
    assert ids(toy) == ["good"]


@pytest.mark.parametrize(
    ("kind", "options", "text"),
    [
        (
            "kafkaa",
            {},
            "unknown sink 'kafkaa'; known are jsonl, kafka, none, toy; installed plug-ins (edgefleet.sinks): none of toy-sink",
        ),
        ("none", {}, "sink 'none' is no subclass of edgefleet_agent.sinks.base.Sink; correct the plug-in"),
        ("jsonl", {}, "sink 'one': options: 'path' is missing"),
        ("jsonl", {"path": "a", "colour": 1}, "sink 'one': unknown option 'colour'; known are path, bytes_max, files_max"),
        ("jsonl", {"path": "/proc/no/a"}, "cannot use /proc/no: "),
    ],
)
def test_the_reason_why_a_sink_does_not_run(toy: Path, kind: str, options: dict[str, Any], text: str) -> None:
    with EventSinks(COMMAND, [start(kind, toy, **options)]) as sinks:
        status = wait(sinks, lambda status: status["fault"] != "")
        assert status["fault"].startswith(text)
        assert status["state"] == "waiting"


def test_put_never_waits_and_the_oldest_events_give_way(toy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (toy / "no-start").touch()
    monkeypatch.setattr(event_sink, "EVENTS_MAX", 100)
    with EventSinks(COMMAND, [start("toy", toy)]) as sinks:
        for number in range(300):  # the sink never starts: a put that waited for it would never return
            sinks.put(Event(kind="visit", id=str(number)))
        status = sinks.status()["one"]
        assert (status["waiting"], status["lost"]) == (100, 200)
        sinks.put(Event(kind="visit", data={"text": "x" * event_sink.EVENT_BYTES_MAX}))
        assert sinks.status()["one"]["refused"] == 1
    assert sinks.status()["one"]["lost"] == 300, "what was left at the stop is lost"


def test_bytes_are_limited_too(toy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (toy / "no-start").touch()
    monkeypatch.setattr(event_sink, "BYTES_MAX", 10_000)
    with EventSinks(COMMAND, [start("toy", toy)]) as sinks:
        for _ in range(20):
            sinks.put(Event(kind="visit", data={"text": "x" * 1000}))
        assert 5 < sinks.status()["one"]["waiting"] < 10


def test_a_sink_that_hangs_does_not_keep_the_stop_waiting(toy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_sinks, "DRAIN_S_MAX", 0.5)
    monkeypatch.setattr(event_sink, "STOP_S_MAX", 0.5)
    with EventSinks(COMMAND, [start("toy", toy)]) as sinks:
        sinks.put(Event(kind="hang", id="1"))
        children = psutil.Process().children()
    assert sinks.status()["one"]["lost"] == 1
    assert not any(child.is_running() and "sink" in child.cmdline() for child in children)


def test_one_sink_does_not_delay_another(toy: Path, tmp_path: Path) -> None:
    starts = [start("toy", toy), SinkStart(kind="jsonl", name="two", device="d", folder=str(tmp_path), options={"path": "e"})]
    (toy / "away").touch()
    with EventSinks(COMMAND, starts) as sinks:
        for number in range(10):
            sinks.put(Event(kind="visit", id=str(number)))
        ends_s = time.monotonic() + 120
        while sinks.status()["two"]["written"] < 10:
            assert time.monotonic() < ends_s
            time.sleep(0.01)
        assert sinks.status()["one"]["written"] == 0
