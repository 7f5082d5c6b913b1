"""Retention of versions: decides which are retired and which have to stay."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Version:
    """The facts about a version of a model that its retention depends on."""

    model: str
    version: str
    digest: str
    created_at: float
    length_bytes: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """A version and the reason why it stays (`reason`); empty = it is retired."""

    version: Version
    reason: str


def rank(version: str) -> tuple[tuple[int, ...], bool, str]:
    """Order of semantic versions; a pre-release comes before its release."""
    numbers, _, pre = version.partition("-")
    return tuple(int(number) for number in numbers.split(".")), not pre, pre


def judge(versions: Iterable[Version], needed: Mapping[str, str], keep: int, age_s: float, now: float) -> list[Verdict]:
    """Decide which versions stay. `needed`: digest → reason why it has to stay; of the others, the newest `keep` of each model
    stay, and those pushed within the last `age_s` seconds. Sorted by model, the newest version first."""
    by_model: dict[str, list[Version]] = {}
    for version in versions:
        by_model.setdefault(version.model, []).append(version)
    found = []
    for _, owned in sorted(by_model.items()):
        for place, version in enumerate(sorted(owned, key=lambda each: rank(each.version), reverse=True)):
            why = needed.get(version.digest, "")
            if not why and place < keep:
                why = f"one of the newest {keep}"
            if not why and now - version.created_at < age_s:
                why = f"pushed within the last {age_s / 86_400:g} days"
            found.append(Verdict(version, why))
    return found
