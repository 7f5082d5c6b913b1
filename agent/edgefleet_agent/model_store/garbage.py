"""Garbage collection: packages and blobs that no slot and no desired document needs. Pure; the loop removes them.

Law: the active, trial, last good, previous, factory and target packages are never collected, nor any of their blobs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Garbage:
    """Digests to remove, packages first: after an interruption a folder without its blobs still works, and the blobs of a missing
    folder restore it."""

    packages: tuple[str, ...] = ()
    blobs: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.packages or self.blobs)


def garbage(
    retained: Iterable[str],
    packages: Iterable[str],
    blobs: Iterable[str],
    blobs_of: Callable[[str], set[str]],
) -> Garbage:
    """The `packages` and `blobs` (complete or incoming) that no package in `retained` needs. `blobs_of`: blobs of a package."""
    retained = set(retained)
    needed = set().union(*(blobs_of(digest) for digest in retained))
    return Garbage(tuple(sorted(set(packages) - retained)), tuple(sorted(set(blobs) - needed)))
