"""An additional session of a model over several cores, for lone requests.

It is opened once several requests came alone, on a thread of its own, so that no request waits for it. A trial compares it with a
single-threaded session: lone requests alternate between the two. If it is not clearly faster, it is closed.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from statistics import median

from edgefleet_agent.backends.base import Session
from edgefleet_agent.backends.contained import as_runtime_fault
from edgefleet_contract.core.errors import EdgefleetError

log = logging.getLogger(__name__)

LONE_MIN = 8
"""Lone requests before the first trial; eight times as many before the next one."""
PAIRS = 8
"""Requests on each session in a trial."""
TRIES_MAX = 3
"""Limit of trials: on a busy machine a trial may fail by chance."""
GAIN_MAX = 0.75
"""The session is kept if a lone request takes at most this ratio of its time on one core."""


class MultiCoreSession:
    """The additional session of one model. open_session: opens the session and warms it up. `session` and `ran_alone` are for
    lone requests, and thus called one at a time."""

    def __init__(self, model: str, open_session: Callable[[], Session]) -> None:
        self._model = model
        self._open_session = open_session
        self._session: Session | None = None
        self._lock = threading.Lock()
        self._lone = 0
        self._lone_required = LONE_MIN
        self._tries = TRIES_MAX
        self._trial: SessionTrial | None = None
        self._opening = False
        self._closed = False

    @property
    def session(self) -> Session | None:
        """The session for this request; None: a single-threaded one."""
        trial = self._trial
        return self._session if trial is None or trial.wide_next else None

    def ran_alone(self, took_s: float, wide: bool) -> None:
        """Record the duration of a lone request. wide: it ran on several cores."""
        with self._lock:
            if self._closed:
                return
            if self._trial is not None:
                self._trial.note(took_s, wide)
                if self._trial.over:
                    self._judge(self._trial)
                return
            if self._session is not None or self._opening or not self._tries:
                return
            self._lone += 1
            if self._lone < self._lone_required:
                return
            self._opening = True
            self._tries -= 1
        threading.Thread(target=self._open, name=f"serve:{self._model}:wide", daemon=True).start()

    def close(self) -> None:
        """Close the session, also one that is being opened. No request may be running on it."""
        with self._lock:
            self._closed = True
            session, self._session = self._session, None
        if session is not None:
            session.close()

    def _open(self) -> None:
        try:
            with as_runtime_fault("the session over several cores"):
                session = self._open_session()
        except EdgefleetError as cause:
            log.warning("model %s: no multi-core session: %s", self._model, cause)
            self._tries = 0
            return
        with self._lock:
            self._opening = False
            if not self._closed:
                self._trial = SessionTrial()
                self._session = session
                return
        session.close()

    def _judge(self, trial: SessionTrial) -> None:
        """End a trial: keep the session, or close it (no request runs on it now). Under the lock."""
        wide_s, narrow_s = trial.times_s()
        self._trial = None
        if wide_s > GAIN_MAX * narrow_s and self._session is not None:
            self._session.close()
            self._session = None
            self._lone = 0
            self._lone_required *= 8
        log.info(
            "model %s: a single request takes %.1f ms on several cores, %.1f ms on one", self._model, wide_s * 1e3, narrow_s * 1e3
        )


class SessionTrial:
    """Durations of lone requests, alternately on several cores and on one."""

    def __init__(self) -> None:
        self._wide_s: list[float] = []
        self._narrow_s: list[float] = []

    @property
    def wide_next(self) -> bool:
        return len(self._wide_s) <= len(self._narrow_s)

    @property
    def over(self) -> bool:
        return min(len(self._wide_s), len(self._narrow_s)) >= PAIRS

    def note(self, took_s: float, wide: bool) -> None:
        (self._wide_s if wide else self._narrow_s).append(took_s)

    def times_s(self) -> tuple[float, float]:
        """The medians, of several cores and of one."""
        return median(self._wide_s), median(self._narrow_s)
