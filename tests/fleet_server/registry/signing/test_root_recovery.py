"""Drill: root keys that people keep, and what happens when one is lost or stolen, or the server's own are. Devices use the
agent's own client; the server's part is the real repository."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from edgefleet_agent.model_store.tuf_client import install_root, refresh
from edgefleet_contract.wire.reason_codes import Reason
from edgefleet_server.core.errors import ConflictError, InputError
from edgefleet_server.registry.signing.keys import Signer, add_signature, load_signer, new_key, sign, write_secret
from edgefleet_server.registry.signing.root_changes import RoleKeys, next_root
from edgefleet_server.registry.signing.signed_targets import SignedPackage, next_targets
from edgefleet_server.registry.signing.tuf_repository import TufRepository

NOW = time.time()
PACKAGES = [SignedPackage("inspector", f"1.{number}.0", f"{number:02x}" * 32, 900, 0) for number in range(4)]
PEOPLE = ("anna", "ben", "cleo", "dora", "targets")


class Company:
    """A repository, the keys of its people, and a device that was enrolled before the keys were taken off the server."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.keys = {}
        for name in PEOPLE:
            write_secret(folder / f"{name}.pem", new_key())
            self.keys[name] = load_signer(folder / f"{name}.pem")
        self.server = TufRepository(folder / "trust")
        self.server.open([PACKAGES[0]], NOW)
        install_root(folder / "device", self.server.file("root"))
        assert self.device() == Reason.NONE

    def change(self, root: Sequence[str], signed_by: Sequence[str], targets: str = "", threshold: int = 0) -> None:
        """Another root, as `edgefleet trust change-root` makes and sends it."""
        self.server.accept_root(self.root(root, signed_by, targets, threshold), NOW, self.targets(targets) if targets else None)

    def root(self, names: Sequence[str], signed_by: Sequence[str], targets: str = "", threshold: int = 0) -> bytes:
        own = RoleKeys([self.keys[name].public_key for name in names], threshold)
        packages = RoleKeys([self.keys[targets].public_key], 1) if targets else RoleKeys()
        data = sign(next_root(self.server.file("root"), own, packages, NOW))
        for name in signed_by:
            data = add_signature(data, self.keys[name])
        return data

    def targets(self, name: str, *packages: SignedPackage) -> bytes:
        return sign(next_targets(self.server.file("targets"), packages), self.keys[name])

    def go_offline(self) -> None:
        self.change(("anna", "ben", "cleo"), ("anna", "cleo"), "targets", 2)

    def release(self, package: SignedPackage, name: str = "targets") -> None:
        self.server.accept_targets(self.targets(name, package), NOW)

    def offered(self) -> dict[str, bytes]:
        return dict(self.server.offered_files(NOW))

    def device(self, name: str = "device") -> Reason:
        return refresh(self.folder / name, self.offered()).reason

    def device_takes(self) -> list[str]:
        return sorted(refresh(self.folder / "device", self.offered()).targets)


@pytest.fixture
def company(tmp_path: Path) -> Company:
    return Company(tmp_path)


def test_people_take_root_and_targets_keys_off_the_server(company: Company) -> None:
    with pytest.raises(InputError, match="2 of the 3 root keys of the new root"):
        company.change(("anna", "ben", "cleo"), ("anna",), "targets", 2)
    with pytest.raises(InputError, match="include the targets metadata"):
        company.server.accept_root(company.root(("anna", "ben", "cleo"), ("anna", "ben"), "targets", 2), NOW)
    company.go_offline()
    assert {path.name for path in (company.folder / "trust/keys").iterdir()} == {"snapshot.pem", "timestamp.pem"}
    assert [(role["role"], role["threshold"], role["online"]) for role in company.server.summary()][:2] == [
        ("root", 2, False),
        ("targets", 1, False),
    ]
    assert not company.server.sign(PACKAGES[1], NOW)
    company.release(PACKAGES[1])
    assert company.device_takes() == ["inspector/1.0.0", "inspector/1.1.0"]
    again = TufRepository(company.folder / "trust")
    again.open(PACKAGES[:2], NOW)
    assert company.device() == Reason.NONE


def test_one_root_key_of_three_is_lost(company: Company) -> None:
    company.go_offline()
    company.change(("anna", "cleo", "dora"), ("anna", "cleo"))
    company.release(PACKAGES[1])
    assert company.device_takes() == ["inspector/1.0.0", "inspector/1.1.0"]
    company.change(("anna", "ben", "dora"), ("anna", "dora"))  # the new key counts
    assert company.device() == Reason.NONE


def attacked(company: Company, data: bytes) -> Reason:
    """The verdict of the device about a root that an intruder on the server offers it."""
    newest = max(int(name.split(".")[0]) for name in company.offered() if name.endswith("root.json"))
    return refresh(company.folder / "device", {**company.offered(), f"{newest + 1}.root.json": data}).reason


def test_a_stolen_root_key_gives_nothing_and_is_replaced(company: Company) -> None:
    company.go_offline()
    assert company.device() == Reason.NONE
    thief = company.root(("ben", "dora"), ("ben", "dora"), threshold=2)  # ben's key was stolen, dora's is the thief's own
    assert attacked(company, thief) != Reason.NONE
    with pytest.raises(InputError, match="2 of the 3 root keys of the present root"):
        company.server.accept_root(thief, NOW)
    company.change(("anna", "cleo", "targets"), ("anna", "cleo"))
    assert company.device() == Reason.NONE
    late = company.root(("ben", "cleo"), ("ben", "cleo"), threshold=2)  # with one more key that he steals later
    assert attacked(company, late) != Reason.NONE
    assert company.device_takes() == ["inspector/1.0.0"]


def test_all_keys_of_the_server_are_lost(company: Company) -> None:
    company.go_offline()
    for file in (company.folder / "trust/keys").iterdir():
        file.unlink()
    company.server = TufRepository(company.folder / "trust")
    with pytest.raises(ConflictError, match="needs 2 root keys, 1 are here"):
        company.server.replace_lost(NOW, root_keys=[company.keys["anna"]])
    signers: list[Signer] = [company.keys["anna"], company.keys["ben"]]
    assert company.server.replace_lost(NOW, root_keys=signers) == ["snapshot", "timestamp"]
    company.server = TufRepository(company.folder / "trust")
    company.server.open([PACKAGES[0]], NOW)
    company.release(PACKAGES[1])
    assert company.device_takes() == ["inspector/1.0.0", "inspector/1.1.0"]


def test_a_lost_targets_key(company: Company) -> None:
    company.go_offline()
    company.change((), ("anna", "ben"), "dora")
    with pytest.raises(InputError, match="not signed with the targets key"):
        company.release(PACKAGES[1])
    company.release(PACKAGES[1], "dora")
    assert company.device_takes() == ["inspector/1.0.0", "inspector/1.1.0"]


def test_fewer_root_keys_than_the_threshold_change_nothing(company: Company) -> None:
    """Two of three are lost: no root follows any more, and each device needs a new enrolment, with the root of a new start."""
    company.go_offline()
    for names in (("cleo",), ("cleo", "dora")):
        with pytest.raises(InputError, match="of the present root"):
            company.change(("cleo", "dora"), names)
    company.release(PACKAGES[1])  # what has a key goes on
    assert company.device_takes() == ["inspector/1.0.0", "inspector/1.1.0"]


def test_an_old_device_follows_a_chain_of_roots(company: Company) -> None:
    company.go_offline()
    for members in (("anna", "ben", "dora"), ("anna", "cleo", "dora"), ("ben", "cleo", "anna")):
        company.change(members, tuple(name for name in ("anna", "ben", "cleo", "dora") if name in company.keys)[:4])
    company.release(PACKAGES[1])
    assert company.device_takes() == ["inspector/1.0.0", "inspector/1.1.0"]


def test_roots_that_do_not_follow(company: Company) -> None:
    company.go_offline()
    same = company.root((), ("anna", "ben"))
    company.server.accept_root(same, NOW)
    with pytest.raises(ConflictError, match="does not follow"):
        company.server.accept_root(same, NOW)
    for garbage in (b"", b"{}", company.server.file("targets")):
        with pytest.raises((InputError, ConflictError)):
            company.server.accept_root(garbage, NOW)
    for threshold in (4, 17):
        with pytest.raises(InputError, match="is not possible"):
            company.root(("anna", "ben"), (), threshold=threshold)
