"""Values that cost more than an answer may take, because they count the whole fleet: computed now and then, for all callers.

A value is used again for `FRESH_S`, and for as long as keeps the computing below `COST_SHARE` of the time. An older one is
still returned, up to `STALE_TIMES` that age, while the next one is computed on a thread: so no caller waits as long as anybody
asks regularly. Values that cost little (`worth_keeping` is false) are computed for every caller, so that a small fleet's are
always current.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

from edgefleet_server.core.errors import StoreError

FRESH_S: Final = 1.0
COST_SHARE: Final = 0.05
STALE_TIMES: Final = 3.0
VALUES_MAX: Final = 128

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


@dataclass(slots=True)
class _Slot(Generic[V]):
    """The latest value of a key. `computed_s`: monotonic time before its computation; `values` is empty before the first."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    values: list[V] = field(default_factory=list)
    computed_s: float = float("-inf")
    fresh_s: float = 0.0
    refreshing: bool = False


class RecentValues(Generic[K, V]):
    """Values by key. Thread-safe."""

    def __init__(self, worth_keeping: Callable[[V], bool], clock: Callable[[], float] = time.monotonic) -> None:
        self._worth_keeping = worth_keeping
        self._clock = clock
        self._slots: OrderedDict[K, _Slot[V]] = OrderedDict()
        self._lock = threading.Lock()
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="counting")

    def close(self) -> None:
        """Wait for the running computation; later ones happen on the caller's thread."""
        self._pool.shutdown(cancel_futures=True)

    def get(self, key: K, compute: Callable[[], V]) -> V:
        """The value of `key`; `compute` may be called later on another thread, and brings its own connection.

        Raises:
            StoreError: `compute` raised it.
        """
        slot = self._slot(key)
        age_s = self._clock() - slot.computed_s
        if slot.values and age_s < slot.fresh_s * STALE_TIMES:
            value = slot.values[0]
            if age_s >= slot.fresh_s:
                self._refresh(slot, compute)
            return value
        with slot.lock:
            if slot.values and self._clock() - slot.computed_s < slot.fresh_s:
                return slot.values[0]  # another caller has just computed it
            return self._compute(slot, compute)

    def renew(self, key: K, compute: Callable[[], V]) -> V:
        """The value as of now, which is also kept for others.

        Raises:
            StoreError: `compute` raised it.
        """
        slot = self._slot(key)
        with slot.lock:
            return self._compute(slot, compute)

    def _slot(self, key: K) -> _Slot[V]:
        with self._lock:
            slot = self._slots.setdefault(key, _Slot())
            self._slots.move_to_end(key)
            while len(self._slots) > VALUES_MAX:
                self._slots.popitem(last=False)
            return slot

    def _compute(self, slot: _Slot[V], compute: Callable[[], V]) -> V:
        began_s = self._clock()
        value = compute()
        if self._worth_keeping(value):
            slot.fresh_s = max(FRESH_S, (self._clock() - began_s) / COST_SHARE)
            slot.computed_s, slot.values = began_s, [value]
        else:
            slot.values = []
        return value

    def _refresh(self, slot: _Slot[V], compute: Callable[[], V]) -> None:
        with self._lock:
            if slot.refreshing:
                return
            slot.refreshing = True
        try:
            self._pool.submit(self._refreshed, slot, compute)
        except RuntimeError:  # closed: the server stops
            slot.refreshing = False

    def _refreshed(self, slot: _Slot[V], compute: Callable[[], V]) -> None:
        try:
            with slot.lock:
                self._compute(slot, compute)
        except StoreError:
            pass  # the value grows too old, and the next caller gets the error
        finally:
            slot.refreshing = False
