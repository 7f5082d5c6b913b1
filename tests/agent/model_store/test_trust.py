"""A malicious repository: every attack on signed metadata is refused with its reason, and trusted metadata stays unchanged."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from securesystemslib.signer import CryptoSigner

from edgefleet_agent.model_store.trust import TRUSTED, MetadataBundle, MetadataStaging, TrustVerdict, endorse
from edgefleet_agent.model_store.tuf_client import install_root, refresh
from edgefleet_contract.core.errors import EdgefleetError, InputError
from edgefleet_contract.encoding.codec import decode
from edgefleet_contract.package.blob import BlobSpec, BlockPut
from edgefleet_contract.wire.messages import BLOCK_BYTES, SlotTarget
from edgefleet_contract.wire.reason_codes import Reason
from tests.agent.fakes.packages import make_package
from tests.agent.fakes.repository import Repository

FIRST = make_package("1.0.0", 1000).target
SECOND = make_package("1.1.0", 1000).target
ENDLESS = b" " * 6_000_000


class Device:
    """A device that has verified `repository` once, with FIRST in it."""

    def __init__(self, state: Path) -> None:
        self.state = state
        self.repository = Repository()
        install_root(state, self.repository.roots[1])
        self.repository.add(FIRST)
        self.before = self.repository.publish()
        assert self.take(self.before).reason is Reason.NONE

    def take(self, files: dict[str, bytes], at: float = 0.0) -> TrustVerdict:
        return refresh(self.state, files, at)

    def stored(self) -> dict[str, str]:
        return decode((self.state / "trust" / "metadata.json").read_bytes(), MetadataBundle, bytes_max=2**24).files


@pytest.fixture
def device(tmp_path: Path) -> Device:
    return Device(tmp_path)


def signed(verdict: TrustVerdict, target: SlotTarget) -> bool:
    return verdict.reason is Reason.NONE and endorse(target, verdict, 0, 0.0) == TRUSTED


def test_what_is_signed_is_trusted_and_stays_so_without_a_server(device: Device) -> None:
    device.repository.add(SECOND, epoch=2)
    verdict = device.take(device.repository.publish())
    assert signed(verdict, FIRST)
    assert signed(verdict, SECOND)
    assert endorse(SECOND, verdict, 3, 0.0).reason is Reason.EPOCH_DOWNGRADE
    assert endorse(SECOND, verdict, 2, verdict.expires_at).reason is Reason.METADATA_EXPIRED
    again = device.take({})
    assert (again.targets, again.expires_at, again.held) == (verdict.targets, verdict.expires_at, verdict.held)
    assert len(again.held) == 4


def test_rollback_of_the_timestamp(device: Device) -> None:
    device.repository.add(SECOND)
    device.take(device.repository.publish())
    stored = device.stored()
    assert device.take(device.before).reason is Reason.METADATA_ROLLBACK
    assert device.stored() == stored


def test_rollback_of_the_packages_under_a_new_timestamp(device: Device) -> None:
    device.repository.publish()
    device.take(device.repository.publish())
    device.repository.versions["targets"] = 0
    assert device.take(device.repository.publish()).reason is Reason.METADATA_ROLLBACK


def test_freeze(device: Device) -> None:
    """The server keeps offering its metadata until it expires."""
    device.repository.days["timestamp"] = -1.0
    assert device.take(device.repository.publish()).reason is Reason.METADATA_EXPIRED
    assert signed(device.take({}), FIRST), "what was believed before counts to its own date"
    device.repository.days["timestamp"] = 1.0
    assert signed(device.take(device.repository.publish()), FIRST)


def test_a_clock_that_is_years_behind(device: Device) -> None:
    """A device without a clock battery decides by the time known from signed metadata, not by its own clock."""
    verdict = device.take({})
    beyond = verdict.expires_at + 1.0
    for role in ("timestamp", "snapshot", "targets"):
        device.repository.days[role] = 60.0
    device.repository.add(SECOND)
    assert device.take({}, beyond).reason is Reason.METADATA_EXPIRED, "what it holds is over its date"
    device.repository.days["root"] = 60.0
    device.repository.revoke("snapshot")
    assert signed(device.take(device.repository.publish(), beyond), SECOND), "and newer metadata is believed"


def test_when_it_was_signed(device: Device) -> None:
    assert device.take({}).signed_at == 0.0, "an older server does not say"
    now = time.time()
    device.repository.signed_at = int(now)
    assert device.take(device.repository.publish()).signed_at == int(now)
    for lie in (int(now) + 31 * 86_400, 10**30, -1, "tomorrow", [], True):
        device.repository.signed_at = lie
        verdict = device.take(device.repository.publish())
        assert verdict.reason is Reason.NONE
        assert verdict.signed_at in (0.0, 1.0), "who has the server's keys cannot end what others have signed"


@pytest.mark.parametrize("role", ["root", "snapshot", "targets"])
def test_expired(device: Device, role: str) -> None:
    device.repository.days[role] = -1.0
    if role == "root":
        device.repository.revoke("snapshot")
    assert device.take(device.repository.publish()).reason is Reason.METADATA_EXPIRED


@pytest.mark.parametrize("role", ["snapshot", "targets"])
def test_mix_and_match(device: Device, role: str) -> None:
    """Signed files of different states: an old one under the name of the new one."""
    device.repository.add(SECOND)
    files = device.repository.publish()
    number = device.repository.versions[role]
    files[f"{number}.{role}.json"] = device.before[f"{number - 1}.{role}.json"]
    assert device.take(files).reason is Reason.METADATA_MISMATCH


@pytest.mark.parametrize("role", ["timestamp", "snapshot", "targets"])
def test_withheld(device: Device, role: str) -> None:
    device.repository.add(SECOND)
    files = {name: data for name, data in device.repository.publish().items() if role not in name}
    verdict = device.take(files)
    assert not signed(verdict, SECOND)
    assert verdict.reason in (Reason.METADATA_MISMATCH, Reason.NONE)


@pytest.mark.parametrize("role", ["targets", "snapshot", "timestamp"])
def test_a_stranger_signs(device: Device, role: str) -> None:
    device.repository.add(SECOND)
    assert device.take(device.repository.publish(**{role: CryptoSigner.generate_ed25519()})).reason is Reason.UNSIGNED


def test_no_signature_at_all(device: Device) -> None:
    files = device.repository.publish()
    plain = json.loads(files["timestamp.json"])
    files["timestamp.json"] = json.dumps({**plain, "signatures": []}).encode()
    assert device.take(files).reason is Reason.UNSIGNED


@pytest.mark.parametrize("role", ["targets", "snapshot", "timestamp"])
def test_a_revoked_key_signs(device: Device, role: str) -> None:
    stolen = device.repository.revoke(role)
    device.repository.add(SECOND)
    assert device.take(device.repository.publish(**{role: stolen})).reason is Reason.UNSIGNED
    assert signed(device.take(device.repository.publish()), SECOND), "the new key is believed"


def test_a_root_that_the_old_one_did_not_sign(device: Device) -> None:
    stranger = Repository()
    stranger.revoke("targets")
    stranger.add(SECOND)
    stored = device.stored()
    assert device.take(stranger.publish()).reason is Reason.UNSIGNED
    assert device.stored() == stored


def test_the_root_key_changes_hands(device: Device) -> None:
    device.repository.revoke("root")
    device.repository.revoke("root")
    device.repository.add(SECOND)
    verdict = device.take(device.repository.publish())
    assert signed(verdict, SECOND)
    assert verdict.root_version == 3


@pytest.mark.parametrize("role", ["timestamp", "snapshot", "targets"])
def test_endless_data(device: Device, role: str) -> None:
    files = {name: data + ENDLESS if role in name else data for name, data in device.repository.publish().items()}
    assert device.take(files).reason in (Reason.METADATA_INVALID, Reason.METADATA_MISMATCH)


def test_arbitrary_package_wrong_content_wrong_length_wrong_epoch(device: Device) -> None:
    other = make_package("1.0.0", 2000).target
    device.repository.add(SECOND, length=SECOND.length - 1, epoch=1)
    verdict = device.take(device.repository.publish())
    assert endorse(other, verdict, 0, 0.0).reason is Reason.UNSIGNED
    assert endorse(make_package("9.0.0", 10).target, verdict, 0, 0.0).reason is Reason.UNSIGNED
    assert endorse(SECOND, verdict, 0, 0.0).reason is Reason.LENGTH_MISMATCH
    device.repository.add(SECOND, epoch=1)
    verdict = device.take(device.repository.publish())
    assert endorse(SECOND, verdict, 2, 0.0).reason is Reason.EPOCH_DOWNGRADE


def test_a_root_that_is_none(tmp_path: Path) -> None:
    unsigned = json.loads(Repository().roots[1])
    unsigned["signatures"] = []
    for data in (b"", b"{}", b"\xff", json.dumps(unsigned).encode()):
        with pytest.raises(InputError, match="trust root"):
            install_root(tmp_path, data)
    with pytest.raises(InputError, match="no trust root"):
        refresh(tmp_path, {})


@settings(max_examples=60)
@given(data=st.data())
def test_mutated_metadata_never_makes_anything_trusted(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    state = tmp_path_factory.mktemp("mutated")
    device = Device(state)
    device.repository.add(SECOND)
    files = device.repository.publish()
    name = data.draw(st.sampled_from(sorted(files)))
    raw = bytearray(files[name])
    for _ in range(data.draw(st.integers(1, 4))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    changed = bytes(raw) != files[name]
    try:
        verdict = device.take({**files, name: bytes(raw)})
    except EdgefleetError:
        return
    if changed and signed(verdict, SECOND):
        assert json.loads(raw)["signed"] == json.loads(files[name])["signed"], "only what no signature covers may differ"


def test_the_shelf_takes_only_what_was_promised() -> None:
    metadata_staging, data = MetadataStaging(), bytes(BLOCK_BYTES) + b"end"
    spec = BlobSpec("ab" * 32, len(data))
    assert metadata_staging.missing(spec) == [0, 1]
    assert metadata_staging.put(spec, 1, b"end and more") is BlockPut.WRONG_LENGTH
    assert metadata_staging.put(spec, 2, b"end") is BlockPut.WRONG_LENGTH
    assert metadata_staging.put(spec, 1, b"end") is BlockPut.VERIFIED
    assert metadata_staging.put(spec, 1, b"end") is BlockPut.DUPLICATE
    assert metadata_staging.put(spec, 0, data[:BLOCK_BYTES]) is BlockPut.VERIFIED
    assert metadata_staging.take(spec) is None, "it has not the digest that was offered"
    assert metadata_staging.put(BlobSpec("cd" * 32, 3), 0, b"abc") is BlockPut.WRONG_HASH


def test_a_disk_that_damages_the_metadata_does_not_lower_the_trust(device: Device) -> None:
    """Whatever byte of it changes: the root stays, nothing older is taken, and the server's metadata is taken again."""
    device.repository.add(SECOND)
    newest = device.repository.publish()
    device.take(newest)
    place = device.state / "trust" / "metadata.json"
    whole = place.read_bytes()
    for damaged in (
        b"",
        whole[: len(whole) // 2],
        whole.replace(b"root.json", b"root.jsom"),
        whole.replace(b"sig", b"gis"),
        None,
    ):
        place.unlink() if damaged is None else place.write_bytes(damaged)
        verdict = device.take({})
        assert verdict.damage.startswith(f"{place} was damaged")
        assert not verdict.targets
        assert device.take({}).damage == "", "told once"
        assert device.take(device.before).reason is Reason.METADATA_ROLLBACK
        assert not device.take({}).targets
        assert device.take(Repository().publish()).reason is not Reason.NONE, "another root"
        assert signed(device.take(newest), SECOND)


def test_a_damaged_anchor_is_written_again(device: Device) -> None:
    anchor = device.state / "trust" / "anchor.json"
    whole = anchor.read_bytes()
    for damaged in (b"", whole[:-5], whole.replace(b"sig", b"gis"), None):
        anchor.unlink() if damaged is None else anchor.write_bytes(damaged)
        assert signed(device.take({}), FIRST)
        assert anchor.read_bytes() == whole


def test_without_metadata_and_anchor_nothing_new_is_trusted(device: Device) -> None:
    for name in ("metadata.json", "anchor.json"):
        (device.state / "trust" / name).write_bytes(b"{}")
    with pytest.raises(InputError, match="so is its copy of the root; enroll this device again"):
        device.take(device.before)
    install_root(device.state, device.repository.roots[1])
    assert signed(device.take(device.before), FIRST), "the root of the settings"


def test_after_damage_a_role_with_new_keys_is_taken_from_its_first_version(device: Device) -> None:
    """The recovery of a repository from a thief of a key who signed the highest version."""
    device.repository.versions["timestamp"] = 10**6
    device.take(device.repository.publish())
    device.repository.revoke("timestamp")
    device.repository.versions["timestamp"] = 5
    (device.state / "trust" / "metadata.json").write_bytes(b"")
    assert signed(device.take(device.repository.publish()), FIRST)
