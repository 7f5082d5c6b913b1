"""Work that runs on a slot's model while no frame waits: calls of the local inference API. Frames always go first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from edgefleet_agent.backends.base import Session
from edgefleet_agent.pipeline.model.loaded_model import LoadedModel


class BackgroundWork(Protocol):
    """Low-priority work on the model of one slot."""

    def ready_in_s(self) -> float | None:
        """Seconds until work is available; None: not before it calls `wake`."""
        ...

    patient: bool
    """Whether it waits without limit if frames leave no idle time, and never runs while another model thread computes."""

    def serve(self, session: Session) -> None:
        """Do one unit of work with the slot's session, on the model thread. Raises nothing."""
        ...


class BackgroundHost(Protocol):
    """Provides background work for slots."""

    def switched(self, slot: str, model: LoadedModel, wake: Callable[[], None]) -> BackgroundWork | None:
        """Called when the slot has a new model. Returns its background work, or None. `wake` may be called from any thread."""
        ...

    def ending(self) -> None:
        """Called once before the models are closed; blocks while running calls are answered, for seconds at most."""
        ...
