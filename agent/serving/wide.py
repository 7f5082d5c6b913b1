"""One more session of a model, over several cores, for requests that come alone.

Whether there is any gain in it is known only when requests do come alone: it is opened then, on a thread of its own, and tried
there. No request waits for it; until it is there, and where it answers hardly sooner, the single-threaded ones go on with them.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from agent.backends.base import Session
from agent.errors import EdgefleetError

log = logging.getLogger(__name__)

LONE_MIN = 8
"""Requests that have to come alone before it is worth trying; eight times as many before the next try."""
TRIES_MAX = 3
"""A machine that is busy at the moment shows nothing: it is tried again, but not for ever."""
GAIN_MAX = 0.75
"""A lone request runs on several cores where that takes at most this part of its time on one."""


class WideSession:
    """trial: opens the session and warms it up; it, and seconds of its quickest run.

    `session` and `ran_alone` from any thread.
    """

    def __init__(self, model: str, trial: Callable[[], tuple[Session, float]]) -> None:
        self._model = model
        self._trial = trial
        self._session: Session | None = None
        self._lock = threading.Lock()
        self._lone = 0
        self._wanted = LONE_MIN
        self._best_s = float("inf")
        self._tries = TRIES_MAX
        self._opening = False
        self._closed = False

    @property
    def session(self) -> Session | None:
        """The session, None while there is none."""
        return self._session

    def ran_alone(self, took_s: float) -> None:
        """A request that came alone took so long on one core."""
        with self._lock:
            if self._opening or self._closed or not self._tries:
                return
            self._lone += 1
            self._best_s = min(self._best_s, took_s)
            if self._lone < self._wanted:
                return
            self._opening = True
            self._tries -= 1
        threading.Thread(target=self._open, args=(self._best_s,), name=f"serve:{self._model}:wide", daemon=True).start()

    def close(self) -> None:
        """Give it back; one that is just being opened is given back then. Nobody may be using it any more."""
        with self._lock:
            self._closed = True
            session, self._session = self._session, None
        if session is not None:
            session.close()

    def _open(self, narrow_s: float) -> None:
        try:
            session, took_s = self._trial()
        except EdgefleetError as cause:
            log.warning("model %s: no session over several cores: %s", self._model, cause)
            self._tries = 0
            return
        with self._lock:
            gains = took_s <= GAIN_MAX * narrow_s and not self._closed
            if gains:
                self._session = session  # `_opening` stays: there is nothing more to try
            else:
                self._lone, self._best_s = 0, float("inf")
                self._wanted *= 8
                self._opening = False
        if not gains:
            session.close()
        log.info(
            "model %s: a lone request takes %.1f ms on several cores, %.1f ms on one", self._model, took_s * 1e3, narrow_s * 1e3
        )
