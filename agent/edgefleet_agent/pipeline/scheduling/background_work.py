"""Work that runs on a slot's model while no frame waits: calls of the local inference API. Frames always go first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from edgefleet_agent.backends.base import Session
from edgefleet_agent.pipeline.model.loaded_model import LoadedModel


class BackgroundWork(Protocol):
    """The guest of one slot."""

    def ready_in_s(self) -> float | None:
        """Seconds until it has work; None: not before it calls `wake`."""
        ...

    patient: bool
    """Whether it waits for ever where frames leave it no time, and never computes beside another lane."""

    def serve(self, session: Session) -> None:
        """Do one piece of it with the slot's session, on the lane's thread. Raises nothing."""
        ...


class BackgroundHost(Protocol):
    """Whoever brings guests."""

    def switched(self, slot: str, model: LoadedModel, wake: Callable[[], None]) -> BackgroundWork | None:
        """The slot has this model from now on. `wake` may be called from any thread."""
        ...
