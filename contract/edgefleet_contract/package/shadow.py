"""A candidate beside the incumbent: a package in the slot `shadow-NAME` is shown the frames of slot `NAME` and changes nothing.

It comes, is verified, tried and taken back like any other package of any other slot; only what the worker does with it differs.
"""

from __future__ import annotations

from typing import Final

from edgefleet_contract.encoding.names import Name

_PREFIX: Final = "shadow-"


def shadow_slot(slot: str) -> Name:
    """The slot of the candidate for `slot`."""
    return _PREFIX + slot


def shadowed(slot: str) -> str | None:
    """The slot that a candidate's slot is about; None for any other slot."""
    return slot.removeprefix(_PREFIX) if slot.startswith(_PREFIX) and slot != _PREFIX else None
