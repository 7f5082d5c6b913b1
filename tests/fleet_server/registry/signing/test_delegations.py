"""Several keys for one signature, and teams that sign their own packages only: at the server and on the device."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tuf.api.metadata import Metadata, Targets

from edgefleet_agent.model_store.trust import TRUSTED, TrustVerdict, endorse
from edgefleet_agent.model_store.tuf_client import install_root, refresh
from edgefleet_contract.wire.messages import SlotTarget
from edgefleet_contract.wire.reason_codes import Reason
from edgefleet_server.core.errors import ConflictError, EdgefleetError, InputError
from edgefleet_server.registry.signing import delegations
from edgefleet_server.registry.signing.keys import Signer, add_signature, sign
from edgefleet_server.registry.signing.signed_targets import SignedPackage, next_targets
from edgefleet_server.registry.signing.tuf_repository import TufRepository

NOW = time.time()
OWN = SignedPackage("conveyor", "1.0.0", "a1" * 32, 900, 0)
PRESS = SignedPackage("press_a", "1.0.0", "b2" * 32, 901, 3)
OTHER = SignedPackage("camera", "1.0.0", "c3" * 32, 902, 0)


class DelegationHarness:
    """A repository whose targets key is with people, a team with keys of its own, and a device that follows."""

    def __init__(self, folder: Path) -> None:
        self.trust = TufRepository(folder / "trust")
        self.trust.open([OWN], NOW)
        self.device = folder / "device"
        install_root(self.device, self.trust.file("root"))
        self.people = [Signer.generate_ed25519() for _ in range(2)]
        self.team = [Signer.generate_ed25519() for _ in range(3)]
        keys = [signer.public_key for signer in self.people]
        self.trust.rotate("targets", NOW, keys, sign(self.next(), *self.people), 2)

    def next(self, role: str = "targets", *packages: SignedPackage) -> Targets:
        known = self.trust.file(role) if role == "targets" or role in self.trust._files else None
        return next_targets(known, packages, NOW)

    def delegate(self, paths: list[str], threshold: int = 2, count: int = 3) -> None:
        targets = self.next()
        delegations.delegate(targets, "press", paths, [signer.public_key for signer in self.team[:count]], threshold)
        self.trust.accept_targets(sign(targets, *self.people), NOW)

    def follow(self) -> TrustVerdict:
        return refresh(self.device, dict(self.trust.offered_files(NOW)))


@pytest.fixture
def harness(tmp_path: Path) -> DelegationHarness:
    return DelegationHarness(tmp_path)


def of(package: SignedPackage) -> SlotTarget:
    return SlotTarget(package=package.name, version=package.version, digest=package.digest, length=package.descriptor_bytes)


def trusted(verdict: TrustVerdict, package: SignedPackage) -> bool:
    return verdict.reason is Reason.NONE and endorse(of(package), verdict, 0, NOW) == TRUSTED


def test_two_of_two_have_to_sign(harness: DelegationHarness) -> None:
    assert trusted(harness.follow(), OWN)
    half = sign(harness.next("targets", OTHER), harness.people[0])
    with pytest.raises(InputError, match="not signed with the targets key"):
        harness.trust.accept_targets(half, NOW)
    harness.trust.accept_targets(add_signature(half, harness.people[1]), NOW)
    assert trusted(harness.follow(), OTHER)
    before = harness.trust.file("targets")
    harness.trust._publish({"targets": sign(harness.next("targets", PRESS), harness.people[0])}, NOW)  # a server taken over
    verdict = harness.follow()
    assert verdict.reason is Reason.UNSIGNED
    assert harness.trust.file("targets") != before


def test_the_same_key_twice_is_one_signature(harness: DelegationHarness) -> None:
    data = sign(harness.next("targets", OTHER), harness.people[0], harness.people[0])
    with pytest.raises(InputError):
        harness.trust.accept_targets(data, NOW)


def test_a_team_signs_its_own_packages(harness: DelegationHarness) -> None:
    harness.delegate(["press_*/*"])
    data = sign(harness.next("press", PRESS), *harness.team[:2])
    harness.trust.accept_targets(data, NOW, "press")
    verdict = harness.follow()
    assert trusted(verdict, PRESS)
    assert trusted(verdict, OWN)
    assert verdict.targets[PRESS.path].epoch == 3
    assert endorse(of(PRESS), verdict, 0, verdict.targets[PRESS.path].expires_at + 1).reason is Reason.METADATA_EXPIRED
    assert trusted(refresh(harness.device, {}), PRESS), "without a server too"
    assert harness.trust.is_signed(PRESS)
    again = TufRepository(harness.device.parent / "trust")
    again.open([OWN, PRESS], NOW)
    assert again.signed_paths() == sorted([OWN.path, PRESS.path]), "the server knows it after a restart"


ATTACKS: dict[str, tuple[Callable[[DelegationHarness], bytes], Reason]] = {
    "foreign package": (lambda harness: sign(harness.next("press", OTHER), *harness.team), Reason.UNSIGNED),
    "one key of two": (lambda harness: sign(harness.next("press", PRESS), harness.team[0]), Reason.UNSIGNED),
    "a stranger's keys": (lambda harness: sign(harness.next("press", PRESS), *harness.people), Reason.UNSIGNED),
    "over its date": (lambda harness: sign(expired(harness.next("press", PRESS)), *harness.team), Reason.METADATA_EXPIRED),
    "garbage": (lambda harness: b'{"signed": {"_type": "targets", "version": 1}, "signatures": []}', Reason.UNSIGNED),
}


def expired(targets: Targets) -> Targets:
    targets.expires = targets.expires.replace(year=2020)
    return targets


@pytest.mark.parametrize("attack", sorted(ATTACKS))
def test_what_a_server_that_was_taken_over_passes_off_as_the_teams(
    harness: DelegationHarness, attack: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    harness.delegate(["press_*/*"])
    make, reason = ATTACKS[attack]
    data = make(harness)
    with pytest.raises(EdgefleetError):
        harness.trust.accept_targets(data, NOW, "press")
    if attack != "garbage":
        harness.trust._publish({"press": data}, NOW)
    verdict = harness.follow()
    package = OTHER if attack == "foreign package" else PRESS
    assert trusted(verdict, OWN), "a bad team costs its own packages only"
    assert endorse(of(package), verdict, 0, NOW).reason is reason


def test_a_team_that_is_taken_away_signs_nothing_any_more(harness: DelegationHarness) -> None:
    harness.delegate(["press_*/*"])
    harness.trust.accept_targets(sign(harness.next("press", PRESS), *harness.team), NOW, "press")
    assert trusted(harness.follow(), PRESS)
    targets = harness.next()
    delegations.delegate(targets, "press", [], [], 1)
    harness.trust.accept_targets(sign(targets, *harness.people), NOW)
    verdict = harness.follow()
    assert endorse(of(PRESS), verdict, 0, NOW).reason is Reason.UNSIGNED
    assert trusted(verdict, OWN)


def test_an_older_list_of_the_team_is_a_rollback(harness: DelegationHarness) -> None:
    harness.delegate(["press_*/*"])
    first = sign(harness.next("press", PRESS), *harness.team)
    harness.trust.accept_targets(first, NOW, "press")
    newer = SignedPackage("press_a", "1.1.0", "d4" * 32, 903, 3)
    harness.trust.accept_targets(sign(harness.next("press", newer), *harness.team), NOW, "press")
    assert trusted(harness.follow(), newer)
    with pytest.raises(ConflictError, match="does not follow"):
        harness.trust.accept_targets(first, NOW, "press")
    harness.trust._publish({"press": first}, NOW)
    verdict = harness.follow()
    assert verdict.reason is Reason.METADATA_ROLLBACK


@pytest.mark.parametrize(
    ("team", "paths", "threshold"),
    [
        ("targets", ["a/*"], 1),
        ("Press", ["a/*"], 1),
        ("press", ["*"], 1),
        ("press", ["../*"], 1),
        ("press", ["a/*"], 4),
        ("press", [], 1),
    ],
)
def test_delegations_that_cannot_be(harness: DelegationHarness, team: str, paths: list[str], threshold: int) -> None:
    targets: Any = harness.next()
    with pytest.raises(InputError):
        delegations.delegate(targets, team, paths, [signer.public_key for signer in harness.team], threshold)


def test_thresholds_that_cannot_be_reached(harness: DelegationHarness) -> None:
    with pytest.raises(InputError, match="is not possible"):
        harness.trust.rotate("targets", NOW, [harness.people[0].public_key], b"", 2)
    assert Metadata[Targets].from_bytes(harness.trust.file("targets")).signed.version > 0
