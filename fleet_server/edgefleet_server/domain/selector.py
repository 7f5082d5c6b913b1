"""Selection of devices by id, by label and by query."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Selector:
    """Selects all devices; or those named in `ids` together with those that carry every one of `labels`. Empty = none. `queried`:
    `ids` are all devices that matched a query; `changing`: a field of the query that rollouts or connections change;
    `label_names`: the labels by which it selects."""

    all: bool = False
    ids: frozenset[str] = frozenset()
    labels: Mapping[str, str] = field(default_factory=dict)
    queried: bool = False
    changing: str = ""
    label_names: frozenset[str] = frozenset()

    @property
    def empty(self) -> bool:
        """True when it can match nothing, whatever the fleet."""
        return not (self.all or self.ids or self.labels or self.queried)

    def matches(self, device: str, labels: Mapping[str, str]) -> bool:
        """Whether it selects a device with these labels."""
        if self.all or device in self.ids:
            return True
        return bool(self.labels) and carries(labels, self.labels)


def carries(labels: Mapping[str, str], required: Mapping[str, str]) -> bool:
    """Whether a device with these labels carries every required one."""
    return all(labels.get(key) == value for key, value in required.items())


def base_labels(enrolled: Mapping[str, str], reported: Mapping[str, str], trusted: Collection[str]) -> dict[str, str]:
    """The labels of a device before the edits of operators: those that it reports under trusted keys, below those of its
    enrolment token."""
    return {**{key: value for key, value in reported.items() if key in trusted}, **enrolled}


def effective_labels(base: Mapping[str, str], edits: Mapping[str, str | None]) -> dict[str, str]:
    """The base labels with the operator's edits on top; an edit of None hides a label."""
    merged: dict[str, str | None] = {**base, **edits}
    return {key: value for key, value in merged.items() if value is not None}


def edits_for(base: Mapping[str, str], target: Mapping[str, str]) -> dict[str, str | None]:
    """The edits that turn the base labels into exactly `target`."""
    edits: dict[str, str | None] = {key: None for key in base if key not in target}
    edits.update({key: value for key, value in target.items() if base.get(key) != value})
    return edits
