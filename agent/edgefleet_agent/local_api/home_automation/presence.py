"""How many of each label are there now: in a picture, and in zones. Pure: the caller gives the time.

A track that is out of sight for a moment is still there: counts fall `HOLD_S` later than they rise.
"""

from __future__ import annotations

from collections.abc import Sequence

from edgefleet_agent.vision.answers import ModelOutput
from edgefleet_contract.wire.messages import Event, EventPhase

HOLD_S = 1.0
LABELS_MAX = 64
"""Labels of one pipeline that are told; of more, only those that came first."""


class PresenceCounts:
    """One pipeline's picture. Only what changed is returned."""

    def __init__(self, labels: Sequence[str]) -> None:
        self.told: dict[str, int] = dict.fromkeys(labels, 0)
        self._seen_s: dict[tuple[str, int], float] = {}

    def look(self, seen: Sequence[ModelOutput], now_s: float) -> dict[str, int]:
        """What is followed in a frame (`class_id` is the track); labels whose number is another one now."""
        for answer in seen:
            self._seen_s[answer.label, answer.class_id] = now_s
        self._seen_s = {key: at_s for key, at_s in self._seen_s.items() if now_s - at_s <= HOLD_S}
        counts = dict.fromkeys(self.told, 0)
        for label, _ in self._seen_s:
            if label in counts or len(counts) < LABELS_MAX:
                counts[label] = counts.get(label, 0) + 1
        changed = {label: count for label, count in counts.items() if self.told.get(label) != count}
        self.told = counts
        return changed

    def clear(self) -> dict[str, int]:
        """Nobody knows any more: the camera is away."""
        self._seen_s.clear()
        changed = {label: 0 for label, count in self.told.items() if count}
        self.told = dict.fromkeys(self.told, 0)
        return changed


class ZoneCounts:
    """Stays in zones, from the events of rules of kind `zone`."""

    def __init__(self) -> None:
        self._inside: dict[tuple[str, str, str], set[str]] = {}

    def take(self, event: Event) -> int | None:
        """How many of its label are in its camera's zone after this event; None where it is about no zone."""
        if event.kind != "zone":
            return None
        inside = self._inside.setdefault((event.pipeline, event.zone, event.label), set())
        if event.phase is EventPhase.END:
            inside.discard(event.id)
        else:
            inside.add(event.id)
        return len(inside)

    def now(self) -> dict[tuple[str, str, str], int]:
        """How many are there, by camera, zone and label."""
        return {key: len(inside) for key, inside in self._inside.items()}
