"""The worker as a real process; the tests take the supervisor's role."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import msgspec
import psutil
import pytest

from edgefleet_agent.recording.event_journal import read_found
from edgefleet_agent.recording.event_store import Query, search
from edgefleet_contract import worker_process as wire
from edgefleet_contract.encoding.codec import encode
from edgefleet_contract.pipeline.spec import PipelineSpec, SourceSpec, read_pipeline
from edgefleet_contract.wire.messages import Event, EventPhase
from edgefleet_contract.wire.reason_codes import Reason
from tests.import_path import import_path
from tests.packages import MakePackage

pytestmark = pytest.mark.system

ROOT = Path(__file__).resolve().parents[4]
WAIT_S = 60.0
FIRST, SECOND = "1" * 64, "2" * 64
PERSON = """
name = "hall"
[source]
kind = "file"
[[stages]]
name = "find"
kind = "detect"
model = "slot:detector"
labels = ["person"]
[[stages]]
name = "follow"
kind = "track"
[[rules]]
name = "visits"
kind = "visit"
gap_s = 2.0
"""
M = TypeVar("M", bound=wire.FromWorker)


class Supervisor:
    """One worker and the socket to it."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.line, theirs = socket.socketpair()
        self.line.settimeout(WAIT_S)
        environment = {**os.environ, "PYTHONPATH": import_path(), "TMPDIR": str(folder)}
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "edgefleet_agent", "worker", *options, "--fd", str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                cwd=folder,
                env=environment,
            )
        self._lines = self.line.makefile("rb")
        self._requests = 0
        self.messages: list[wire.FromWorker] = []

    def send(self, kind: type[wire.SetSlot | wire.SetPipelines | wire.Stop], **fields: object) -> int:
        """Send a request. Returns its number."""
        self._requests += 1
        self.line.sendall(encode(kind(request=self._requests, **fields)) + b"\n")  # type: ignore[arg-type]  # fields of `kind`
        return self._requests

    def next(self) -> wire.FromWorker | None:
        """The next message; None if the worker has closed the connection."""
        line = self._lines.readline()
        if not line:
            return None
        message: wire.FromWorker = msgspec.json.decode(line, type=wire.FromWorker)
        self.messages.append(message)
        return message

    def until(self, kind: type[M], condition: Callable[[M], bool] = lambda message: True) -> M:
        """The next message of `kind`; earlier messages are stored in `said`."""
        give_up_s = time.monotonic() + WAIT_S
        while time.monotonic() < give_up_s:
            message = self.next()
            assert message is not None, "the worker hung up"
            if isinstance(message, kind) and condition(message):
                return message
        raise AssertionError(f"no {kind.__name__} within {WAIT_S} s")

    def done(self, request: int) -> wire.Done:
        return self.until(wire.Done, lambda message: message.request == request)

    def events(self) -> list[Event]:
        return [message.event for message in self.messages if isinstance(message, wire.EventFound)]

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self._lines.close()
        self.line.close()


@pytest.fixture
def supervisor(tmp_path: Path) -> Iterator[Supervisor]:
    folder = tmp_path / "worker"
    folder.mkdir()
    made = Supervisor(folder)
    yield made
    made.close()


def hall(data: Path, pace: str = "fast") -> PipelineSpec:
    clip = data / "media/videos/worker-zone-detection.gif"
    source = msgspec.convert({"kind": "file", "uri": str(clip), "pace": pace, "loop": True}, SourceSpec)
    return msgspec.structs.replace(read_pipeline(PERSON, "test"), source=source)


def set_slot(supervisor: Supervisor, folder: Path, digest: str) -> wire.Done:
    return supervisor.done(
        supervisor.send(
            wire.SetSlot,
            slot="detector",
            package=folder.parent.name,
            version=folder.name,
            digest=digest,
            folder=str(folder),
            runtimes=["lite_rt", "onnx_runtime"],
        )
    )


def start(supervisor: Supervisor, data: Path, folder: Path, pace: str = "fast") -> Event:
    """A model, a pipeline, and its first event."""
    assert set_slot(supervisor, folder, FIRST).ok
    assert supervisor.done(supervisor.send(wire.SetPipelines, pipelines=[hall(data, pace)])).ok
    return supervisor.until(wire.EventFound).event


@pytest.mark.parametrize("pace", ["fast", "realtime"])
def test_a_swap_in_a_running_pipeline(supervisor: Supervisor, data: Path, package: MakePackage, pace: str) -> None:
    first = start(supervisor, data, package("ssd_mobilenet_v1"), pace)
    assert (first.phase, first.kind, first.label, first.model_digest) == (EventPhase.NEW, "visit", "person", FIRST)
    swapped = set_slot(supervisor, package("yolox_nano"), SECOND)
    assert swapped.running is not None
    assert (swapped.ok, swapped.frames_lost, swapped.running.digest, swapped.running.runtime) == (True, 0, SECOND, "onnx_runtime")
    assert swapped.gap_ms > 0
    gauges = supervisor.until(wire.Gauges, lambda message: message.pipelines["hall"].model_digest == SECOND).pipelines["hall"]
    assert (gauges.model, gauges.placement, gauges.state) == ("yolox_nano@1.0.0", "cpu", "running")
    beat = supervisor.until(wire.Heartbeat)
    assert beat.rss_bytes > 10_000_000
    assert beat.frames_total["detector"] > 10
    assert beat.errors_total == {"detector": 0}
    stopped = supervisor.send(wire.Stop)
    assert supervisor.done(stopped).ok
    last = next(event for event in supervisor.events() if event.id == first.id and event.phase is EventPhase.END)
    assert last.model_digest == SECOND
    if pace == "fast":
        assert last.coverage == 1.0  # every frame, before, during and after
    assert supervisor.next() is None
    assert supervisor.process.wait(WAIT_S) == 0


def test_what_cannot_be_done_is_answered(supervisor: Supervisor, data: Path, package: MakePackage, tmp_path: Path) -> None:
    start(supervisor, data, package("ssd_mobilenet_v1"))
    refused = set_slot(supervisor, tmp_path / "nothing" / "1.0.0", SECOND)
    assert (refused.ok, refused.reason) == (False, Reason.MANIFEST_INVALID)
    assert "model.toml" in refused.detail
    unfit = set_slot(supervisor, package("mobilenet_v2"), SECOND)
    assert (unfit.ok, unfit.reason) == (False, Reason.INCOMPATIBLE)
    bad = hall(data)
    bad.stages[0].kind = "segment"
    request = supervisor.send(wire.SetPipelines, pipelines=[bad])
    answer = supervisor.done(request)
    assert not answer.ok
    assert answer.detail.startswith("test:7: stage 'find': unknown kind 'segment'; known are classify, crops, detect")
    again = set_slot(supervisor, package("ssd_mobilenet_v1"), FIRST)
    assert (again.ok, again.load_ms) == (True, 0.0)  # it is already loaded
    before = supervisor.until(wire.Heartbeat).frames_total["detector"]
    supervisor.until(wire.Heartbeat, lambda message: message.frames_total["detector"] > before)


def test_a_folder_as_a_model(supervisor: Supervisor, data: Path, package: MakePackage) -> None:
    spec = hall(data)
    spec.stages[0].model = f"package:{package('ssd_mobilenet_v1')}"
    assert supervisor.done(supervisor.send(wire.SetPipelines, pipelines=[spec])).ok
    assert supervisor.until(wire.EventFound).event.model == "ssd_mobilenet_v1@1.0.0"


@pytest.mark.parametrize(
    "garbage",
    [b"\n", b"garbage\n", b"\xff\xfe\n", b"[1]\n", b"{}\n", b'{"type":"set_slot"}\n', b'{"type":"stop","request":"one"}\n',
     b"[" * 50_000 + b"\n", b"x" * 5_000_000 + b"\n"],
)  # fmt: skip
def test_garbage_is_reported_and_survived(supervisor: Supervisor, garbage: bytes) -> None:
    supervisor.line.sendall(garbage)
    assert supervisor.until(wire.WorkerFault).text
    assert supervisor.done(supervisor.send(wire.SetPipelines, pipelines=[])).ok


def test_the_end_of_the_line_ends_the_worker(supervisor: Supervisor, data: Path, package: MakePackage) -> None:
    start(supervisor, data, package("ssd_mobilenet_v1"))
    supervisor.line.shutdown(socket.SHUT_RDWR)
    assert supervisor.process.wait(WAIT_S) == 0


def test_kill_leaves_nothing_behind(supervisor: Supervisor, data: Path, package: MakePackage, tmp_path: Path) -> None:
    start(supervisor, data, package("ssd_mobilenet_v1"))
    children = psutil.Process(supervisor.process.pid).children(recursive=True)
    supervisor.process.send_signal(signal.SIGKILL)
    assert supervisor.process.wait(WAIT_S) == -signal.SIGKILL
    assert children == []
    assert list((tmp_path / "worker").rglob("*")) == []


PRESS = """
name = "press"
[source]
kind = "csv"
uri = "SERIES"
pace = "fast"
[[rules]]
name = "hot"
kind = "level"
channel = "heat"
above = 50.0
min_s = 0.0
"""


def test_events_of_a_worker_that_was_killed_and_of_whom_nothing_was_read(tmp_path: Path) -> None:
    """They are in its journal; the next worker stores them for searches, and removes what the supervisor has."""
    series, evidence = tmp_path / "press.csv", tmp_path / "evidence"
    series.write_text("time,heat\n" + "".join(f"{second},{90 if second % 10 == 5 else 20}\n" for second in range(100)))
    press = read_pipeline(PRESS.replace("SERIES", str(series)), "test")
    killed = Supervisor(tmp_path, "--evidence", str(evidence))
    killed.send(wire.SetPipelines, pipelines=[press])
    give_up_s = time.monotonic() + WAIT_S
    while len(list(read_found(evidence))) < 20 and time.monotonic() < give_up_s:
        time.sleep(0.02)
    killed.process.kill()
    killed.close()
    left = list(read_found(evidence))
    assert [found.event.phase for found in left] == [EventPhase.NEW, EventPhase.END] * 10
    assert [found.number for found in left] == list(range(1, 21))

    following = Supervisor(tmp_path, "--evidence", str(evidence), "--device", "d")
    following.until(wire.Heartbeat)
    following.line.sendall(encode(wire.EventsTaken(journal=left[0].journal, number=20)) + b"\n")
    assert following.done(following.send(wire.SetPipelines, pipelines=[])).ok
    following.send(wire.Stop)
    following.process.wait(WAIT_S)
    following.close()
    assert len([stored for stored in search(evidence, Query()) if not stored.open]) == 10
    assert list(read_found(evidence)) == []
