"""Who a rollout would update, and who not and why."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from agent.contract.manifest import Manifest
from agent.contract.profile import belongs, choose_variant
from fleet_server.domain.selector import Selector
from fleet_server.domain.waves import Member, WavePlan, assign


@dataclass(frozen=True, slots=True)
class Candidate:
    """A device as far as planning is concerned. `running_digest` is what it runs and trusts in the slot;
    `pinned` says why it may not leave that; until `boxed_until` it is set aside for its failures."""

    device: str
    labels: dict[str, str]
    profile: str
    runtimes: list[str]
    online: bool
    running_digest: str
    pinned: str = ""
    boxed_until: float = 0.0


@dataclass(frozen=True, slots=True)
class Plan:
    """`waves`: device ids per wave. `bytes_total`: what would travel if every device began with nothing. `bytes_max`: of the
    largest variant that a device takes. `set_aside`: devices of the waves that wait in the penalty box, and until when."""

    waves: list[list[str]]
    ineligible: list[tuple[str, str]]
    already: int
    offline: int
    bytes_total: int
    set_aside: list[tuple[str, float]] = field(default_factory=list)
    bytes_max: int = 0

    @property
    def eligible(self) -> int:
        """Devices that would be updated."""
        return sum(map(len, self.waves))


def plan(
    candidates: Iterable[Candidate],
    selector: Selector,
    waves: Sequence[WavePlan],
    manifest: Manifest,
    digest: str,
    lengths: dict[str, int],
    now: float = 0.0,
) -> Plan:
    """Cut the selected devices into waves. `lengths`: bytes of each file of the package."""
    members: list[Member] = []
    ineligible: list[tuple[str, str]] = []
    set_aside: list[tuple[str, float]] = []
    already = bytes_total = bytes_max = 0
    for candidate in candidates:
        if not selector.matches(candidate.device, candidate.labels):
            continue
        if candidate.running_digest == digest:
            already += 1
            continue
        if candidate.pinned:
            ineligible.append((candidate.device, candidate.pinned))
            continue
        chosen = choose_variant(manifest, candidate.profile, candidate.runtimes)
        if chosen is None:
            ineligible.append((candidate.device, why_not(manifest, candidate.profile, candidate.runtimes)))
            continue
        members.append(Member(candidate.device, candidate.profile, candidate.online, candidate.labels))
        needed = sum(lengths.get(path, 0) for path in manifest.paths_for(chosen[0]))
        bytes_total += needed
        bytes_max = max(bytes_max, needed)
        if candidate.boxed_until > now:
            set_aside.append((candidate.device, candidate.boxed_until))
    offline = sum(not member.online for member in members)
    return Plan(assign(waves, members, digest), ineligible, already, offline, bytes_total, set_aside, bytes_max)


def why_not(manifest: Manifest, profile: str, runtimes: Sequence[str]) -> str:
    """Why no variant of a package suits such a device."""
    for_profile = [variant for variant in manifest.variants if not variant.profiles or belongs(variant, profile)]
    if not for_profile:
        profiles = sorted({name for variant in manifest.variants for name in variant.profiles})
        return f"no variant for profile {profile or 'unknown'!r}; the package has {', '.join(profiles)}"
    needed = sorted({runtime for variant in for_profile for runtime in variant.runtimes})
    return f"needs one of the runtimes {', '.join(needed)}; the device has {', '.join(runtimes) or 'none'}"
