"""Triton's rate limiter: executions that need a shared resource wait until enough of it is free.

An instance names resources and how many copies of each it needs for a run; there are as many copies as the server was told, or
as the most demanding instance needs. Among those that wait, the one with the fewest runs behind it goes first, a run of priority
2 counting twice. Not only the first of that order is tried: one that waits for a resource that is taken holds up nobody who needs
another, so that no order of requests can lock the models against each other. Nor can the small ones starve a large one: who has
been passed over `PASSED_MAX` times has what it needs kept for it.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field

from edgefleet_contract.core.errors import InputError

PASSED_MAX = 16
RESOURCES_MAX = 64


@dataclass(eq=False, slots=True)
class ResourceClaim:
    """What an instance needs for a run. priority 1 is the usual; 2 gets half the turns. runs: so far, weighted."""

    needs: Mapping[str, int]
    priority: int = 1
    runs: int = 0
    passed: int = field(default=0, repr=False)


class RateLimiter:
    """The resources of one server; any thread. copies: name -> how many there are, for those that somebody decided."""

    def __init__(self, copies: Mapping[str, int] | None = None) -> None:
        self._told = dict(copies or {})
        self._claims: list[ResourceClaim] = []
        self._used: dict[str, int] = {}
        self._waiting: list[ResourceClaim] = []
        self._changed = threading.Condition()

    def join(self, claim: ResourceClaim) -> None:
        """An instance will ask for runs.

        Raises:
            InputError: it needs more of a resource than there is.
        """
        with self._changed:
            for name, count in claim.needs.items():
                if name in self._told and count > self._told[name]:
                    raise InputError(f"an instance needs {count} of resource '{name}', the server has {self._told[name]}")
            # Newcomers begin where the others are, or they would have every turn until they had caught up.
            claim.runs = min((each.runs for each in self._claims), default=0)
            self._claims.append(claim)

    def leave(self, claim: ResourceClaim) -> None:
        """It asks no more."""
        with self._changed:
            self._claims.remove(claim)
            self._changed.notify_all()

    def acquire(self, claim: ResourceClaim) -> None:
        """Wait until a run may begin. `release` follows, always."""
        with self._changed:
            self._waiting.append(claim)
            while not self._may(claim):
                self._changed.wait()
            self._waiting.remove(claim)
            for other in self._waiting:
                other.passed += other.runs <= claim.runs
            claim.passed = 0
            claim.runs += claim.priority
            for name, count in claim.needs.items():
                self._used[name] = self._used.get(name, 0) + count
            self._changed.notify_all()

    def release(self, claim: ResourceClaim) -> None:
        """The run is over."""
        with self._changed:
            for name, count in claim.needs.items():
                self._used[name] -= count
            self._changed.notify_all()

    def tell(self) -> dict[str, tuple[int, int]]:
        """Resource -> copies in use, and in all."""
        with self._changed:
            names = {name for claim in self._claims for name in claim.needs}
            return {name: (self._used.get(name, 0), self._copies(name)) for name in sorted(names)}

    def _copies(self, name: str) -> int:
        return self._told.get(name) or max((claim.needs.get(name, 0) for claim in self._claims), default=0)

    def _fits(self, claim: ResourceClaim, kept: Mapping[str, int]) -> bool:
        return all(
            self._used.get(name, 0) + kept.get(name, 0) + count <= self._copies(name) for name, count in claim.needs.items()
        )

    def _may(self, claim: ResourceClaim) -> bool:
        """Whether this one is the first, in the order of turns, of those that could run now."""
        kept: dict[str, int] = {}
        for each in sorted(self._waiting, key=lambda each: each.runs):
            if each is claim:
                return self._fits(each, kept)
            if self._fits(each, kept) or each.passed >= PASSED_MAX:
                # It goes first, or is owed what becomes free.
                for name, count in each.needs.items():
                    kept[name] = kept.get(name, 0) + count
        return False
