"""Trust and identity under SIGKILL at every change of the disk: never partly written, never lost, and the device can always
connect."""

from __future__ import annotations

import contextlib
import os
import shutil
import ssl
import tempfile
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path

import pytest

from edgefleet_agent.cli.internal.certificate import new_request
from edgefleet_agent.machine.identity import Named, install_identity, pack_credentials, read_identity, replace_credentials
from edgefleet_agent.machine.trusted_time import SAVE_S, TrustedTime
from edgefleet_agent.model_store.tuf_client import install_root, refresh
from edgefleet_contract.wire.reason_codes import Reason
from edgefleet_server.registry.identity.certificate_authority import CertificateAuthority
from edgefleet_server.registry.signing.signed_targets import SignedPackage
from edgefleet_server.registry.signing.tuf_repository import TufRepository
from tests.agent.fakes.packages import make_package
from tests.agent.fakes.repository import Repository
from tests.crash import check_cover, done_notes, note_done

NOW = 1_900_000_000.0
"""Far enough in the future that no date has passed by a device's clock."""
FIRST = SignedPackage("inspector", "1.0.0", "a1" * 32, 900, 0)
SECOND = SignedPackage("inspector", "1.1.0", "b2" * 32, 901, 0)
NAMED = Named(device="press-07", broker_url="mqtts://fleet:8883")

Story = tuple[Callable[[Path], None], Callable[[Path], None]]


@contextlib.contextmanager
def memory() -> Iterator[Path]:
    """A folder in memory if available: SIGKILL does not affect it, and flushing is free."""
    path = Path(tempfile.mkdtemp(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None))
    try:
        yield path
    finally:
        shutil.rmtree(path)


@lru_cache
def offers() -> tuple[bytes, dict[str, bytes], dict[str, bytes]]:
    """A root; metadata with one package; metadata under another root with two."""
    repository = Repository()
    repository.add(make_package("1.0.0", 10).target)
    first = repository.publish()
    repository.revoke("root")
    repository.revoke("targets")
    repository.add(make_package("1.1.0", 10).target)
    return repository.roots[1], first, repository.publish()


def believe(state: Path) -> None:
    root, first, second = offers()
    install_root(state, root)
    refresh(state, first)
    note_done(state, "first")
    refresh(state, second)
    note_done(state, "second")


def still_believes(state: Path) -> None:
    """The stored metadata is of one state, no older than the state stored before; the rest can be fetched again."""
    root, _, second = offers()
    if done_notes(state):  # verified metadata must not be lost; otherwise an older state could be presented as the newest
        assert len(refresh(state, {}).targets) >= len(done_notes(state))
    if (state / "trust" / "metadata.json").exists():
        verdict = refresh(state, {})
        assert verdict.reason is Reason.NONE or len(verdict.held) == 1, verdict
    install_root(state, root)
    assert sorted(refresh(state, second).targets) == ["noise/1.0.0", "noise/1.1.0"]


@lru_cache
def credentials() -> tuple[str, tuple[bytes, ...]]:
    """An authority, and three pairs of key and certificate."""
    with memory() as folder:
        authority = CertificateAuthority(folder / "authority")
        authority.open(NOW)
        made = []
        for days in (1.0, 2.0, 3.0):
            key, request = new_request("press-07")
            issued = authority.issue(request, "press-07", days, NOW)
            made.append(pack_credentials(key, issued.certificate, issued.issued_at, issued.expires_at))
        return authority.certificate, tuple(made)


def become(state: Path) -> None:
    authority, (first, second, third) = credentials()
    install_identity(state, NAMED, authority, first)
    note_done(state, "enrolled")
    install_identity(state, NAMED, authority, second)
    replace_credentials(state, third)


def still_enrolled(state: Path) -> None:
    """After enrolment the device has an identity, with a key that matches its certificate, and can be enrolled again."""
    authority, (_, _, third) = credentials()
    found = read_identity(state)
    assert found is not None or not done_notes(state)
    if found is not None:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_cert_chain(found.credentials)
    install_identity(state, NAMED, authority, third)
    assert read_identity(state) is not None


def follow(trust: TufRepository, device: Path) -> set[str]:
    """Updates a device's metadata. Returns the packages that it trusts."""
    files = {file.name: trust.read_block(file.digest, 0) for file in trust.offer(NOW).files}
    verdict = refresh(device, files)
    assert verdict.reason is Reason.NONE, verdict
    return set(verdict.targets)


def manage(root: Path) -> None:
    """The server signs and replaces every key; a device follows from the first root on."""
    trust = TufRepository(root / "trust")
    trust.open([FIRST], NOW)
    install_root(root / "device", trust.file("root"))
    follow(trust, root / "device")
    trust.sign(SECOND, NOW)
    for role in ("targets", "root"):
        trust.rotate(role, NOW)


def still_manages(root: Path) -> None:
    """The server starts and continues to sign, and every device can follow."""
    trust = TufRepository(root / "trust")
    trust.open([FIRST, SECOND], NOW)
    if not (root / "device" / "trust" / "metadata.json").exists():
        install_root(root / "device", trust.file("root"))
    assert follow(trust, root / "device") == {FIRST.path, SECOND.path}
    trust.rotate("targets", NOW)
    assert follow(trust, root / "device") == {FIRST.path, SECOND.path}


def grow_older(state: Path) -> None:
    """Learns a sequence of signed times, then runs for an hour."""
    known = TrustedTime(state)
    for count in range(1, 4):
        known.learn(NOW + count, 0.0)
        note_done(state, str(count))
    known.turn(SAVE_S)


def is_no_younger(state: Path) -> None:
    """The known time is not lost; otherwise expired metadata would be accepted."""
    known = TrustedTime(state)
    assert known.at(0.0, 0.0) >= (NOW + int(done_notes(state)[-1]) if done_notes(state) else 0.0)
    known.learn(NOW + 5, 0.0)
    assert TrustedTime(state).at(0.0, 0.0) >= NOW + 5


STORIES: dict[str, Story] = {
    "What time it is at least (device)": (grow_older, is_no_younger),
    "Signed metadata (device)": (believe, still_believes),
    "Enrolment, again, and renewal (device)": (become, still_enrolled),
    "Signing and key rotation (server)": (manage, still_manages),
}


@pytest.mark.parametrize("title", sorted(STORIES))
def test_no_cell_breaks_a_law(title: str) -> None:
    story, check = STORIES[title]
    with memory() as folder:
        points = check_cover(folder, story, check, power_cuts=8)
    assert len(points) > 6, points
