"""The server's TUF repository, checked by the client of a device."""

from __future__ import annotations

import hashlib
import stat
import time
from contextlib import ExitStack
from pathlib import Path

import pytest
from tuf.api.metadata import Metadata, Root

from edgefleet_agent.model_store.trust import TrustVerdict
from edgefleet_agent.model_store.tuf_client import install_root, refresh
from edgefleet_contract.wire.reason_codes import Reason
from edgefleet_server.__main__ import main
from edgefleet_server.app.resources import open_resources
from edgefleet_server.cli.admin.sign import describe
from edgefleet_server.cli.admin.stopped_server import stopped_server
from edgefleet_server.core.errors import ConflictError, InputError, StoreError
from edgefleet_server.core.settings import Settings
from edgefleet_server.db.people import audit
from edgefleet_server.registry.signing.keys import check, load_signer, new_key, public_key, public_pem, sign, write_secret
from edgefleet_server.registry.signing.signed_targets import DAY_S, SignedPackage, next_targets, signed_by
from edgefleet_server.registry.signing.tuf_repository import TufRepository

NOW = float(int(time.time()))
FIRST = SignedPackage("inspector", "1.0.0", "a1" * 32, 900, 0)
SECOND = SignedPackage("inspector", "1.1.0", "b2" * 32, 901, 3)
MODEL = Path(__file__).resolve().parents[4] / "firmware_models" / "conveyor_inspector" / "1.1.0"


class Device:
    """Fetches what is offered, and verifies it."""

    def __init__(self, state: Path, trust: TufRepository) -> None:
        self.state, self.trust = state, trust
        install_root(state, trust.file("root"))

    def refresh_trust(self) -> TrustVerdict:
        files = {}
        for file in self.trust.offer(NOW).files:
            data = self.trust.read_block(file.digest, 0)
            assert (len(data), hashlib.sha256(data).hexdigest()) == (file.length, file.digest)
            files[file.name] = data
        return refresh(self.state, files)


def opened(folder: Path, *packages: SignedPackage, now: float = NOW) -> TufRepository:
    trust = TufRepository(folder)
    trust.open(packages, now)
    return trust


@pytest.fixture
def trust(tmp_path: Path) -> TufRepository:
    return opened(tmp_path / "trust", FIRST)


@pytest.fixture
def device(tmp_path: Path, trust: TufRepository) -> Device:
    return Device(tmp_path / "device", trust)


def test_a_pushed_package_is_believed_by_devices(trust: TufRepository, device: Device) -> None:
    assert sorted(device.refresh_trust().targets) == ["inspector/1.0.0"]
    assert trust.sign(SECOND, NOW)
    target = device.refresh_trust().targets["inspector/1.1.0"]
    assert (target.digest, target.length, target.epoch) == (SECOND.digest, SECOND.descriptor_bytes, SECOND.epoch)


def test_keys_are_for_their_owner_only_and_survive_a_restart(tmp_path: Path, trust: TufRepository, device: Device) -> None:
    files = list((tmp_path / "trust" / "keys").iterdir())
    assert {file.name for file in files} == {"root.pem", "targets.pem", "snapshot.pem", "timestamp.pem"}
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
    device.refresh_trust()
    device.trust = opened(tmp_path / "trust", FIRST, SECOND)
    assert sorted(device.refresh_trust().targets) == ["inspector/1.0.0", "inspector/1.1.0"], (
        "what came without a signature is signed"
    )


def test_what_gets_old_is_signed_again(tmp_path: Path, trust: TufRepository) -> None:
    before = {role["role"]: role for role in trust.summary()}
    trust.offer(NOW + 4 * DAY_S)
    after = {role["role"]: role for role in trust.summary()}
    assert after["timestamp"]["expires_at"] > before["timestamp"]["expires_at"]
    assert after["targets"]["version"] == before["targets"]["version"], "a year is not half over"
    trust.offer(NOW + 200 * DAY_S)
    assert {role["role"]: role for role in trust.summary()}["targets"]["version"] == before["targets"]["version"] + 1


@pytest.mark.parametrize("role", ["root", "targets", "snapshot", "timestamp"])
def test_every_key_can_be_replaced(tmp_path: Path, trust: TufRepository, device: Device, role: str) -> None:
    device.refresh_trust()
    trust.rotate(role, NOW)
    verdict = device.refresh_trust()
    assert (verdict.reason, verdict.root_version, sorted(verdict.targets)) == (Reason.NONE, 2, ["inspector/1.0.0"])
    device.trust = opened(tmp_path / "trust", FIRST)
    device.trust.rotate("root", NOW)
    assert device.refresh_trust().root_version == 3


@pytest.mark.parametrize("root_written", [True, False])
def test_a_rotation_that_the_power_cut_short(tmp_path: Path, trust: TufRepository, device: Device, root_written: bool) -> None:
    """The key is on the disk before the root that names it: signing continues if either of the two is missing."""
    keys = tmp_path / "trust" / "keys"
    if root_written:
        old = (keys / "timestamp.pem").read_bytes()
        trust.rotate("timestamp", NOW)
        (keys / "timestamp.pem").rename(keys / "timestamp.next.pem")
        (keys / "timestamp.pem").write_bytes(old)
    else:
        write_secret(keys / "timestamp.next.pem", new_key())
    device.trust = opened(tmp_path / "trust", FIRST, SECOND)
    assert sorted(device.refresh_trust().targets) == ["inspector/1.0.0", "inspector/1.1.0"]
    assert not list(keys.glob("*.next.pem"))


def test_a_key_that_the_server_does_not_have(tmp_path: Path, trust: TufRepository, device: Device) -> None:
    write_secret(tmp_path / "offline.pem", new_key())
    signer = load_signer(tmp_path / "offline.pem")
    with pytest.raises(InputError, match="signed with the new key"):
        trust.rotate("targets", NOW, [signer.public_key])
    trust.rotate("targets", NOW, [public_key(public_pem(signer))], sign(next_targets(trust.file("targets"), []), signer))
    assert device.refresh_trust().reason is Reason.NONE
    assert not trust.sign(SECOND, NOW)
    assert sorted(device.refresh_trust().targets) == ["inspector/1.0.0"]
    part = describe(MODEL)
    assert signed_by(trust.file("targets"), signer.public_key)
    signed = sign(next_targets(trust.file("targets"), [part]), signer)
    trust.accept_targets(signed, NOW)
    assert device.refresh_trust().targets["conveyor_inspector/1.1.0"].digest == part.digest
    with pytest.raises(ConflictError, match="does not follow"):
        trust.accept_targets(signed, NOW)
    stranger = load_signer(_key(tmp_path / "stranger.pem"))
    with pytest.raises(InputError, match="not signed with the targets key"):
        trust.accept_targets(sign(next_targets(trust.file("targets"), [SECOND]), stranger), NOW)
    for garbage in (b"", b"{}", b"\xff\x00"):
        with pytest.raises(InputError):
            trust.accept_targets(garbage, NOW)


@pytest.mark.parametrize("damage", ["missing", "damaged", "of another server"])
@pytest.mark.parametrize("roles", [["timestamp"], ["snapshot"], ["snapshot", "timestamp"]])
def test_lost_keys_are_replaced_by_the_root(
    tmp_path: Path, trust: TufRepository, device: Device, roles: list[str], damage: str
) -> None:
    device.refresh_trust()
    for role in roles:
        key = tmp_path / "trust" / "keys" / f"{role}.pem"
        key.unlink()
        if damage != "missing":
            write_secret(key, b"garbage" if damage == "damaged" else new_key())
    with pytest.raises(StoreError, match="signing key"):
        check(tmp_path / "trust", tmp_path / "trust")
    lost = TufRepository(tmp_path / "trust")
    assert lost.replace_lost(NOW) == roles
    check(tmp_path / "trust", tmp_path / "trust")
    device.trust = opened(tmp_path / "trust", FIRST, SECOND)
    verdict = device.refresh_trust()
    assert (verdict.reason, verdict.root_version) == (Reason.NONE, 2)
    assert sorted(verdict.targets) == ["inspector/1.0.0", "inspector/1.1.0"]
    with pytest.raises(InputError, match="no key is lost"):
        TufRepository(tmp_path / "trust").replace_lost(NOW)


def test_a_lost_targets_key_is_replaced_when_it_is_named(tmp_path: Path, trust: TufRepository, device: Device) -> None:
    device.refresh_trust()
    (tmp_path / "trust" / "keys" / "targets.pem").unlink()
    with pytest.raises(InputError, match="no key is lost; name the role"):
        TufRepository(tmp_path / "trust").replace_lost(NOW)
    TufRepository(tmp_path / "trust").replace_lost(NOW, ["targets"])
    device.trust = opened(tmp_path / "trust", FIRST, SECOND)
    assert sorted(device.refresh_trust().targets) == ["inspector/1.0.0", "inspector/1.1.0"]


def test_only_enough_root_keys_replace_a_lost_one(tmp_path: Path, trust: TufRepository, device: Device) -> None:
    device.refresh_trust()
    keys = tmp_path / "trust" / "keys"
    elsewhere = tmp_path / "root.pem"
    (keys / "root.pem").rename(elsewhere)
    (keys / "timestamp.pem").unlink()
    before = sorted((tmp_path / "trust").rglob("*"))
    stranger = load_signer(_key(tmp_path / "stranger.pem"))
    with pytest.raises(ConflictError, match="a new root needs 1 root keys, 0 are here; name the files with --root-key"):
        TufRepository(tmp_path / "trust").replace_lost(NOW)
    with pytest.raises(ConflictError, match=r"key \w{12} of --root-key is no root key of this server; expected is \w{12}$"):
        TufRepository(tmp_path / "trust").replace_lost(NOW, root_keys=[stranger])
    assert sorted((tmp_path / "trust").rglob("*")) == before
    TufRepository(tmp_path / "trust").replace_lost(NOW, root_keys=[load_signer(elsewhere)])
    device.trust = opened(tmp_path / "trust", FIRST)
    assert device.refresh_trust().root_version == 2
    assert not (keys / "root.pem").exists()


def test_a_root_that_needs_two_signatures(tmp_path: Path, trust: TufRepository, device: Device) -> None:
    """Other tools of TUF can make such a root."""
    keys = tmp_path / "trust" / "keys"
    root = Metadata[Root].from_bytes(trust.file("root")).signed
    second = load_signer(_key(tmp_path / "second.pem"))
    root.add_key(second.public_key, "root")
    root.roles["root"].threshold = 2
    root.version = 2
    write_secret(tmp_path / "trust" / "metadata" / "2.root.json", sign(root, load_signer(keys / "root.pem"), second))
    device.trust = opened(tmp_path / "trust", FIRST)
    device.refresh_trust()
    (keys / "snapshot.pem").unlink()
    with pytest.raises(ConflictError, match="needs 2 root keys, 1 are here"):
        TufRepository(tmp_path / "trust").replace_lost(NOW)
    TufRepository(tmp_path / "trust").replace_lost(NOW, root_keys=[second])
    device.trust = opened(tmp_path / "trust", FIRST)
    assert (device.refresh_trust().reason, device.refresh_trust().root_version) == (Reason.NONE, 3)


def test_changed_metadata_is_not_signed_again(tmp_path: Path, trust: TufRepository) -> None:
    """A process that can write the folder cannot have a package signed that way."""
    metadata = tmp_path / "trust" / "metadata"
    targets = max(metadata.glob("*.targets.json"))
    targets.write_bytes(targets.read_bytes().replace(FIRST.digest.encode(), b"c3" * 32))
    (tmp_path / "trust" / "keys" / "timestamp.pem").unlink()
    with pytest.raises(StoreError, match="damaged"):
        TufRepository(tmp_path / "trust").replace_lost(NOW)


def test_the_command_replaces_lost_keys(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "fleet"
    with ExitStack() as undo:
        open_resources(Settings(data=data), NOW, undo)
    (data / "trust" / "keys" / "snapshot.pem").unlink()
    with stopped_server(data, ""):
        assert main(["trust", "replace-lost", "--data", str(data)]) == 4
        assert "a server is using" in capsys.readouterr().err
    assert main(["trust", "replace-lost", "--data", str(data)]) == 0
    assert capsys.readouterr().out.startswith("new keys for snapshot; start the server")
    assert main(["trust", "replace-lost", "--data", str(data)]) == 2
    assert capsys.readouterr().err == ("edgefleet: no key is lost; name the role of a key that is to be replaced with --role\n")
    with ExitStack() as undo:
        resources = open_resources(Settings(data=data), NOW, undo)
        with resources.database.read() as connection:
            assert audit.check(connection).entries == 1


@pytest.mark.parametrize("role", ["root", "targets", "snapshot", "timestamp"])
def test_the_advice_about_a_damaged_key_works(role: str, tmp_path: Path) -> None:
    data = tmp_path / "fleet"
    with ExitStack() as undo:
        open_resources(Settings(data=data), NOW, undo)
    key = data / "trust" / "keys" / f"{role}.pem"
    key.write_bytes(b"")
    with ExitStack() as undo, pytest.raises(StoreError) as refused:
        open_resources(Settings(data=data), NOW, undo)
    if role == "root":
        assert "delete it if that is elsewhere" in str(refused.value)
        key.unlink()
    else:
        words = str(refused.value).split("`")[1].split()
        assert main([*words[1:], "--data", str(data)]) == 0
    with ExitStack() as undo:
        open_resources(Settings(data=data), NOW, undo)


def test_damaged_metadata_is_reported_and_not_used(tmp_path: Path, trust: TufRepository) -> None:
    (tmp_path / "trust" / "metadata" / "timestamp.json").write_bytes(b"{}")
    with pytest.raises(StoreError, match="damaged"):
        opened(tmp_path / "trust")


def _key(path: Path) -> Path:
    write_secret(path, new_key())
    return path
