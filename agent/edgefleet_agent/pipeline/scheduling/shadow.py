"""Runs a candidate on frames that its incumbent has just answered, and measures how far the two agree.

The candidate is patient background work of its own slot (`background_work`): it computes only while all cameras leave idle time
and no other model thread computes, on a thread of the lowest priority, for a share of the time, and not while the device is hot.
It computes the newest frame; frames that arrive while it is busy are skipped.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from edgefleet_agent.backends.base import Session
from edgefleet_agent.pipeline.model.loaded_model import LoadedModel
from edgefleet_agent.vision.agreement import LabelledResult, agreement, confidence, is_empty
from edgefleet_agent.vision.frame import Frame
from edgefleet_agent.vision.results import Result
from edgefleet_contract.core.errors import MissingError, ModelError
from edgefleet_contract.wire.messages import ShadowGauges, StageLatency

SHARE: Final = 0.2
"""Largest share of the time that it computes."""
HOT_C: Final = 75.0
TEMPERATURE_POLL_S: Final = 2.0
"""Interval between two readings of the temperature."""
NICE: Final = 19
STALE_S: Final = 1.0
"""Age after which a waiting frame is dropped, because it holds memory."""
WINDOW_MAX: Final = 512
ROOM_BYTES: Final = 128 * 1024 * 1024
"""Memory to leave free in addition to twice the size of a candidate's files."""


@dataclass(slots=True)
class _OfferedFrame:
    frame: Frame
    view: LabelledResult
    floor: float
    invoke_ms: float
    at_s: float


@dataclass(slots=True)
class _Window:
    """Results since the last report; at most `WINDOW_MAX` frames.

    A frame is counted as offered once it was computed or dropped, so no window has more results than offered frames.
    """

    agreements: list[float] = field(default_factory=list)
    empty: int = 0
    invoke_ms: list[float] = field(default_factory=list)
    incumbent_ms: list[float] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)
    incumbent_scores: list[float] = field(default_factory=list)
    errors: int = 0
    offered: int = 0


class Shadow:
    """The candidate of one slot. `offer` is called by the incumbent's model thread, `serve` by its own."""

    patient = True

    def __init__(
        self, model: LoadedModel, digest: str, wake: Callable[[], None], temperature_c: Callable[[], float | None]
    ) -> None:
        self.digest = digest
        self._model = model
        self._wake = wake
        self._temperature_c = temperature_c
        self._lock = threading.Lock()
        self._offered: _OfferedFrame | None = None
        self._window = _Window()
        self._not_before_s = 0.0
        self._temperature_at_s = 0.0
        self._hot = False
        self._lowered = False

    # Called by the incumbent's model thread.

    def offer(self, frame: Frame, result: Result, incumbent: LoadedModel, floor: float, invoke_ms: float) -> None:
        """Take over a frame that the incumbent answered."""
        offered = _OfferedFrame(frame, LabelledResult(result, incumbent.labels), floor, invoke_ms, time.monotonic())
        with self._lock:
            self._drop_waiting()
            self._offered = offered
        self._wake()

    # Called by its own model thread.

    def ready_in_s(self) -> float | None:
        """See `BackgroundWork`."""
        now_s = time.monotonic()
        with self._lock:
            if self._offered is not None and now_s - self._offered.at_s > STALE_S:
                self._drop_waiting()
            waits = self._offered is not None
        if not waits:
            return None
        return max(0.0, self._not_before_s - now_s)

    def serve(self, session: Session) -> None:
        """See `BackgroundWork`: compute the newest frame."""
        if session is not self._model.session:
            return  # the slot has another candidate by now; this one may be closed
        self._lower_priority()
        now_s = time.monotonic()
        if self._is_hot(now_s):
            self._not_before_s = now_s + TEMPERATURE_POLL_S
            return
        with self._lock:
            offered, self._offered = self._offered, None
        if offered is None:
            return
        began_s = time.monotonic()
        try:
            found = self._model.infer(offered.frame, offered.floor, "shadow")
        except (ModelError, ValueError):
            with self._lock:
                self._window.offered += 1
                self._window.errors += 1
        else:
            self._count(offered, found.result, found.invoke_ms)
        took_s = time.monotonic() - began_s
        self._not_before_s = time.monotonic() + took_s * (1.0 / SHARE - 1.0)

    def _count(self, offered: _OfferedFrame, result: Result, invoke_ms: float) -> None:
        view = LabelledResult(result, self._model.labels)
        agreed, is_quiet = agreement(offered.view, view), is_empty(offered.view) and is_empty(view)
        with self._lock:
            window = self._window
            window.offered += 1
            if len(window.invoke_ms) >= WINDOW_MAX:
                return
            window.invoke_ms.append(invoke_ms)
            window.incumbent_ms.append(offered.invoke_ms)
            window.scores += confidence(result)
            window.incumbent_scores += confidence(offered.view.result)
            if agreed is None:
                window.errors += 1
            else:
                window.agreements.append(agreed)
                window.empty += is_quiet

    def _drop_waiting(self) -> None:
        """Drop the waiting frame, if any, and count it. The caller holds the lock."""
        if self._offered is not None:
            self._offered = None
            self._window.offered += 1

    def _lower_priority(self) -> None:
        """Set the lowest priority for this thread. Threads of the runtime would not get it, so a candidate is opened with one."""
        if not self._lowered:
            self._lowered = True
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)

    def _is_hot(self, now_s: float) -> bool:
        if now_s - self._temperature_at_s >= TEMPERATURE_POLL_S:
            self._temperature_at_s = now_s
            degrees = self._temperature_c()
            self._hot = degrees is not None and degrees >= HOT_C
        return self._hot

    # Called by the reporter.

    def drain(self) -> ShadowGauges:
        """Results since the last call."""
        with self._lock:
            window, self._window = self._window, _Window()
        frames = len(window.agreements)
        return ShadowGauges(
            model=self._model.manifest.id,
            model_digest=self.digest,
            frames=frames,
            frames_offered=window.offered,
            errors=window.errors,
            agreement=_mean(window.agreements),
            latency=_latency(window.invoke_ms),
            incumbent_latency=_latency(window.incumbent_ms),
            confidence=_mean(window.scores),
            incumbent_confidence=_mean(window.incumbent_scores),
            paused_by_heat=self._hot,
            frames_empty=window.empty,
        )


def check_room(folder: Path) -> None:
    """Check the free memory before a candidate is loaded.

    Raises:
        MissingError: there is too little free memory.
    """
    needed = 2 * sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) + ROOM_BYTES
    free = _available_bytes()
    if free is not None and free < needed:
        raise MissingError(f"shadow candidate requires {needed >> 20} MiB of memory, {free >> 20} MiB free")


def _available_bytes() -> int | None:
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    except OSError:  # another kind of system: unknown
        return None
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:")), None)


def _mean(values: list[float]) -> float:
    return round(sum(values) / len(values), 4) if values else 0.0


def _latency(values: list[float]) -> StageLatency:
    if not values:
        return StageLatency()
    ordered = sorted(values)
    p50, p95 = (ordered[min(len(ordered) - 1, int(share * len(ordered)))] for share in (0.5, 0.95))
    return StageLatency(round(p50, 3), round(p95, 3), round(ordered[-1], 3))
