"""Traffic split: shares of the calls that name no version, for a canary or a comparison of two versions.

Shares are exact over time, not random: 10 % of a hundred calls are ten, evenly spread. All requests of one sequence go to the
version of its first request.
"""

from __future__ import annotations

import threading
import zlib
from collections.abc import Mapping

from edgefleet_agent.serving.protocol.errors import invalid

SHARES_MAX = 16
WEIGHT_MAX = 1_000_000


class TrafficSplit:
    """Weights of versions, as ratios. Any thread.

    Raises:
        CallError: no version has a weight, there are too many, or a weight is not a whole number.
    """

    def __init__(self, weights: Mapping[str, object]) -> None:
        for version, weight in weights.items():
            if type(weight) is not int or not 0 <= weight <= WEIGHT_MAX:
                raise invalid(f"the share of version {version} must be a whole number from 0 to {WEIGHT_MAX}")
        self.weights = {version: weight for version, weight in weights.items() if isinstance(weight, int)}
        self._total = sum(self.weights.values())
        if len(self.weights) > SHARES_MAX or not self._total:
            raise invalid(f"a split requires 1 to {SHARES_MAX} versions and a share above 0")
        self._credit = dict.fromkeys(self.weights, 0)
        self._lock = threading.Lock()

    def choose(self) -> str:
        """The version for the next call: smooth weighted round-robin."""
        with self._lock:
            for version, weight in self.weights.items():
                self._credit[version] += weight
            best = max(self._credit, key=self._credit.__getitem__)
            self._credit[best] -= self._total
            return best

    def choose_for(self, key: int | str) -> str:
        """The version for all calls with this key."""
        remainder = zlib.crc32(str(key).encode()) % self._total
        for version, weight in self.weights.items():
            if remainder < weight:
                return version
            remainder -= weight
        raise AssertionError("the weights add up to the total")
