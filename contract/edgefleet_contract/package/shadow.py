"""Shadow slots: a package in the slot `shadow-NAME` runs on the frames of slot `NAME` without effect on its results.

It is fetched, verified, tried and removed like the package of any other slot; only the worker treats it differently.
"""

from __future__ import annotations

from typing import Final

from edgefleet_contract.encoding.names import Name

_PREFIX: Final = "shadow-"


def shadow_slot(slot: str) -> Name:
    """The slot of the candidate for `slot`."""
    return _PREFIX + slot


def shadowed(slot: str) -> str | None:
    """The slot that a shadow slot belongs to; None for any other slot."""
    return slot.removeprefix(_PREFIX) if slot.startswith(_PREFIX) and slot != _PREFIX else None
