"""Which models stay in memory when not all fit: those that were called last.

A model that had to give way is still on offer: the first call for it is answered with "being loaded, try again" (503 and
UNAVAILABLE with a hint), and it is loaded meanwhile, at the cost of the one that nobody called for longest.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping

from edgefleet_agent.serving.protocol.errors import CallError, Code
from edgefleet_contract.core.errors import EdgefleetError

log = logging.getLogger(__name__)

REASON = "unloaded: other models needed its memory"
RETRY_S = 1


class ModelCache:
    """The sizes of the models in memory, and the ones that are away. Changed with the repository's lock held.

    bytes_max: of all models together, 0 for no limit.
    """

    def __init__(self, bytes_max: int = 0) -> None:
        self.bytes_max = bytes_max
        self._sizes: dict[str, int] = {}
        self._away: set[str] = set()
        self._coming: set[str] = set()
        self._lock = threading.Lock()

    def moved_in(self, model: str, size_bytes: int) -> None:
        """A model was loaded; it took so much memory."""
        self._sizes[model] = size_bytes
        self._away.discard(model)

    def moved_out(self, model: str, *, comes_back: bool) -> None:
        """A model was unloaded. comes_back: a call loads it again."""
        self._sizes.pop(model, None)
        if comes_back:
            self._away.add(model)
        else:
            self._away.discard(model)

    def to_leave(self, arrived: str, called_ms: Mapping[str, int]) -> list[str]:
        """The models that have to give way to the one that has just arrived. called_ms: model -> when it was called last; one
        that is not named stays (others stand on it, or it is busy)."""
        leaving: list[str] = []
        total = sum(self._sizes.values())
        for model in sorted(called_ms, key=lambda each: called_ms[each]):
            if not self.bytes_max or total <= self.bytes_max:
                break
            if model != arrived and model in self._sizes:
                total -= self._sizes[model]
                leaving.append(model)
        return leaving

    def call_back(self, model: str, load: Callable[[str], None]) -> None:
        """Someone asks for a model that is not here. Nothing happens where it is not one of those that are away.

        Raises:
            CallError: it is being loaded now.
        """
        with self._lock:
            if model not in self._away:
                return
            if model not in self._coming:
                self._coming.add(model)
                threading.Thread(target=self._load, args=(model, load), name=f"load:{model}", daemon=True).start()
        raise CallError(Code.UNAVAILABLE, f"model '{model}' is being loaded; try again", RETRY_S)

    def _load(self, model: str, load: Callable[[str], None]) -> None:
        try:
            load(model)
        except EdgefleetError as error:
            log.warning("model %s could not be loaded again: %s", model, error)
            self._away.discard(model)
        finally:
            with self._lock:
                self._coming.discard(model)
