"""One more session of a model, over several cores, for requests that come alone.

Whether there is any gain in it is known only when requests do come alone: it is opened then, on a thread of its own, and no
request waits for it. It is judged by such requests themselves, every second of which it answers: any other trial would compete
with them for the cores. Where it answers hardly sooner, it is closed and the single-threaded ones go on.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from statistics import median

from edgefleet_agent.backends.base import Session
from edgefleet_contract.core.errors import EdgefleetError

log = logging.getLogger(__name__)

LONE_MIN = 8
"""Requests that have to come alone before it is worth trying; eight times as many before the next try."""
PAIRS = 8
"""Requests of each kind in a trial."""
TRIES_MAX = 3
"""A machine that is busy at the moment shows nothing: it is tried again, but not for ever."""
GAIN_MAX = 0.75
"""A lone request runs on several cores where that takes at most this part of its time on one."""


class MultiCoreSession:
    """open_session: opens it and warms it up. `session` and `ran_alone` for requests that come alone, so one at a time."""

    def __init__(self, model: str, open_session: Callable[[], Session]) -> None:
        self._model = model
        self._open_session = open_session
        self._session: Session | None = None
        self._lock = threading.Lock()
        self._lone = 0
        self._wanted = LONE_MIN
        self._tries = TRIES_MAX
        self._trial: SessionTrial | None = None
        self._opening = False
        self._closed = False

    @property
    def session(self) -> Session | None:
        """The one to use for this request; None: a single-threaded one."""
        trial = self._trial
        return self._session if trial is None or trial.wide_next else None

    def ran_alone(self, took_s: float, wide: bool) -> None:
        """A request that came alone took so long, on several cores or on one."""
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
            if self._lone < self._wanted:
                return
            self._opening = True
            self._tries -= 1
        threading.Thread(target=self._open, name=f"serve:{self._model}:wide", daemon=True).start()

    def close(self) -> None:
        """Give it back; one that is just being opened is given back then. Nobody may be using it any more."""
        with self._lock:
            self._closed = True
            session, self._session = self._session, None
        if session is not None:
            session.close()

    def _open(self) -> None:
        try:
            session = self._open_session()
        except EdgefleetError as cause:
            log.warning("model %s: no session over several cores: %s", self._model, cause)
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
        """The trial is over: keep the session, or close it, which nobody uses now. Under the lock."""
        wide_s, narrow_s = trial.times_s()
        self._trial = None
        if wide_s > GAIN_MAX * narrow_s and self._session is not None:
            self._session.close()
            self._session = None
            self._lone = 0
            self._wanted *= 8
        log.info(
            "model %s: a lone request takes %.1f ms on several cores, %.1f ms on one", self._model, wide_s * 1e3, narrow_s * 1e3
        )


class SessionTrial:
    """Lone requests in turn on several cores and on one."""

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
        """The middle ones, of several cores and of one."""
        return median(self._wide_s), median(self._narrow_s)
