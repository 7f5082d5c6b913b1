"""LRU eviction of models when not all fit into memory.

An evicted model can still be called: the first call gets "being loaded, try again" (503 or UNAVAILABLE with a retry hint) and
loads it again, which evicts the least recently called model.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping

from edgefleet_agent.backends.contained import as_runtime_fault
from edgefleet_agent.serving.protocol.errors import CallError, Code
from edgefleet_contract.core.errors import EdgefleetError

log = logging.getLogger(__name__)

REASON = "unloaded: other models needed its memory"
RETRY_S = 1


class ModelCache:
    """The sizes of the models in memory, and the evicted models. Changed with the repository's lock held.

    bytes_max: of all models together, 0 for no limit.
    """

    def __init__(self, bytes_max: int = 0) -> None:
        self.bytes_max = bytes_max
        self._sizes: dict[str, int] = {}
        self._away: set[str] = set()
        self._coming: set[str] = set()
        self._lock = threading.Lock()

    def admitted(self, model: str, size_bytes: int, *, reused: bool = False) -> None:
        """Record a loaded model and its memory. reused: a part of it stayed in memory, whose size was recorded before."""
        self._sizes[model] = max(size_bytes, self._sizes.get(model, 0)) if reused else size_bytes
        self._away.discard(model)

    def evicted(self, model: str, *, comes_back: bool) -> None:
        """Record an unloaded model. comes_back: a call loads it again."""
        self._sizes.pop(model, None)
        if comes_back:
            self._away.add(model)
        else:
            self._away.discard(model)

    def choose_evictions(self, arrived: str, called_ms: Mapping[str, int]) -> list[str]:
        """The models to evict for the one that was just loaded. called_ms: model -> time of its last call; models without a row
        stay (ensembles need them, or they are busy)."""
        leaving: list[str] = []
        total = sum(self._sizes.values())
        for model in sorted(called_ms, key=lambda each: called_ms[each]):
            if not self.bytes_max or total <= self.bytes_max:
                break
            if model != arrived and model in self._sizes:
                total -= self._sizes[model]
                leaving.append(model)
        return leaving

    def reload(self, model: str, load: Callable[[str], None]) -> None:
        """Load an evicted model again when it is called. Does nothing if the model was not evicted.

        Raises:
            CallError: the model is being loaded.
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
            with as_runtime_fault("unexpected exception"):
                load(model)
        except EdgefleetError as error:
            log.warning("model %s could not be loaded again: %s", model, error)
            self._away.discard(model)
        finally:
            with self._lock:
                self._coming.discard(model)
