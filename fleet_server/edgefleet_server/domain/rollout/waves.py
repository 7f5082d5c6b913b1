"""Divides the devices of a rollout into waves and orders them."""

from __future__ import annotations

import hashlib
import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class WavePlan:
    """One wave of a plan: a share in percent of the devices, or a number of them, or those that carry every one of `labels`
    (these are in no other wave then). None of these = the rest."""

    name: str
    percent: float | None = None
    count: int | None = None
    labels: Mapping[str, str] = field(default_factory=dict)

    def takes(self, labels: Mapping[str, str]) -> bool:
        """Whether its `labels` select a device with these labels."""
        return bool(self.labels) and all(labels.get(key) == value for key, value in self.labels.items())


def takes_rest(percent: float | None, count: int | None, labels: Mapping[str, str]) -> bool:
    """Whether a wave of a request can be the last one: it has no size of its own, which would not be kept."""
    return count is None and not labels and percent in (None, 100.0)


def last_wave_fault(wave: str) -> str:
    """Text for a request whose last wave, as written in `wave`, has a size of its own."""
    return f"{wave!r} is the last wave and would take all remaining devices; end with a wave rest, for example 10%,rest"


def empty_text(*, by_labels: bool) -> str:
    """Say why a wave has no devices. Those of a wave without labels may have joined an earlier one that had too few to decide."""
    return "no device has its labels" if by_labels else "no devices left for it: earlier waves took them"


def not_drawn(following: str) -> str:
    """Say that a wave over the limit does not go on with devices of the wave `following`: one of the two is by labels."""
    return f"no device of wave {following!r} joins it, because waves by label are kept apart"


@dataclass(frozen=True, slots=True)
class Member:
    """A device that a rollout would update."""

    device: str
    profile: str
    online: bool
    labels: Mapping[str, str] = field(default_factory=dict, compare=False)


def sizes(plans: Sequence[WavePlan], total: int) -> list[int]:
    """Devices per wave. Each gets at least one while any are left; the last one takes the rest, regardless of its own share."""
    left = total
    result: list[int] = []
    for plan in plans[:-1]:
        if plan.count is not None:
            size = plan.count
        elif plan.percent is not None:
            size = math.ceil(total * plan.percent / 100.0)
        else:
            size = left
        result.append(min(left, max(1, size)))
        left -= result[-1]
    return [*result, left]


def order(members: Sequence[Member], seed: str) -> list[str]:
    """Device ids in the order of their update: online devices first; the profiles alternate, so that a canary includes every kind
    of hardware; within a profile by a hash with `seed`, so that not the same devices bear the risk of every rollout.
    """

    def draw(member: Member) -> str:
        return hashlib.sha256(f"{seed}:{member.device}".encode()).hexdigest()

    by_profile: dict[tuple[bool, str], list[Member]] = defaultdict(list)
    for member in members:
        by_profile[not member.online, member.profile].append(member)
    ranked: list[tuple[bool, int, str, str]] = []
    for (offline, profile), group in by_profile.items():
        for rank, member in enumerate(sorted(group, key=draw)):
            ranked.append((offline, rank, profile, member.device))
    return [device for _, _, _, device in sorted(ranked)]


def assign(plans: Sequence[WavePlan], members: Sequence[Member], seed: str) -> list[list[str]]:
    """The devices of each wave."""
    named = [plan for plan in plans[:-1] if plan.labels]
    taken: dict[str, list[Member]] = {plan.name: [] for plan in named}
    others: list[Member] = []
    for member in members:
        plan = next((plan for plan in named if plan.takes(member.labels)), None)
        (others if plan is None else taken[plan.name]).append(member)
    devices = order(others, seed)
    unnamed = iter(sizes([plan for plan in plans if plan not in named], len(devices)))
    waves: list[list[str]] = []
    start = 0
    for plan in plans:
        if plan in named:
            waves.append(order(taken[plan.name], seed))
            continue
        size = next(unnamed)
        waves.append(devices[start : start + size])
        start += size
    return waves
