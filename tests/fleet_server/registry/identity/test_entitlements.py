"""Blobs that a device may fetch: the same by blocks, broadcasts and tickets, in every state of the device."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from edgefleet_contract.encoding.codec import decode, encode
from edgefleet_contract.wire.messages import Desired, SlotTarget
from edgefleet_server.core.errors import DeniedError
from edgefleet_server.db.assignment import assignments
from edgefleet_server.db.backend.engine import raw
from edgefleet_server.db.devices import identities
from edgefleet_server.registry.deltas import Deltas
from edgefleet_server.registry.identity.broadcast_keys import BroadcastKeys
from edgefleet_server.registry.identity.entitlements import FRESH_S, REFUSED_FRESH_S, Entitlements
from tests.fleet_server.registry.identity.test_download_tickets import NOW, TicketHarness


class EntitlementHarness(TicketHarness):
    """Three devices with a package each, and the requests of one of them."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.rights = Entitlements(self.database, self.blobs, Deltas(self.blobs))
        self.keys = BroadcastKeys("secret", self.rights)

    def order(self, device: str, generation: int, *packages: str) -> None:
        """Give a device a document with these packages (digests)."""
        slots = {
            f"slot-{number}": SlotTarget(package="p", version="1.0.0", digest=digest, length=1)
            for number, digest in enumerate(packages)
        }
        document = encode(Desired(device=device, generation=generation, slots=slots)).decode()
        with self.database.write() as connection:
            raw(connection).execute(
                "UPDATE desired SET document = ?, generation = ? WHERE device = ?", (document, generation, device)
            )

    def by_broadcast(self, device: str, blob: str) -> bool:
        """Whether the document that is published to the device has the key of the blob."""
        with self.database.read() as connection:
            found = assignments.documents(raw(connection), [device])
        if not found:
            return False
        sent = self.keys.add(Deltas(self.blobs).hint(decode(found[0][2].encode(), Desired)))
        keys = {known: key for target in sent.slots.values() for known, key in target.keys.items()}
        assert keys.get(blob, self.keys.of(blob)) == self.keys.of(blob)
        return blob in keys

    def by_request(self, device: str, blob: str) -> bool:
        return not Entitlements(self.database, self.blobs, Deltas(self.blobs)).refusal(device, blob, 0.0, NOW)

    def by_ticket(self, device: str, blob: str) -> bool:
        try:
            self.make().grant(device, blob, NOW)
        except DeniedError:
            return False
        return True


@pytest.fixture
def harness(tmp_path: Path) -> Iterator[EntitlementHarness]:
    made = EntitlementHarness(tmp_path)
    yield made
    made.database.close()


def test_every_state_of_a_device_and_every_way(harness: EntitlementHarness) -> None:
    own, other = harness.of["press"], harness.of["lathe"]
    only = [blob for blob in own if blob not in other]
    assert len(only) >= 2, "the descriptor and the manifest at least; the other files are the same in both"
    delta = Deltas(harness.blobs).of(own[0])[0]
    assert delta, "the package is large enough for a delta manifest"
    ways: list[Callable[[str, str], bool]] = [harness.by_request, harness.by_ticket, harness.by_broadcast]

    def may(device: str, blobs: list[str]) -> set[bool]:
        return {way(device, blob) for way in ways for blob in blobs}

    assert may("press", [*own, delta]) == {True}, "assigned: descriptor, files, delta manifest"
    assert may("lathe", only) == {False}, "another device's package"
    assert may("stranger", own) == {False}, "a device without a document"
    assert may("press", ["0" * 64]) == {False}, "no blob at all"
    harness.order("press", 2, other[0])
    assert may("press", other) == {True}, "another package was assigned"
    assert may("press", only) == {False}, "the one before was withdrawn"
    harness.order("press", 3, own[0], other[0])
    assert may("press", [*own, *other]) == {True}, "packages of several slots"
    harness.order("press", 4)
    assert may("press", [*own, *other]) == {False}, "nothing is assigned any more"
    harness.order("press", 5, own[0])
    with harness.database.write() as connection:
        identities.block(connection, "press", "stolen", NOW)
    assert {way("press", blob) for way in ways[:2] for blob in own} == {False}, "blocked"
    assert harness.by_broadcast("press", own[0]), "its document is not changed; the broker has ended its session"


def test_requests_for_blocks_do_not_ask_the_database_each_time(
    harness: EntitlementHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads: list[str] = []
    real = harness.rights._read
    monkeypatch.setattr(harness.rights, "_read", lambda device, at, now: reads.append(device) or real(device, at, now))
    own, foreign = harness.of["press"], harness.of["lathe"][0]
    for number in range(1000):
        assert not harness.rights.refusal("press", own[number % len(own)], number * FRESH_S / 2000, NOW)
    assert len(reads) == 1
    for number in range(1000):
        assert harness.rights.refusal("saw", foreign, number * REFUSED_FRESH_S / 1000, NOW)
    assert reads == ["press", "saw"]
    assert harness.rights.refusal("saw", foreign, 2 * REFUSED_FRESH_S, NOW)
    assert reads == ["press", "saw", "saw"], "the document may be new"


def test_a_newer_document_counts_at_once(harness: EntitlementHarness) -> None:
    own, other = harness.of["press"][0], harness.of["lathe"][0]
    assert not harness.rights.refusal("press", own, 1.0, NOW)
    assert "is not part of a package" in harness.rights.refusal("press", other, 1.0, NOW)
    harness.order("press", 2, other)
    assert not harness.rights.refusal("press", other, 1.0 + REFUSED_FRESH_S, NOW), "a refusal is soon asked again"
    harness.order("press", 3, own)
    harness.rights.forget("press")
    assert harness.rights.refusal("press", other, 2.0, NOW)
    assert not harness.rights.refusal("press", own, 2.0, NOW)
    harness.order("press", 4)
    assert not harness.rights.refusal("press", own, 3.0, NOW)
    assert harness.rights.refusal("press", own, 2.0 + FRESH_S, NOW), "and a right is not kept for ever"
