"""Restarts of a session in a process of its own, after the process ended (see `backends.restart_pause`)."""

from __future__ import annotations

import logging
import threading
from abc import abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

from edgefleet_agent.backends.base import Session
from edgefleet_agent.backends.contained import RuntimeFaultError
from edgefleet_agent.backends.restart_pause import RestartPause
from edgefleet_agent.core.clock import Clock, SystemClock
from edgefleet_contract.core.errors import MissingError, ModelError

log = logging.getLogger(__name__)

_WAIT_S = 0.1

Opened = TypeVar("Opened")


class RestartingSession(Session, Generic[Opened]):
    """A model in another process, which is started again after its end. Opened: the description of a loaded model."""

    def __init__(self, file: Path | str, prompt_restarts: int, clock: Clock | None) -> None:
        self._name = Path(file).name
        self._path = str(file)
        self._clock = clock or SystemClock()
        self._pause = RestartPause(self._clock, prompt_restarts)
        self._lock = threading.Lock()
        self._closed = False

    @property
    @abstractmethod
    def _runs(self) -> bool:
        """Whether there is a process with the model."""

    @abstractmethod
    def _start(self) -> Opened:
        """Start the process and load the model. Under the lock, or before any run."""

    @abstractmethod
    def _leave(self) -> None:
        """Give the process back, if there is one."""

    @abstractmethod
    def _fits(self, opened: Opened) -> bool:
        """Whether a model has the inputs and outputs of this session."""

    def recover(self, stopping: Callable[[], bool]) -> None:
        """Wait for the end of the pause after a lost process, and start the next one; again until it runs."""
        while not self._runs and not self._closed and not stopping():
            if (wait_s := self._pause.wait_s) > 0:
                self._clock.sleep(min(wait_s, _WAIT_S))
                continue
            with self._lock:
                try:
                    self._restart()
                except (ModelError, MissingError) as cause:
                    log.warning("%s: its process could not be started again: %s", self._path, cause)

    def _restart(self) -> None:
        """Start the process again, if its pause is over. Under the lock.

        Raises:
            RuntimeFaultError: it is not, or the session is closed. ModelError, MissingError: as the constructor.
        """
        if self._closed:
            raise RuntimeFaultError(f"{self._name}: the model was unloaded")
        if self._pause.wait_s > 0:
            raise RuntimeFaultError(f"{self._name}: {self._pause.reason()}")
        try:
            opened = self._start()
        except (ModelError, MissingError) as cause:
            self._lost(str(cause))
            raise
        if not self._fits(opened):
            self._lost("the file changed")
            raise RuntimeFaultError(f"{self._name}: the file changed; load the model again")

    def _lost(self, why: str) -> None:
        """Count a lost process and choose the pause before the next one. Under the lock."""
        self._pause.lost(why, ran=self._runs)
        self._leave()
        log.warning("%s: %s (%d times); it starts again in %.0f s", self._path, why, self._pause.losses, self._pause.pause_s)
