"""Selection of the devices of a rollout by id and by label."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Selector:
    """Selects all devices; or those named in `ids` together with those that carry every one of `labels`. Empty = none."""

    all: bool = False
    ids: frozenset[str] = frozenset()
    labels: Mapping[str, str] = field(default_factory=dict)

    @property
    def empty(self) -> bool:
        """True when it can match nothing."""
        return not (self.all or self.ids or self.labels)

    def matches(self, device: str, labels: Mapping[str, str]) -> bool:
        """Whether it selects a device with these labels."""
        if self.all or device in self.ids:
            return True
        return bool(self.labels) and all(labels.get(key) == value for key, value in self.labels.items())


def effective_labels(own: Mapping[str, str], edits: Mapping[str, str | None]) -> dict[str, str]:
    """The device's own labels with the operator's edits on top; an edit of None hides a label."""
    merged: dict[str, str | None] = {**own, **edits}
    return {key: value for key, value in merged.items() if value is not None}


def edits_for(own: Mapping[str, str], target: Mapping[str, str]) -> dict[str, str | None]:
    """The edits that turn the device's own labels into exactly `target`."""
    edits: dict[str, str | None] = {key: None for key in own if key not in target}
    edits.update({key: value for key, value in target.items() if own.get(key) != value})
    return edits
