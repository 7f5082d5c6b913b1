"""Triton's rate limiter: executions that need a shared resource wait until enough of it is free.

An instance declares resources and the copies of each that a run needs; the copies of the server are configured, or as many as the
most demanding instance needs. Of the waiting instances, the one with the fewest runs is first; a run of priority 2 counts twice.
An instance that waits for a resource does not block others that need different resources, so models cannot deadlock. Small
requests cannot starve a large one: after `PASSED_MAX` others went first, freed copies are reserved for it.
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
    """Resources of a run of one instance. priority: 1 by default; 2 gets half the turns. runs: weighted count so far."""

    needs: Mapping[str, int]
    priority: int = 1
    runs: int = 0
    passed: int = field(default=0, repr=False)


class RateLimiter:
    """The resources of one server; any thread. copies: name -> configured copies."""

    def __init__(self, copies: Mapping[str, int] | None = None) -> None:
        self._configured = dict(copies or {})
        self._claims: list[ResourceClaim] = []
        self._used: dict[str, int] = {}
        self._waiting: list[ResourceClaim] = []
        self._changed = threading.Condition()

    def join(self, claim: ResourceClaim) -> None:
        """Register an instance.

        Raises:
            InputError: it needs more copies of a resource than there are.
        """
        with self._changed:
            for name, count in claim.needs.items():
                if name in self._configured and count > self._configured[name]:
                    raise InputError(
                        f"an instance requires {count} of resource '{name}', the server has {self._configured[name]}"
                    )
            # A new instance starts with the count of the others; otherwise it would get every turn until it had caught up.
            claim.runs = min((each.runs for each in self._claims), default=0)
            self._claims.append(claim)

    def leave(self, claim: ResourceClaim) -> None:
        """Unregister an instance."""
        with self._changed:
            self._claims.remove(claim)
            self._changed.notify_all()

    def acquire(self, claim: ResourceClaim) -> None:
        """Wait until a run may start. The caller has to call `release` afterwards."""
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
        """End a run."""
        with self._changed:
            for name, count in claim.needs.items():
                self._used[name] -= count
            self._changed.notify_all()

    def usage(self) -> dict[str, tuple[int, int]]:
        """Resource -> copies in use, and all copies."""
        with self._changed:
            names = {name for claim in self._claims for name in claim.needs}
            return {name: (self._used.get(name, 0), self._copies(name)) for name in sorted(names)}

    def _copies(self, name: str) -> int:
        return self._configured.get(name) or max((claim.needs.get(name, 0) for claim in self._claims), default=0)

    def _fits(self, claim: ResourceClaim, reserved: Mapping[str, int]) -> bool:
        return all(
            self._used.get(name, 0) + reserved.get(name, 0) + count <= self._copies(name) for name, count in claim.needs.items()
        )

    def _may(self, claim: ResourceClaim) -> bool:
        """Whether this instance is the first, in the order of turns, of those that can run now."""
        reserved: dict[str, int] = {}
        for each in sorted(self._waiting, key=lambda each: each.runs):
            if each is claim:
                return self._fits(each, reserved)
            if self._fits(each, reserved) or each.passed >= PASSED_MAX:
                # It goes first, or freed copies are reserved for it.
                for name, count in each.needs.items():
                    reserved[name] = reserved.get(name, 0) + count
        return False
