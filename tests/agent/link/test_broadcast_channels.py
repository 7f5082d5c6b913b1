"""Broadcasts that a device receives: with the keys of its document, muted or not, and what it does with blocks of a wrong key."""

from __future__ import annotations

from pathlib import Path

from edgefleet_agent.link.broadcast_channels import FAULT, FAULTS_MAX
from edgefleet_contract.encoding.codec import decode
from edgefleet_contract.mqtt.events import Outgoing
from edgefleet_contract.wire import topics
from edgefleet_contract.wire.messages import BlockRequest
from edgefleet_contract.wire.sealed_block import channel_of, key_of, seal
from tests.agent.link.test_block_fetcher import SPEC, Line, bench, piece

BLOB = SPEC.digest
KEY = key_of("secret", BLOB)
CHANNEL = channel_of(KEY)
PLAIN, SEALED = topics.all_broadcast_blocks(BLOB), topics.all_sealed_blocks(CHANNEL)


class ListeningLine(Line):
    """Notes the channel of each request, too."""

    def __init__(self) -> None:
        super().__init__()
        self.channels: list[str] = []

    def publish(self, message: Outgoing) -> int | None:
        self.channels.append(decode(message.payload, BlockRequest).channel)
        return super().publish(message)


def test_it_listens_with_the_key_of_its_document_and_reads_what_is_sealed(tmp_path: Path) -> None:
    line = ListeningLine()
    client, _, store = bench(tmp_path, line)
    client.learn_keys({BLOB: KEY})
    client.want("slot", [SPEC], 4, 0.0)
    assert line.filters == {PLAIN, SEALED}
    client.turn(0.0)
    assert line.channels == [CHANNEL]
    for index in range(SPEC.block_count):
        client.on_sealed_block(CHANNEL, index, seal(KEY, BLOB, index, piece(index)), 1.0)
    assert not store.missing(SPEC)
    client.want("slot", [], 4, 1.0)
    assert line.filters == set()


def test_a_key_that_comes_later_counts_from_then_on(tmp_path: Path) -> None:
    line = ListeningLine()
    client, _, store = bench(tmp_path, line)
    client.want("slot", [SPEC], 1, 0.0)
    client.turn(0.0)
    client.learn_keys({BLOB: KEY, "0" * 64: key_of("secret", "0" * 64)})
    assert line.filters == {PLAIN, SEALED}
    client.on_block(BLOB, 0, piece(0), 0.1, addressed=True)
    client.turn(0.2)
    assert line.channels == ["", CHANNEL]
    client.on_sealed_block(CHANNEL, 1, seal(KEY, BLOB, 1, piece(1)), 1.0)
    assert 1 not in store.missing(SPEC)
    client.learn_keys({})
    assert line.filters == {PLAIN}
    client.on_sealed_block(CHANNEL, 2, seal(KEY, BLOB, 2, piece(2)), 1.0)
    assert 2 in store.missing(SPEC), "a document without the key ends it"


def test_blocks_that_its_key_does_not_open_are_a_fault_of_the_transfer_and_of_nothing_else(tmp_path: Path) -> None:
    line = ListeningLine()
    client, _, store = bench(tmp_path, line)
    client.learn_keys({BLOB: KEY})
    client.want("slot", [SPEC], 4, 0.0)
    client.turn(0.0)
    for index in range(FAULTS_MAX):
        assert client.broadcast_fault("slot") == ""
        client.on_sealed_block(CHANNEL, index, seal(key_of("wrong", BLOB), BLOB, index, piece(index)), 0.1)
    assert client.failure("slot") is None, "it is no fault of the version"
    assert client.broadcast_fault("slot").startswith(f"{FAULT}: ")
    assert line.filters == {PLAIN}
    line.take()
    client.turn(0.2)
    assert line.take() == [0, 1, 2, 3], "at once requested again"
    assert line.channels[-1] == "", "as copies of its own"
    for index in range(SPEC.block_count):
        client.on_block(BLOB, index, piece(index), 0.3, addressed=True)
    assert not store.missing(SPEC)
    assert client.failure("slot") is None


def test_sealed_blocks_of_wrong_content_are_ignored(tmp_path: Path) -> None:
    """A server that knows the key and sends other bytes is refused by the SHA-256, as before."""
    client, _, store = bench(tmp_path, ListeningLine())
    client.learn_keys({BLOB: KEY})
    client.want("slot", [SPEC], 4, 0.0)
    for index in range(SPEC.block_count):
        client.on_sealed_block(CHANNEL, index, seal(KEY, BLOB, index, bytes(len(piece(index)))), 0.1)
    assert len(store.missing(SPEC)) == SPEC.block_count
    assert client.failure("slot") is None
    client.on_sealed_block("0" * 32, 0, seal(KEY, BLOB, 0, piece(0)), 0.1)
    assert len(store.missing(SPEC)) == SPEC.block_count
