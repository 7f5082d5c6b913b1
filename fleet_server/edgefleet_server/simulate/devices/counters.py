"""Counters of a simulated fleet that every virtual device adds to, and a histogram of times."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from typing import Final

BUCKETS_PER_DOUBLING: Final = 8
SHORTEST_S: Final = 1e-4


class CountHistogram:
    """Times in buckets of equal ratio (9 % wide): a quantile is accurate within 5 %, regardless of the count."""

    def __init__(self) -> None:
        self._counts: Counter[int] = Counter()
        self.count = 0
        self.max_s = 0.0

    def add(self, seconds: float) -> None:
        """Count one time."""
        ratio = max(seconds, SHORTEST_S) / SHORTEST_S
        self._counts[int(math.log2(ratio) * BUCKETS_PER_DOUBLING)] += 1
        self.count += 1
        self.max_s = max(self.max_s, seconds)

    def quantile_s(self, share: float) -> float:
        """The middle of the bucket in which the quantile lies; 0 while empty."""
        rank, seen = share * self.count, 0
        for bucket in sorted(self._counts):
            seen += self._counts[bucket]
            if seen >= rank:
                return float(min(self.max_s, SHORTEST_S * 2.0 ** ((bucket + 0.5) / BUCKETS_PER_DOUBLING)))
        return 0.0


@dataclass(slots=True)
class Counters:
    """Counters of all devices together, since the start. `connections_refused`: connections that the broker refused because of a
    missing certificate or password; `fault`: error of the latest failed connection."""

    online: int = 0
    connections: int = 0
    lost_connections: int = 0
    connections_refused: int = 0
    fault: str = ""
    records_made: int = 0
    records_stored: int = 0
    records_lost: int = 0
    batches_sent: int = 0
    batches_sent_again: int = 0
    blocks: int = 0
    blocks_unasked: int = 0
    blocks_wrong: int = 0
    block_bytes: int = 0
    commands: int = 0
    updates: Counter[str] = field(default_factory=Counter)
    stored_after: CountHistogram = field(default_factory=CountHistogram)
