"""Conformance of the device to the TUF client workflow: a simulated repository makes a series of roots, thresholds, rotations and
malformed roles, and the device refreshes. Refused metadata leaves what was trusted before."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from securesystemslib.signer import CryptoSigner
from tuf.api.metadata import Metadata, Root, Snapshot, Timestamp

from edgefleet_agent.model_store.trust import TRUSTED, TrustVerdict, endorse
from edgefleet_agent.model_store.tuf_client import install_root, refresh
from edgefleet_contract.wire.reason_codes import Reason
from tests.agent.fakes.packages import make_package
from tests.agent.fakes.repository import Repository

FIRST = make_package("1.0.0", 1000).target
SECOND = make_package("1.1.0", 1000).target
ROOTS_PER_REFRESH = 256


class Simulator:
    """A repository whose files a test changes and signs again, and a device that has verified it with FIRST in it."""

    def __init__(self, state: Path) -> None:
        self.state = state
        self.repository = Repository()
        install_root(state, self.repository.roots[1])
        self.repository.add(FIRST)
        assert self.take(self.repository.publish()).reason is Reason.NONE
        self.repository.add(SECOND)

    def take(self, files: dict[str, bytes]) -> TrustVerdict:
        return refresh(self.state, files)

    def root(self, signers: list[CryptoSigner], change: Callable[[Root], None], number: int = 2) -> dict[str, bytes]:
        """A next root, changed and signed by `signers`, with all other files."""
        files = self.repository.publish()
        root = Metadata[Root].from_bytes(self.repository.roots[max(self.repository.roots)]).signed
        root.version = number
        change(root)
        return {**files, "2.root.json": signed_by(root, signers)}

    def trusts(self, verdict: TrustVerdict) -> bool:
        return verdict.reason is Reason.NONE and endorse(SECOND, verdict, 0, 0.0) == TRUSTED

    def check_unchanged(self) -> None:
        """The device trusts the same packages as before, and no more."""
        verdict = self.take({})
        assert verdict.reason is Reason.NONE
        assert list(verdict.targets) == ["noise/1.0.0"]


def signed_by(signed: Any, signers: list[CryptoSigner]) -> bytes:
    metadata: Metadata[Any] = Metadata(signed)
    for signer in signers:
        metadata.sign(signer, append=True)
    return metadata.to_bytes()


def nothing(_root: Root) -> None:
    pass


@pytest.fixture
def simulator(tmp_path: Path) -> Simulator:
    return Simulator(tmp_path)


def replace_root_key(root: Root, new: CryptoSigner, *, threshold: int = 1) -> None:
    root.roles["root"].keyids = []
    root.add_key(new.public_key, "root")
    root.roles["root"].threshold = threshold


def test_a_chain_of_root_keys_is_followed_in_one_refresh(simulator: Simulator) -> None:
    """Also where roots in between have expired."""
    simulator.repository.days["root"] = -1.0
    for _ in range(4):
        simulator.repository.revoke("root")
    simulator.repository.days["root"] = 30.0
    simulator.repository.revoke("root")
    verdict = simulator.take(simulator.repository.publish())
    assert (simulator.trusts(verdict), verdict.root_version) == (True, 6)


def test_a_gap_in_the_chain_ends_it(simulator: Simulator) -> None:
    simulator.repository.revoke("root")
    simulator.repository.revoke("targets")
    files = simulator.repository.publish()
    del files["2.root.json"]
    verdict = simulator.take(files)
    assert (verdict.reason, verdict.root_version) == (Reason.UNSIGNED, 1), "the keys of the later root do not count"
    assert not simulator.trusts(simulator.take({}))


@pytest.mark.parametrize("number", [1, 3, 2**31])
def test_a_root_with_another_version_than_the_next(number: int, simulator: Simulator) -> None:
    files = simulator.root([simulator.repository.keys["root"]], nothing, number)
    assert simulator.take(files).reason is Reason.METADATA_ROLLBACK
    simulator.check_unchanged()


@pytest.mark.parametrize("signs", ["old", "new"])
def test_a_new_root_key_needs_the_old_and_the_new_signature(signs: str, simulator: Simulator) -> None:
    new = CryptoSigner.generate_ed25519()
    signer = simulator.repository.keys["root"] if signs == "old" else new
    assert simulator.take(simulator.root([signer], lambda root: replace_root_key(root, new))).reason is Reason.UNSIGNED
    simulator.check_unchanged()


def test_a_threshold_is_counted_by_keys(simulator: Simulator) -> None:
    """One key that signs twice is one signature, and keys that the role does not have are none."""
    repository, second = simulator.repository, CryptoSigner.generate_ed25519()

    def two(root: Root) -> None:
        root.add_key(second.public_key, "targets")
        root.roles["targets"].threshold = 2

    files = simulator.root([repository.keys["root"]], two)
    assert simulator.take(files).reason is Reason.UNSIGNED
    for signers in ([repository.keys["targets"]] * 2, [repository.keys["targets"], CryptoSigner.generate_ed25519()]):
        assert not simulator.trusts(simulator.take(resigned(simulator, files, "targets", signers)))
    assert simulator.trusts(simulator.take(resigned(simulator, files, "targets", [repository.keys["targets"], second])))


def resigned(simulator: Simulator, files: dict[str, bytes], role: str, signers: list[CryptoSigner]) -> dict[str, bytes]:
    """The files with `role` signed by `signers`, and newer snapshot and timestamp that name it."""
    keys, versions = simulator.repository.keys, simulator.repository.versions
    name = f"{versions[role]}.{role}.json"
    data = signed_by(Metadata[Any].from_bytes(files[name]).signed, signers)
    snapshot = Metadata[Snapshot].from_bytes(next(files[each] for each in files if "snapshot" in each)).signed
    stamp = Metadata[Timestamp].from_bytes(files["timestamp.json"]).signed
    snapshot.meta[f"{role}.json"].length = snapshot.meta[f"{role}.json"].hashes = None
    stamp.snapshot_meta.length = stamp.snapshot_meta.hashes = None
    versions["snapshot"] += 1
    versions["timestamp"] += 1
    snapshot.version = stamp.snapshot_meta.version = versions["snapshot"]
    stamp.version = versions["timestamp"]
    return {
        **{each: content for each, content in files.items() if "snapshot" not in each},
        name: data,
        f"{snapshot.version}.snapshot.json": signed_by(snapshot, [keys["snapshot"]]),
        "timestamp.json": signed_by(stamp, [keys["timestamp"]]),
    }


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda stamp: setattr(stamp.snapshot_meta, "length", 7), Reason.METADATA_INVALID),
        (lambda stamp: setattr(stamp.snapshot_meta, "hashes", {"sha256": "0" * 64}), Reason.METADATA_MISMATCH),
        (lambda stamp: setattr(stamp.snapshot_meta, "version", 1), Reason.METADATA_ROLLBACK),
        (lambda stamp: setattr(stamp, "expires", datetime.now(timezone.utc) - timedelta(days=1)), Reason.METADATA_EXPIRED),
        (lambda stamp: setattr(stamp, "version", 1), Reason.METADATA_ROLLBACK),
    ],
    ids=["length", "hash", "snapshot version", "expiry", "version"],
)
def test_a_timestamp_that_lies(change: Callable[[Timestamp], None], reason: Reason, simulator: Simulator) -> None:
    """It is signed with the right key. The device has seen version 2 before."""
    simulator.take({**simulator.repository.publish()})
    simulator.repository.add(make_package("1.2.0", 100).target)
    files = simulator.repository.publish()
    stamp = Metadata[Timestamp].from_bytes(files["timestamp.json"]).signed
    change(stamp)
    verdict = simulator.take({**files, "timestamp.json": signed_by(stamp, [simulator.repository.keys["timestamp"]])})
    assert verdict.reason is reason
    assert "noise/1.2.0" not in simulator.take({}).targets


@pytest.mark.parametrize("other", ["snapshot", "targets", "root"])
def test_a_role_under_the_name_of_another(other: str, simulator: Simulator) -> None:
    files = simulator.repository.publish()
    number = simulator.repository.versions[other]
    files["timestamp.json"] = simulator.repository.roots[1] if other == "root" else files[f"{number}.{other}.json"]
    assert simulator.take(files).reason in (Reason.METADATA_INVALID, Reason.UNSIGNED)
    simulator.check_unchanged()


@pytest.mark.parametrize("role", ["timestamp.json", "2.snapshot.json", "2.targets.json"])
@pytest.mark.parametrize("data", [b"", b"[]", b"null", b"{}", b"\xff\xfe", b'{"signed": {}, "signatures": []}', b"[" * 100_000])
def test_garbage_in_place_of_a_role(role: str, data: bytes, simulator: Simulator) -> None:
    verdict = simulator.take({**simulator.repository.publish(), role: data})
    assert verdict.reason in (Reason.METADATA_INVALID, Reason.METADATA_MISMATCH)
    assert "noise/1.1.0" not in simulator.take({}).targets


def test_another_version_of_the_specification(simulator: Simulator) -> None:
    files = simulator.repository.publish()
    stamp = json.loads(files["timestamp.json"])
    stamp["signed"]["spec_version"] = "2.0.0"
    assert simulator.take({**files, "timestamp.json": json.dumps(stamp).encode()}).reason is Reason.METADATA_INVALID
    simulator.check_unchanged()


def test_a_thief_who_signed_the_highest_version_is_outlived(simulator: Simulator) -> None:
    """Fast-forward: after the key was replaced, versions begin anew."""
    simulator.repository.versions["timestamp"] = 2**31
    assert simulator.trusts(simulator.take(simulator.repository.publish()))
    simulator.repository.versions["timestamp"] = 9
    assert simulator.take(simulator.repository.publish()).reason is Reason.METADATA_ROLLBACK
    simulator.repository.revoke("timestamp")
    assert simulator.trusts(simulator.take(simulator.repository.publish()))


def test_endless_roots_are_followed_to_a_limit(simulator: Simulator) -> None:
    for _ in range(ROOTS_PER_REFRESH + 4):
        simulator.repository.revoke("timestamp")
    files = simulator.repository.publish()
    assert simulator.take(files).root_version == 1 + ROOTS_PER_REFRESH
    assert simulator.trusts(simulator.take(files)), "the next refresh goes on from there"
