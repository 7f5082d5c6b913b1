"""Answers about components, of the devices and of this server."""

from __future__ import annotations

from dataclasses import dataclass

from edgefleet_server.core.own_components import own_components
from edgefleet_server.db.backend.driver import Driver
from edgefleet_server.db.components import searches
from edgefleet_server.domain.components.spans import ComponentSpan
from edgefleet_server.domain.components.version_filter import VersionFilter, version_key

Key = tuple[str, str, str]
"""Kind, name, version."""


@dataclass(frozen=True, slots=True)
class FoundComponent:
    """`versions`: each with the number of devices that have it now, and whether this server has it. `uncompared`: versions that
    the filter cannot be compared with."""

    spans: list[ComponentSpan]
    versions: list[tuple[Key, int, bool]]
    uncompared: list[str]
    coverage: searches.BillCoverage


def find(db: Driver, name: str, version: str, *, ended: bool) -> FoundComponent:
    """The devices that have a component, and with `ended` those that had it.

    Raises:
        InputError: `version` begins like a specifier and is none.
    """
    versions_filter = VersionFilter(version)
    every = searches.spans(db, name)
    own = {key for key in own_components() if key[1] == name}
    shown = [span for span in every if versions_filter.matches(span.version) and (ended or span.current)]
    on_devices: dict[Key, set[str]] = {}
    for span in shown:
        having = on_devices.setdefault((span.kind, span.name, span.version), set())
        if span.current:
            having.add(span.device)
    keys = sorted({*on_devices, *(key for key in own if versions_filter.matches(key[2]))}, key=_order)
    seen = {span.version for span in every} | {key[2] for key in own}
    return FoundComponent(
        spans=shown,
        versions=[(key, len(on_devices.get(key, ())), key in own) for key in keys],
        uncompared=sorted(each for each in seen if versions_filter.is_uncompared(each)),
        coverage=searches.coverage(db),
    )


def every(db: Driver, text: str) -> list[tuple[Key, int, bool]]:
    """Every component whose name contains `text`, with the devices that have it now, and whether this server has it."""
    counts = searches.counts(db)
    own = set(own_components())
    return [(key, counts[key], key in own) for key in {*counts, *own} if text in key[1]]


def _order(key: Key) -> tuple[object, ...]:
    return key[0], version_key(key[2])
