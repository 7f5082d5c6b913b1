"""Which variant of a package each kind of device takes, and which have none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from agent.contract.manifest import Manifest
from agent.contract.profile import choose_variant


@dataclass(slots=True)
class Kind:
    """Devices of one profile. `takes`: how many would take which variant; `why` those that are `uncovered` have none."""

    profile: str
    devices: int = 0
    takes: Counter[str] = field(default_factory=Counter)
    uncovered: int = 0
    why: str = ""


def covered(manifest: Manifest, fleet: Mapping[tuple[str, tuple[str, ...]], int]) -> list[Kind]:
    """By profile, the most devices first. `fleet`: how many devices there are of each (profile, runtimes in order)."""
    found: dict[str, Kind] = {}
    for (profile, runtimes), count in fleet.items():
        kind = found.setdefault(profile, Kind(profile))
        kind.devices += count
        chosen = choose_variant(manifest, profile, list(runtimes))
        if chosen is not None:
            kind.takes[chosen[0].name] += count
            continue
        kind.uncovered += count
        installed = ", ".join(runtimes) or "no runtime"
        kind.why = f"no variant fits {profile or 'an unknown profile'} with {installed}"
    return sorted(found.values(), key=lambda kind: (-kind.devices, kind.profile))
