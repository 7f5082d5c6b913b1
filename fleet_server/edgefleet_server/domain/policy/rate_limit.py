"""A rate limit: a sliding window per key. Pure: time is an argument; memory is bounded."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Mapping
from typing import Final

from edgefleet_server.core.errors import TooManyError

KEYS_MAX: Final = 10_000


class RateLimit:
    """Counts tries. Not for several threads at once: the owner locks."""

    def __init__(self, window_s: float) -> None:
        self._window_s = window_s
        self._tries: OrderedDict[str, deque[float]] = OrderedDict()

    def take(self, limits: Mapping[str, int], now: float) -> None:
        """Count a try under every key, before its result is known, so that concurrent tries count as well.

        Raises:
            TooManyError: a key has reached its limit within the window; nothing was counted.
        """
        for key, limit in limits.items():
            tries = self._recent(key, now)
            if len(tries) >= limit:
                wait_s = max(1, int(tries[0] + self._window_s - now) + 1)
                raise TooManyError(f"too many attempts; wait {wait_s} s", wait_s)
        for key in limits:
            self._recent(key, now).append(now)

    def forgive(self, key: str) -> None:
        """Forget the tries of a key after a successful one."""
        self._tries.pop(key, None)

    def _recent(self, key: str, now: float) -> deque[float]:
        tries = self._tries.setdefault(key, deque())
        self._tries.move_to_end(key)
        while tries and tries[0] <= now - self._window_s:
            tries.popleft()
        while len(self._tries) > KEYS_MAX:
            self._tries.popitem(last=False)
        return tries
