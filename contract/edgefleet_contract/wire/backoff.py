"""Reconnect delays with jitter, so that devices that lost the same broker do not all reconnect at the same time."""

from __future__ import annotations


def full_jitter(tries: int, min_s: float, max_s: float, chance: float) -> float:
    """Seconds to wait before try number `tries` (from 0): uniform in 0..min(max, min * 2^tries).

    `chance` is uniform in [0, 1). After Marc Brooker, "Exponential Backoff And Jitter" (AWS, 2015).
    """
    return chance * float(min(max_s, min_s * 2.0 ** min(tries, 30)))
