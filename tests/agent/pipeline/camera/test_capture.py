"""Sources that are lost and recover, hang, and change."""

from __future__ import annotations

import itertools
import socket
import threading
import time
from collections.abc import Callable, Iterator
from queue import Queue

import numpy as np
import pytest

from edgefleet_agent.pipeline.camera.capture import Capture
from edgefleet_agent.sources.base import Source, SourceInfo
from edgefleet_agent.sources.cameras.synthetic import SyntheticSource
from edgefleet_agent.sources.reconnect_state import SENDS_NOTHING
from edgefleet_agent.vision.frame import Frame
from edgefleet_contract.core.errors import PipelineError
from edgefleet_contract.pipeline.spec import SourceSpec
from tests.agent.fakes.cameras import RtspCamera, TcpCamera, free_port, no_rtsp_server

pytestmark = pytest.mark.alone

WAIT_S = 30.0
needs_rtsp_server = pytest.mark.skipif(bool(no_rtsp_server()), reason=no_rtsp_server() or "there is one")


class Pulled:
    """A capture and the thread that pulls it."""

    def __init__(self, spec: SourceSpec, make: Callable[[SourceSpec], Source] | None = None) -> None:
        self.faults: Queue[tuple[str, bool]] = Queue()
        self.capture = Capture(spec, lambda text, over: self.faults.put((text, over)), make=make)
        self._news = threading.Condition()
        self.frames: list[tuple[int, float, int]] = []
        self._thread = threading.Thread(target=self._pull, daemon=True)
        self._thread.start()

    def _pull(self) -> None:
        for frame in self.capture.frames():
            with self._news:
                self.frames.append((frame.index, frame.media_s, frame.width))
                self._news.notify_all()

    def wait_for(self, count: int = 1, width: int = 0) -> None:
        """Wait for `count` more frames, of `width` if given."""
        with self._news:
            start = len(self.frames)
            arrived = self._news.wait_for(
                lambda: sum(not width or frame[2] == width for frame in self.frames[start:]) >= count, WAIT_S
            )
            assert arrived, f"{self.frames[start:]}, {self.capture.state}, {list(self.faults.queue)}"

    def fault(self) -> tuple[str, bool]:
        return self.faults.get(timeout=WAIT_S)

    def recovery(self) -> list[str]:
        """The causes that are reported before the source has recovered, which is the last report."""
        causes = []
        while not (report := self.fault())[1]:
            causes.append(report[0])
        assert self.faults.empty()
        assert len(set(causes)) == len(causes), "each once, after any number of attempts"
        return causes

    def close(self) -> None:
        self.capture.close()
        self._thread.join(WAIT_S)
        assert not self._thread.is_alive()


@pytest.fixture
def pulled() -> Iterator[Callable[..., Pulled]]:
    made: list[Pulled] = []

    def make(*arguments: object, **options: object) -> Pulled:
        made.append(Pulled(*arguments, **options))  # type: ignore[arg-type]  # passed on as they are
        return made[-1]

    yield make
    for one in made:
        one.close()


@needs_rtsp_server
def test_a_camera_is_killed_rebooted_with_another_size_frozen_and_thawed(pulled: Callable[..., Pulled]) -> None:
    with RtspCamera(login=("admin", "geheim")) as camera:
        hall = pulled(SourceSpec(kind="rtsp", uri=camera.url(), options={"read_timeout_s": 1.0}))
        text, over = hall.fault()
        assert not over
        assert "does not respond" in text
        assert "geheim" not in text
        assert hall.capture.state == "source_lost"
        camera.on()
        hall.wait_for(width=320)
        assert hall.capture.state == "running"
        hall.recovery()
        camera.kill()
        assert not hall.fault()[1]
        camera.on(640, 480, codec="jpeg")
        hall.wait_for(width=640)
        hall.recovery()
        camera.freeze()
        text, over = hall.fault()
        assert not over
        assert "stopped sending" in text
        assert hall.capture.state == "stalled"
        camera.thaw()
        hall.wait_for(count=3)
        hall.recovery()
        assert hall.capture.reason == ""
        assert {fault.state.value for fault in hall.capture.faults} == {"source_lost", "stalled"}
    indices, times, _ = zip(*hall.frames, strict=True)
    assert list(indices) == sorted(set(indices))
    assert list(times) == sorted(set(times))
    away = [after - before for before, after in itertools.pairwise(indices) if after - before > 5]
    assert len(away) == 2  # missing frames have numbers, too


def babble(connection: socket.socket) -> None:
    """Answers as a server that is no camera, at a camera's address: random bytes after a valid first answer."""
    connection.recv(4096)
    connection.sendall(b"RTSP/1.0 200 OK\r\nCSeq: 1\r\nPublic: DESCRIBE, SETUP, PLAY\r\n\r\n")
    dice = np.random.default_rng(5)
    for _ in range(1000):
        connection.sendall(dice.bytes(4096))


@needs_rtsp_server
def test_garbage_where_a_camera_was_is_reported_and_then_the_camera_again(pulled: Callable[..., Pulled]) -> None:
    with RtspCamera() as camera:
        camera.on()
        hall = pulled(SourceSpec(kind="rtsp", uri=camera.url(), options={"open_timeout_s": 1.0, "read_timeout_s": 1.0}))
        hall.wait_for(width=320)
        camera.kill()
        with TcpCamera(babble, camera.port):
            assert not hall.fault()[1]
            losses = hall.capture.losses_total
            for _ in range(300):  # several attempts are answered with garbage
                if hall.capture.losses_total >= losses + 2:
                    break
                time.sleep(0.1)
            assert hall.capture.losses_total >= losses + 2
            assert hall.capture.state in ("source_lost", "stalled")
            present = hall.capture.reason
            assert present
        camera.on()
        hall.wait_for(count=3, width=320)
        assert present in hall.recovery()


@needs_rtsp_server
def test_one_dead_camera_touches_none_of_seven(pulled: Callable[..., Pulled]) -> None:
    with RtspCamera() as camera, RtspCamera() as frozen:
        camera.on(160, 120, rate=10)
        frozen.on(160, 120, rate=10)
        dead = pulled(SourceSpec(kind="rtsp", uri=f"rtsp://127.0.0.1:{free_port()}/main"))
        stuck = pulled(SourceSpec(kind="rtsp", uri=frozen.url()))
        stuck.wait_for()
        alive = [pulled(SourceSpec(kind="rtsp", uri=camera.url())) for _ in range(6)]
        for one in alive:
            one.wait_for()
        frozen.freeze()
        assert not stuck.fault()[1], "silent, or on a busy machine hanging: lost either way"
        for one in alive:
            one.wait_for(count=5)
            assert one.capture.losses_total == 0
            assert one.faults.empty()
            indices = [index for index, _, _ in one.frames]
            assert indices == list(range(len(indices)))
        assert dead.capture.state == "source_lost"


class Hanging(SyntheticSource):
    """A decoder that does not return from its third picture, in the first instances."""

    def __init__(self, spec: SourceSpec, released: threading.Event) -> None:
        super().__init__(spec)
        self._released = released

    def frames(self) -> Iterator[Frame]:
        for frame in super().frames():
            if frame.index == 3:
                self._released.wait()
            yield frame


def test_a_decoder_that_hangs_is_abandoned(pulled: Callable[..., Pulled]) -> None:
    released = threading.Event()
    made: list[Source] = []

    def make(spec: SourceSpec) -> Source:
        made.append(Hanging(spec, released) if len(made) < 2 else SyntheticSource(spec))  # the first only checks options
        return made[-1]

    one = pulled(SourceSpec(kind="synthetic", options={"width": 64, "height": 48}), make=make)
    assert one.fault() == (SENDS_NOTHING, False)
    text, over = one.fault()
    assert not over
    assert "the source hangs" in text
    assert one.capture.reason == text
    one.wait_for(count=10)
    assert one.fault() == ("the source delivers frames again", True)
    assert len(made) == 3
    assert made[1].closing.is_set()
    released.set()


class Ending(SyntheticSource):
    """The base source with a delayed `open`."""

    def open(self) -> SourceInfo:
        if self.closing.wait(0.1):
            return SourceInfo(0, 0, 1.0)
        return super().open()


def test_the_end_of_a_live_source_is_no_loss(pulled: Callable[..., Pulled]) -> None:
    one = pulled(SourceSpec(kind="synthetic", options={"duration_s": 0.2, "width": 64, "height": 48}), make=Ending)
    one.wait_for(count=5)
    one.close()
    assert one.capture.state == "ended"
    assert one.faults.empty()


def test_what_cannot_work_is_refused_before_anything_starts() -> None:
    with pytest.raises(PipelineError, match="unknown source 'tape'"):
        Capture(SourceSpec(kind="tape"), lambda *_: None)
    with pytest.raises(PipelineError, match="invalid URL"):
        Capture(SourceSpec(kind="rtsp", uri="hall"), lambda *_: None)
