"""The message about changes that the processes of one server exchange."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from edgefleet_contract.core.msgspec_setup import ensure_decoder

NAMES_MAX: Final = 80
"""Devices in one notification, which holds 8,000 bytes: their names have up to 64 letters, and JSON adds three."""


class ClusterMessage(msgspec.Struct, frozen=True, omit_defaults=True):
    """`touched`: devices whose state changed; `measured`: devices of which only the figures changed. `changed`: rollouts.
    `greet`: devices that connected or have a document to receive. `clear`: devices that left. `wake`: the rollout engine may
    have work."""

    touched: frozenset[str] = frozenset()
    measured: frozenset[str] = frozenset()
    changed: frozenset[int] = frozenset()
    greet: frozenset[str] = frozenset()
    clear: frozenset[str] = frozenset()
    wake: bool = False

    def joined(self, other: ClusterMessage) -> ClusterMessage:
        """Both messages as one."""
        return ClusterMessage(
            self.touched | other.touched,
            self.measured | other.measured,
            self.changed | other.changed,
            self.greet | other.greet,
            self.clear | other.clear,
            self.wake or other.wake,
        )


def parts(news: ClusterMessage) -> Iterator[ClusterMessage]:
    """Split a message into messages that are each short enough for a notification."""
    if news.wake or news.changed:
        yield ClusterMessage(changed=frozenset(sorted(news.changed)[-NAMES_MAX:]), wake=news.wake)
    for name in ("greet", "clear", "touched", "measured"):
        devices = sorted(getattr(news, name))
        for start in range(0, len(devices), NAMES_MAX):
            yield msgspec.convert({name: devices[start : start + NAMES_MAX]}, ensure_decoder(ClusterMessage))
