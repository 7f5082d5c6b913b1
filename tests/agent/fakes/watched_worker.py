"""A real worker under a stand-in for the supervisor, and a watch of the frames that it answers."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from edgefleet_agent.core.clock import SystemClock
from edgefleet_agent.supervisor.worker.worker_process import WorkerProcess
from edgefleet_contract import worker_process as wire
from edgefleet_contract.pipeline.spec import read_pipeline
from edgefleet_contract.wire.messages import Running

WAIT_S = 60.0


class WatchedWorker:
    """Stand-in for the agent's supervision of a worker: watches it and sends the slots to run to a new one."""

    def __init__(self, folder: Path, pipeline: str, profile: str, runtimes: Sequence[str]) -> None:
        clock = SystemClock()
        self._now = clock.monotonic
        self._folder = folder
        self._profile = profile
        self._runtimes = list(runtimes)
        self._pipeline = read_pipeline(pipeline, "pipeline")
        self._incarnation = 0
        self.woken = threading.Event()
        self.worker = WorkerProcess([sys.executable, "-m", "edgefleet_agent", "worker", "--fd"], clock, self.woken.set)
        self.running: list[tuple[int, Running]] = []
        self.moved: list[str] = []
        self.frames = 0
        self.messages: list[wire.FromWorker] = []

    def turn(self) -> None:
        for message in self.worker.turn(self._now()):
            if isinstance(message, wire.WorkerFault) or (isinstance(message, wire.Done) and not message.ok):
                self.messages = [*self.messages, message][-5:]
            if isinstance(message, wire.Done | wire.DeviceMoved) and message.running is not None:
                self.running.append((self.worker.incarnation, message.running))
            if isinstance(message, wire.DeviceMoved):
                self.moved.append(message.detail)
            if isinstance(message, wire.Heartbeat):
                self.frames = message.frames_total.get("detector", 0)
        if self.worker.pid is not None and self._incarnation != self.worker.incarnation:
            self._incarnation = self.worker.incarnation
            slot = {"slot": "detector", "package": "p", "version": "1.0.0", "digest": "1" * 64, "profile": self._profile}
            self.worker.send(wire.SetSlot(request=1, folder=str(self._folder), runtimes=self._runtimes, threads=1, **slot))
            self.worker.send(wire.SetPipelines(request=2, pipelines=[self._pipeline]))

    def until(self, reached: Callable[[], bool], wait_s: float = WAIT_S) -> None:
        end_s = self._now() + wait_s
        while not reached():
            assert self._now() < end_s, f"{self.worker.crash_detail}, {self.running}, {self.messages}"
            self.turn()
            time.sleep(0.02)


class FrameWatch:
    """The longest time without a newly answered frame."""

    def __init__(self, device: WatchedWorker) -> None:
        self._device = device
        self._frames = device.frames
        self._since_s = time.monotonic()
        self.longest_s = 0.0

    def turn(self, for_s: float, reached: Callable[[], bool] = lambda: True, wait_s: float = 0.0) -> None:
        """Watch for some time, which counts as far as it goes; then up to `wait_s` longer, until something is reached."""
        ends_s = time.monotonic() + for_s
        while (now_s := time.monotonic()) < ends_s or (now_s < ends_s + wait_s and not reached()):
            self._device.turn()
            if self._device.frames != self._frames:
                self._frames, self._since_s = self._device.frames, now_s
            self.longest_s = max(self.longest_s, now_s - self._since_s)
            time.sleep(0.02)
