"""Presence counts by label: in a picture, and in zones. Pure: the caller provides the time.

A track that is out of sight for a moment is still counted: counts fall `HOLD_S` later than they rise. A count is None while
nothing analyses the picture: not looking is not 0.
"""

from __future__ import annotations

from collections.abc import Sequence

from edgefleet_agent.vision.answers import ModelOutput
from edgefleet_contract.wire.messages import Event, EventPhase

HOLD_S = 1.0
LABELS_MAX = 64
"""Labels of one pipeline that are counted; further ones are ignored."""

UNKNOWN = b"None"
"""Payload of what a source shows while nothing analyses it; Home Assistant shows it as unknown."""

Count = int | None


def count_payload(count: Count) -> bytes:
    """The payload of a count."""
    return UNKNOWN if count is None else b"%d" % count


class PresenceCounts:
    """Counts of one pipeline's picture, unknown at first. Only changes are returned."""

    def __init__(self, labels: Sequence[str]) -> None:
        self.counts: dict[str, Count] = dict.fromkeys(labels)
        self._seen_s: dict[tuple[str, int], float] = {}

    def update(self, seen: Sequence[ModelOutput], now_s: float) -> dict[str, Count]:
        """Process the tracked objects of a frame (`class_id` is the track); returns labels whose count has changed."""
        for answer in seen:
            self._seen_s[answer.label, answer.class_id] = now_s
        self._seen_s = {key: at_s for key, at_s in self._seen_s.items() if now_s - at_s <= HOLD_S}
        counts = dict.fromkeys(self.counts, 0)
        for label, _ in self._seen_s:
            if label in counts or len(counts) < LABELS_MAX:
                counts[label] = counts.get(label, 0) + 1
        changed: dict[str, Count] = {label: count for label, count in counts.items() if self.counts.get(label) != count}
        self.counts = {**counts}
        return changed

    def clear(self) -> dict[str, Count]:
        """Forget all counts: nothing analyses the picture."""
        self._seen_s.clear()
        changed: dict[str, Count] = {label: None for label, count in self.counts.items() if count is not None}
        self.counts = dict.fromkeys(self.counts)
        return changed


class ZoneCounts:
    """Counts of stays in zones, from the events of rules of kind `zone`."""

    def __init__(self) -> None:
        self._inside: dict[tuple[str, str, str], set[str]] = {}

    def take(self, event: Event) -> int | None:
        """The count of the event's label in its camera's zone after this event; None for an event without zone."""
        if event.kind != "zone":
            return None
        inside = self._inside.setdefault((event.pipeline, event.zone, event.label), set())
        if event.phase is EventPhase.END:
            inside.discard(event.id)
        else:
            inside.add(event.id)
        return len(inside)

    def now(self) -> dict[tuple[str, str, str], int]:
        """Current counts, by camera, zone and label."""
        return {key: len(inside) for key, inside in self._inside.items()}
