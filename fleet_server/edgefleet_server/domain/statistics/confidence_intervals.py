"""Confidence intervals for means over devices and for shares of devices.

The device is the unit: it was assigned to an arm, its samples depend on each other and are no evidence about other devices. So
each device gives one number, and the means of these numbers are compared.

Student, "The probable error of a mean", Biometrika 6 (1908). B. L. Welch, "The generalization of Student's problem when several
different population variances are involved", Biometrika 34 (1947). E. B. Wilson, "Probable inference, the law of succession, and
statistical inference", JASA 22 (1927). R. G. Newcombe, "Interval estimation for the difference between independent proportions",
Statistics in Medicine 17 (1998), method 10. Quantiles of Student's t from the incomplete beta function by Lentz's continued
fraction (Press et al., "Numerical Recipes", 6.4).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist, fmean, variance
from typing import Final

FRACTIONS_MAX: Final = 300
TINY: Final = 1e-300


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate and its confidence limits, None if there are too few devices for them. `devices`: the size of the sample."""

    devices: int
    value: float
    low: float | None
    high: float | None


def of_mean(values: Sequence[float], confidence: float) -> Interval:
    """The mean over devices (at least one), with Student's interval; `confidence` in 0 to 1."""
    count, mean = len(values), fmean(values)
    if count < 2:
        return Interval(count, mean, None, None)
    half = t_quantile(0.5 + confidence / 2.0, count - 1) * math.sqrt(variance(values) / count)
    return Interval(count, mean, mean - half, mean + half)


def of_difference(first: Sequence[float], second: Sequence[float], confidence: float) -> Interval:
    """Mean of `second` less mean of `first`, with Welch's interval: the arms may differ in spread and in size."""
    count, value = len(first) + len(second), fmean(second) - fmean(first)
    if min(len(first), len(second)) < 2:
        return Interval(count, value, None, None)
    parts = [variance(values) / len(values) for values in (first, second)]
    spread = sum(parts)
    if spread <= 0.0:
        return Interval(count, value, value, value)
    freedom = spread**2 / sum(part**2 / (len(values) - 1) for part, values in zip(parts, (first, second), strict=True))
    half = t_quantile(0.5 + confidence / 2.0, freedom) * math.sqrt(spread)
    return Interval(count, value, value - half, value + half)


def of_share(found: int, tried: int, confidence: float) -> Interval:
    """A share of devices (at least one), with Wilson's score interval."""
    return Interval(tried, *_wilson(found, tried, confidence))


def _wilson(found: int, tried: int, confidence: float) -> tuple[float, float, float]:
    share, z = found / tried, NormalDist().inv_cdf(0.5 + confidence / 2.0)
    centre = (share + z * z / (2 * tried)) / (1 + z * z / tried)
    half = z / (1 + z * z / tried) * math.sqrt(share * (1 - share) / tried + z * z / (4 * tried * tried))
    return share, max(0.0, centre - half), min(1.0, centre + half)


def of_share_difference(first: tuple[int, int], second: tuple[int, int], confidence: float) -> Interval:
    """Share of `second` less share of `first`, each (found, tried), with Newcombe's hybrid score interval."""
    (one, one_low, one_high), (two, two_low, two_high) = (_wilson(*pair, confidence) for pair in (first, second))
    below, above = math.hypot(two - two_low, one_high - one), math.hypot(two_high - two, one - one_low)
    return Interval(first[1] + second[1], two - one, two - one - below, two - one + above)


def t_quantile(probability: float, freedom: float) -> float:
    """The quantile of Student's t distribution with `freedom` > 0 degrees of freedom, for `probability` in 0.5 to below 1."""
    low, high = 0.0, 1.0
    while t_below(high, freedom) < probability:
        low, high = high, high * 2.0
    for _ in range(100):
        middle = (low + high) / 2.0
        low, high = (middle, high) if t_below(middle, freedom) < probability else (low, middle)
    return (low + high) / 2.0


def t_below(t: float, freedom: float) -> float:
    """The probability that Student's t lies below `t` >= 0."""
    return 1.0 - 0.5 * _beta(freedom / (freedom + t * t), freedom / 2.0, 0.5)


def _beta(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function."""
    if x <= 0.0 or x >= 1.0:
        return min(1.0, max(0.0, x))
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x))
    if x < (a + 1.0) / (a + b + 2.0):
        return front * _fraction(x, a, b) / a
    return 1.0 - front * _fraction(1.0 - x, b, a) / b


def _fraction(x: float, a: float, b: float) -> float:
    c, d = 1.0, 1.0 - (a + b) * x / (a + 1.0)
    d = 1.0 / (d if abs(d) > TINY else TINY)
    found = d
    for m in range(1, FRACTIONS_MAX):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            d = 1.0 + term * d
            d = 1.0 / (d if abs(d) > TINY else TINY)
            c = 1.0 + term / c
            c = c if abs(c) > TINY else TINY
            found *= c * d
        if abs(c * d - 1.0) < 1e-14:
            break
    return found
