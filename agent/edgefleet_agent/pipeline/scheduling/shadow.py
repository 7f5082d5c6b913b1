"""A candidate looks at frames that its incumbent has just answered, and how far the two agree is counted.

It is a guest of its own slot (`background_work`), a patient one: its lane computes only while every camera has slack and no
other lane computes, on a thread of the lowest priority, for a share of the time, and not at all while the device is hot. The
newest frame wins; frames that find it busy are not looked at by it.
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
from edgefleet_agent.vision.agreement import LabelledResult, agreement, confidence
from edgefleet_agent.vision.frame import Frame
from edgefleet_agent.vision.results import Result
from edgefleet_contract.core.errors import MissingError, ModelError
from edgefleet_contract.wire.messages import ShadowGauges, StageLatency

SHARE: Final = 0.2
"""Of the time that it may compute."""
HOT_C: Final = 75.0
LOOK_S: Final = 2.0
"""How often the temperature is looked at."""
NICE: Final = 19
STALE_S: Final = 1.0
"""A frame that waited so long is given up: it holds memory, and its cameras have gone on."""
WINDOW_MAX: Final = 512
ROOM_BYTES: Final = 128 * 1024 * 1024
"""Memory that is left to the device beside twice the files of a candidate."""


@dataclass(slots=True)
class _Shown:
    frame: Frame
    view: LabelledResult
    floor: float
    invoke_ms: float
    at_s: float


@dataclass(slots=True)
class _Window:
    """What was seen since the last report; bounded by `WINDOW_MAX` frames."""

    agreements: list[float] = field(default_factory=list)
    invoke_ms: list[float] = field(default_factory=list)
    incumbent_ms: list[float] = field(default_factory=list)
    sure: list[float] = field(default_factory=list)
    incumbent_sure: list[float] = field(default_factory=list)
    errors: int = 0
    offered: int = 0


class Shadow:
    """The candidate of one slot, as its guest. `offer` is called by the incumbent's lane, `serve` by its own."""

    patient = True

    def __init__(
        self, model: LoadedModel, digest: str, wake: Callable[[], None], temperature_c: Callable[[], float | None]
    ) -> None:
        self.digest = digest
        self._model = model
        self._wake = wake
        self._temperature_c = temperature_c
        self._lock = threading.Lock()
        self._shown: _Shown | None = None
        self._window = _Window()
        self._not_before_s = 0.0
        self._looked_s = 0.0
        self._hot = False
        self._lowered = False

    # What the incumbent's lane does.

    def offer(self, frame: Frame, result: Result, incumbent: LoadedModel, floor: float, invoke_ms: float) -> None:
        """The incumbent answered this frame."""
        shown = _Shown(frame, LabelledResult(result, incumbent.labels), floor, invoke_ms, time.monotonic())
        with self._lock:
            self._shown = shown
            self._window.offered += 1
        self._wake()

    # What its own lane does.

    def ready_in_s(self) -> float | None:
        """See `Guest`."""
        now_s = time.monotonic()
        with self._lock:
            if self._shown is not None and now_s - self._shown.at_s > STALE_S:
                self._shown = None
            waits = self._shown is not None
        if not waits:
            return None
        return max(0.0, self._not_before_s - now_s)

    def serve(self, session: Session) -> None:
        """See `Guest`: look at the newest frame."""
        if session is not self._model.session:
            return  # another candidate is in the slot by now; this one may be closed
        self._lower()
        now_s = time.monotonic()
        if self._is_hot(now_s):
            self._not_before_s = now_s + LOOK_S
            return
        with self._lock:
            shown, self._shown = self._shown, None
        if shown is None:
            return
        began_s = time.monotonic()
        try:
            found = self._model.infer(shown.frame, shown.floor, "shadow")
        except (ModelError, ValueError):
            with self._lock:
                self._window.errors += 1
        else:
            self._count(shown, found.result, found.invoke_ms)
        took_s = time.monotonic() - began_s
        self._not_before_s = time.monotonic() + took_s * (1.0 / SHARE - 1.0)

    def _count(self, shown: _Shown, result: Result, invoke_ms: float) -> None:
        agreed = agreement(shown.view, LabelledResult(result, self._model.labels))
        with self._lock:
            window = self._window
            if len(window.invoke_ms) >= WINDOW_MAX:
                return
            window.invoke_ms.append(invoke_ms)
            window.incumbent_ms.append(shown.invoke_ms)
            window.sure += confidence(result)
            window.incumbent_sure += confidence(shown.view.result)
            if agreed is None:
                window.errors += 1
            else:
                window.agreements.append(agreed)

    def _lower(self) -> None:
        """Its thread computes when nobody else wants to. A runtime's own threads were made by the loader's, so a candidate is
        opened with one thread."""
        if not self._lowered:
            self._lowered = True
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)

    def _is_hot(self, now_s: float) -> bool:
        if now_s - self._looked_s >= LOOK_S:
            self._looked_s = now_s
            degrees = self._temperature_c()
            self._hot = degrees is not None and degrees >= HOT_C
        return self._hot

    # What the reporter does.

    def drain(self) -> ShadowGauges:
        """What was seen since the last call."""
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
            confidence=_mean(window.sure),
            incumbent_confidence=_mean(window.incumbent_sure),
            hot=self._hot,
        )


def check_room(folder: Path) -> None:
    """Whether a candidate may be loaded beside what runs.

    Raises:
        MissingError: there is too little memory; nothing was changed.
    """
    needed = 2 * sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) + ROOM_BYTES
    free = _available_bytes()
    if free is not None and free < needed:
        raise MissingError(f"a candidate beside the incumbent needs {needed >> 20} MiB of memory, {free >> 20} MiB are free")


def _available_bytes() -> int | None:
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    except OSError:  # another kind of system: nothing is known
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
