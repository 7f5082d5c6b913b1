"""Versions that were withdrawn: the server's signed list, read by the client of a device."""

from __future__ import annotations

from pathlib import Path

import pytest
from tuf.api.metadata import Metadata, Targets

from edgefleet_agent.model_store import trust_files
from edgefleet_agent.model_store.trust import TRUSTED, TrustVerdict, endorse
from edgefleet_contract.wire.messages import LOWEST_EPOCHS, SlotTarget
from edgefleet_contract.wire.reason_codes import Reason
from edgefleet_server.core.errors import ConflictError, InputError
from edgefleet_server.registry.signing.keys import load_signer, new_key, public_key, public_pem, sign, write_secret
from edgefleet_server.registry.signing.signed_targets import SignedPackage, next_targets, without
from edgefleet_server.registry.signing.tuf_repository import TufRepository
from tests.fleet_server.registry.signing.test_tuf_repository import NOW, Device, opened

OLD = SignedPackage("inspector", "1.0.0", "a1" * 32, 900, 0)
BAD = SignedPackage("inspector", "1.1.0", "b2" * 32, 901, 0)
NEW = SignedPackage("inspector", "1.2.0", "c3" * 32, 902, 0)
OTHER = SignedPackage("counter", "1.0.0", "d4" * 32, 903, 0)


@pytest.fixture
def trust(tmp_path: Path) -> TufRepository:
    return opened(tmp_path / "trust", OLD, BAD, NEW, OTHER)


@pytest.fixture
def device(tmp_path: Path, trust: TufRepository) -> Device:
    made = Device(tmp_path / "device", trust)
    assert refusals(made.refresh_trust()) == {}
    return made


def refusals(verdict: TrustVerdict) -> dict[str, Reason]:
    """The reason for which the device refuses each version; the others it takes."""
    found = {}
    for each in (OLD, BAD, NEW, OTHER):
        target = SlotTarget(package=each.name, version=each.version, digest=each.digest, length=each.descriptor_bytes)
        decision = endorse(target, verdict, 0, NOW)
        if decision != TRUSTED:
            found[each.path] = decision.reason
    return found


def test_a_withdrawn_version_is_refused_and_others_are_not(tmp_path: Path, trust: TufRepository, device: Device) -> None:
    """A return to an older version that is not withdrawn works; a restart of the server signs nothing again."""
    trust.withdraw("inspector", "1.1.0", NOW)
    assert refusals(device.refresh_trust()) == {BAD.path: Reason.EPOCH_DOWNGRADE}
    assert not trust.is_signed(BAD)
    device.trust = opened(tmp_path / "trust", OLD, BAD, NEW, OTHER)
    assert refusals(device.refresh_trust()) == {BAD.path: Reason.EPOCH_DOWNGRADE}
    device.trust.withdraw("inspector", "1.2.0", NOW)
    assert refusals(device.refresh_trust()) == dict.fromkeys((BAD.path, NEW.path), Reason.EPOCH_DOWNGRADE)
    for path in ("1.2.0", "9.0.0"):
        with pytest.raises(InputError, match="is not in the list of signed packages"):
            device.trust.withdraw("inspector", path, NOW)


def test_a_withdrawal_without_a_raised_epoch_only_leaves_the_list(tmp_path: Path, trust: TufRepository, device: Device) -> None:
    trust.withdraw("inspector", "1.1.0", NOW, keep_epoch=True)
    verdict = device.refresh_trust()
    assert (refusals(verdict), verdict.epochs) == ({BAD.path: Reason.UNSIGNED}, {})
    device.trust = opened(tmp_path / "trust", OLD, BAD, NEW, OTHER)
    assert refusals(device.refresh_trust()) == {BAD.path: Reason.UNSIGNED}


def test_an_offline_key_withdraws_and_brings_back(tmp_path: Path, trust: TufRepository, device: Device) -> None:
    write_secret(tmp_path / "offline.pem", new_key())
    signer = load_signer(tmp_path / "offline.pem")
    trust.rotate("targets", NOW, [public_key(public_pem(signer))], sign(next_targets(trust.file("targets"), []), signer))
    with pytest.raises(ConflictError, match="with --key FILE"):
        trust.withdraw("inspector", "1.1.0", NOW)
    trust.accept_targets(sign(without(trust.file("targets"), "inspector", "1.1.0"), signer), NOW)
    assert refusals(device.refresh_trust()) == {BAD.path: Reason.EPOCH_DOWNGRADE}
    trust.accept_targets(sign(next_targets(trust.file("targets"), [BAD]), signer), NOW)
    assert refusals(device.refresh_trust()) == {}


@pytest.mark.parametrize("lost", ["metadata.json", "anchor.json"])
def test_the_lowest_epoch_survives_a_lost_file(trust: TufRepository, device: Device, lost: str) -> None:
    """Also where later lists do not name it any more: nothing but new keys lowers it."""
    trust.withdraw("inspector", "1.1.0", NOW)
    device.refresh_trust()
    (device.state / "trust" / lost).unlink()
    assert device.refresh_trust().epochs == {"inspector": 1}
    forgetful = Metadata[Targets].from_bytes(trust.file("targets")).signed
    forgetful.unrecognized_fields = {}
    forgetful.targets[BAD.path].unrecognized_fields["custom"] = {"epoch": 0}
    forgetful.version += 1
    trust.accept_targets(sign(forgetful, trust._keys.signer("targets")), NOW)
    assert refusals(device.refresh_trust()) == {BAD.path: Reason.EPOCH_DOWNGRADE}
    trust.rotate("targets", NOW)
    assert refusals(device.refresh_trust()) == {}


def test_what_is_no_epoch_is_ignored(trust: TufRepository, device: Device) -> None:
    for garbage in ([], "x", {"inspector": "9"}, {"inspector": True}, {"inspector": -1}, {"inspector": 2**60}):
        targets = next_targets(trust.file("targets"), [])
        targets.unrecognized_fields[LOWEST_EPOCHS] = garbage
        trust.accept_targets(sign(targets, trust._keys.signer("targets")), NOW)
        assert device.refresh_trust().epochs == {}


def test_an_anchor_of_an_earlier_version_has_no_epochs(device: Device) -> None:
    anchor = trust_files._read_anchor(device.state)
    assert anchor is not None
    assert trust_files.Anchor(root=anchor.root).epochs == {}
