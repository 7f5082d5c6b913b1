"""Plans a rollout: the devices that it would update, and the reasons why it leaves others out."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from edgefleet_contract.capabilities import agent_needed, lacking, required_by, why_lacking
from edgefleet_contract.package.manifest import Manifest
from edgefleet_contract.package.profile import choose_variant, names_profile
from edgefleet_server.domain.rollout.waves import Member, WavePlan, assign
from edgefleet_server.domain.selector import Selector


@dataclass(frozen=True, slots=True)
class Candidate:
    """The facts about a device that planning needs. `running_digest`: the version that it runs and has committed in the slot;
    `pinned`: reason why it must not change that; `excluded_until`: time until which it is excluded after failures.
    `capabilities`: as reported; none by an agent before 0.3.0. `reported`: labels that the device gives itself; they select
    nothing."""

    device: str
    labels: dict[str, str]
    profile: str
    runtimes: list[str]
    online: bool
    running_digest: str
    pinned: str = ""
    excluded_until: float = 0.0
    capabilities: Collection[str] = ()
    agent_version: str = ""
    reported: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RolloutPlan:
    """`waves`: device ids per wave. `bytes_total`: size of the transfers if no device had any file of the package. `bytes_max`:
    size of the largest variant that a device takes. `excluded`: devices of the waves that are excluded, and until when.
    `running`: the `already` ones. `agent_needed`: device -> version of the agent that it needs first."""

    waves: list[list[str]]
    ineligible: list[tuple[str, str]]
    already: int
    offline: int
    bytes_total: int
    excluded: list[tuple[str, float]] = field(default_factory=list)
    bytes_max: int = 0
    running: list[str] = field(default_factory=list)
    agent_needed: dict[str, str] = field(default_factory=dict)

    @property
    def eligible(self) -> int:
        """Devices that would be updated."""
        return sum(map(len, self.waves))


@dataclass(frozen=True)
class FurtherPart:
    """A further package of a bundle. `candidates`: every device, with the facts about its slot; `lengths`: bytes of each file."""

    slot: str
    manifest: Manifest
    digest: str
    lengths: Mapping[str, int]
    candidates: Mapping[str, Candidate]

    @cached_property
    def required(self) -> list[str]:
        """Capabilities that a device needs for the package."""
        return required_by(self.manifest)


def plan(
    candidates: Iterable[Candidate],
    selector: Selector,
    waves: Sequence[WavePlan],
    manifest: Manifest,
    digest: str,
    lengths: Mapping[str, int],
    now: float = 0.0,
    further: Sequence[FurtherPart] = (),
) -> RolloutPlan:
    """Cut the selected devices into waves. `lengths`: bytes of each file of the package. `further`: a device takes all parts or
    none, so it has to be able to run each."""
    members: list[Member] = []
    ineligible: list[tuple[str, str]] = []
    excluded: list[tuple[str, float]] = []
    running: list[str] = []
    needs_agent: dict[str, str] = {}
    bytes_total = bytes_max = 0
    everyone = {candidate.device: candidate for candidate in candidates}
    first = FurtherPart("", manifest, digest, lengths, everyone)
    for candidate in everyone.values():
        if not selector.matches(candidate.device, candidate.labels):
            continue
        parts = [(part, part.candidates[candidate.device]) for part in (first, *further) if candidate.device in part.candidates]
        missing = [(part, one) for part, one in parts if one.running_digest != part.digest]
        if not missing:
            running.append(candidate.device)
            continue
        why = next((reason for part, one in missing for reason in [_hindrance(part, one)] if reason), "")
        if why:
            ineligible.append((candidate.device, why))
            if version := _agent_needed(missing):
                needs_agent[candidate.device] = version
            continue
        members.append(Member(candidate.device, candidate.profile, candidate.online, candidate.labels))
        needed = sum(_bytes(part, one) for part, one in missing)
        bytes_total += needed
        bytes_max = max(bytes_max, needed)
        if candidate.excluded_until > now:
            excluded.append((candidate.device, candidate.excluded_until))
    offline = sum(not member.online for member in members)
    return RolloutPlan(
        assign(waves, members, digest), ineligible, len(running), offline, bytes_total, excluded, bytes_max, running, needs_agent
    )


def _hindrance(part: FurtherPart, candidate: Candidate) -> str:
    """The reason why a device cannot take a part; "" if it can."""
    reason = candidate.pinned or why_unfit(part.manifest, candidate.profile, candidate.runtimes, _lacking(part, candidate))
    return f"slot {part.slot}: {reason}" if reason and part.slot else reason


def _agent_needed(missing: Sequence[tuple[FurtherPart, Candidate]]) -> str:
    """The version of the agent with which a device could take these parts; "" if there is none."""
    for part, candidate in missing:
        if candidate.pinned or choose_variant(part.manifest, candidate.profile, candidate.runtimes) is None:
            return ""
    return agent_needed([name for part, candidate in missing for name in _lacking(part, candidate)])


def _lacking(part: FurtherPart, candidate: Candidate) -> list[str]:
    return lacking(part.required, candidate.capabilities, candidate.agent_version)


def _bytes(part: FurtherPart, candidate: Candidate) -> int:
    chosen = choose_variant(part.manifest, candidate.profile, candidate.runtimes)
    return sum(part.lengths.get(path, 0) for path in part.manifest.paths_for(chosen[0])) if chosen else 0


def why_unfit(manifest: Manifest, profile: str, runtimes: list[str], lacks: Sequence[str]) -> str:
    """The reason why a device cannot run or read a package; "" if it can. lacks: capabilities of the package that it has not."""
    if choose_variant(manifest, profile, runtimes) is None:
        return _why_no_variant(manifest, profile, runtimes)
    return why_lacking(lacks) if lacks else ""


def _why_no_variant(manifest: Manifest, profile: str, runtimes: Sequence[str]) -> str:
    for_profile = [variant for variant in manifest.variants if not variant.profiles or names_profile(variant, profile)]
    if not for_profile:
        profiles = sorted({name for variant in manifest.variants for name in variant.profiles})
        return f"no variant for profile {profile or 'unknown'!r}; the package has {', '.join(profiles)}"
    needed = sorted({runtime for variant in for_profile for runtime in variant.runtimes})
    return f"needs one of the runtimes {', '.join(needed)}; the device has {', '.join(runtimes) or 'none'}"
