"""The block client with a simulated server: it completes with any loss and any order, and never has more in flight than the
window."""

from __future__ import annotations

import random
import tempfile
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edgefleet_agent.link.block_fetcher import FETCH_S_MAX, GROWTH_MAX, REFUSALS_MAX, STALL_S, UNKNOWNS_MAX, BlockFetcher
from edgefleet_agent.model_store.blob_store import BlobStore
from edgefleet_contract.encoding.codec import decode
from edgefleet_contract.mqtt.events import Outgoing
from edgefleet_contract.package.blob import BlobSpec
from edgefleet_contract.package.manifest import describe
from edgefleet_contract.wire import topics
from edgefleet_contract.wire.messages import BLOCK_BYTES, BlockRefusal, BlockRequest
from edgefleet_contract.wire.reason_codes import Reason

DATA = random.Random(1).randbytes(11 * BLOCK_BYTES + 5)
SPEC = BlobSpec.of(describe("m", DATA))


class Line:
    """Collects the requests."""

    def __init__(self) -> None:
        self.requested: list[tuple[str, int]] = []
        self.filters: set[str] = set()
        self.up = True

    def publish(self, message: Outgoing) -> int | None:
        if not self.up:
            return None
        want = decode(message.payload, BlockRequest)
        assert f"{topics.ROOT}/b/{want.blob}/+" in self.filters, "whoever asks has to listen first"
        self.requested += [(want.blob, index) for first, count in want.ranges for index in range(first, first + count)]
        return 1

    def listen(self, topic_filter: str, _qos: int = 0) -> None:
        self.filters.add(topic_filter)

    def unlisten(self, topic_filter: str) -> None:
        self.filters.discard(topic_filter)

    def take(self) -> list[int]:
        requested, self.requested = [index for _, index in self.requested], []
        return requested


def bench(root: Path, line: Line | None = None) -> tuple[BlockFetcher, Line, BlobStore]:
    line, store = line or Line(), BlobStore(root)
    return BlockFetcher("d", store, line), line, store


def piece(index: int) -> bytes:
    return DATA[index * BLOCK_BYTES : (index + 1) * BLOCK_BYTES]


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), window=st.integers(1, 16), loss=st.floats(0, 0.6), spoilt=st.integers(0, REFUSALS_MAX - 1))
def test_every_block_comes_over_a_bad_line(seed: int, window: int, loss: float, spoilt: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        _fetch_over_a_bad_line(Path(folder), random.Random(seed), window, loss, spoilt)


def _fetch_over_a_bad_line(folder: Path, chance: random.Random, window: int, loss: float, spoilt: int) -> None:
    client, line, store = bench(folder)
    now, on_the_way = 0.0, []
    client.want("slot", [SPEC], window, now)
    while store.missing(SPEC):
        assert now < FETCH_S_MAX
        client.turn(now)
        on_the_way += line.take()
        assert len(set(on_the_way)) <= window * GROWTH_MAX
        chance.shuffle(on_the_way)
        while on_the_way and chance.random() < 0.8:
            index = on_the_way.pop()
            if chance.random() < loss:
                continue
            wrong = spoilt > 0 and chance.random() < 0.3
            spoilt -= 1 if wrong else 0
            client.on_block(SPEC.digest, index, b"x" * len(piece(index)) if wrong else piece(index), now, addressed=True)
        now += 0.5
        if chance.random() < 0.05:
            client.disconnected()
            on_the_way.clear()
    assert client.failure("slot") is None
    client.want("slot", [], window, now)
    assert line.filters == set()


def test_blocks_in_flight_are_not_requested_again_while_any_arrive(tmp_path: Path) -> None:
    client, line, _ = bench(tmp_path)
    client.want("slot", [SPEC], 8, 0.0)
    client.turn(0.0)
    assert line.take() == list(range(8))
    for second, index in enumerate(range(7), 1):
        client.on_block(SPEC.digest, index, piece(index), second * (STALL_S - 1), addressed=True)
        client.turn(second * (STALL_S - 1))
    assert 7 not in line.take(), "the line is slow, not broken"


def test_the_window_grows_on_a_long_line_and_not_on_a_narrow_one(tmp_path: Path) -> None:
    """If all blocks arrive after one round trip, the window doubles; if they queue behind each other, it does not grow."""
    for narrow in (False, True):
        client, line, _ = bench(tmp_path / str(narrow))
        client.want("slot", [SPEC], 2, 0.0)
        client.turn(0.0)
        first = line.take()
        for place, index in enumerate(first):
            client.on_block(SPEC.digest, index, piece(index), 0.5 + place * 2.0 * narrow, addressed=True)
        client.turn(2.5)
        requested = len(line.take())
        assert requested == (2 if narrow else 4)
        for index in range(2, 2 + requested):
            client.on_block(SPEC.digest, index, piece(index), 4.5 if narrow else 3.0, addressed=True)
        client.turn(5.0)
        assert len(line.take()) == (2 if narrow else 6), "all that is left, or no more than at first"


def test_silence_makes_it_ask_again_with_growing_patience(tmp_path: Path) -> None:
    client, line, _ = bench(tmp_path)
    client.want("slot", [SPEC], 2, 0.0)
    requested_at = []
    for tenth in range(800):
        client.turn(tenth / 10)
        if line.take():
            requested_at.append(tenth / 10)
    gaps = [later - earlier for earlier, later in pairwise(requested_at)]
    assert gaps[0] == pytest.approx(STALL_S, abs=0.2)
    assert gaps == sorted(gaps)
    assert gaps[-1] > 2 * STALL_S


def test_what_comes_twice_is_counted_and_broadcasts_are_not(tmp_path: Path) -> None:
    client, _, store = bench(tmp_path)
    client.want("slot", [SPEC], 4, 0.0)
    client.on_block(SPEC.digest, 0, piece(0), 0.0, addressed=False)
    client.on_block(SPEC.digest, 0, piece(0), 0.0, addressed=False)
    assert client.sent_again_bytes == {}
    client.on_block(SPEC.digest, 0, piece(0), 0.0, addressed=True)
    assert client.sent_again_bytes == {SPEC.digest: BLOCK_BYTES}
    assert 0 not in store.missing(SPEC)


def test_wrong_broadcasts_end_nothing(tmp_path: Path) -> None:
    client, _, _ = bench(tmp_path)
    client.want("slot", [SPEC], 4, 0.0)
    for _ in range(REFUSALS_MAX * 3):
        client.on_block(SPEC.digest, 0, b"x" * BLOCK_BYTES, 0.0, addressed=False)
    assert client.failure("slot") is None


@pytest.mark.parametrize(
    ("data", "reason"),
    [(b"x" * BLOCK_BYTES, Reason.HASH_MISMATCH), (b"x", Reason.LENGTH_MISMATCH), (b"", Reason.BLOB_UNKNOWN)],
)
def test_a_server_that_only_sends_rubbish_is_given_up(tmp_path: Path, data: bytes, reason: Reason) -> None:
    client, line, _ = bench(tmp_path)
    client.want("slot", [SPEC], 1, 0.0)
    requested = 0
    for second in range(60):
        client.turn(float(second))
        for index in line.take():
            requested += 1
            client.on_block(SPEC.digest, index, data, float(second), addressed=True)
    failure = client.failure("slot")
    assert failure is not None
    assert failure.reason is reason
    assert requested <= REFUSALS_MAX
    client.want("slot", [], 1, 60.0)
    client.want("slot", [SPEC], 1, 60.0)
    assert client.failure("slot") is None


def test_two_slots_share_the_window_and_a_blob(tmp_path: Path) -> None:
    client, line, store = bench(tmp_path)
    client.want("a", [SPEC], 4, 0.0)
    client.want("b", [SPEC], 4, 0.0)
    client.turn(0.0)
    assert line.take() == [0, 1, 2, 3]
    client.want("a", [], 4, 0.0)
    assert client.requested("b") == {SPEC.digest}
    for index in range(12):
        client.on_block(SPEC.digest, index, piece(index), 0.0, addressed=True)
    assert store.missing(SPEC) == []


def test_nothing_is_requested_without_a_connection(tmp_path: Path) -> None:
    client, line, _ = bench(tmp_path)
    line.up = False
    client.want("slot", [SPEC], 4, 0.0)
    client.turn(0.0)
    line.up = True
    client.turn(1.0)
    assert line.take() == [0, 1, 2, 3]


def test_hours_without_a_block_while_connected_end_the_fetch(tmp_path: Path) -> None:
    client, line, _ = bench(tmp_path)
    client.want("slot", [SPEC], 4, 0.0)
    now = 0.0
    while client.failure("slot") is None:
        client.turn(now)
        now += 10.0
        assert now < 3 * FETCH_S_MAX
    failure = client.failure("slot")
    assert failure is not None
    assert failure.reason is Reason.FETCH_TIMEOUT
    assert line.filters


def test_refused_blocks_are_requested_again_and_then_end_the_fetch(tmp_path: Path) -> None:
    client, line, _ = bench(tmp_path)
    client.want("slot", [SPEC], 4, 0.0)
    refusal = BlockRefusal(blob=SPEC.digest, detail="not part of a package assigned to d")
    now = 0.0
    for _ in range(UNKNOWNS_MAX):
        assert client.failure("slot") is None
        while not line.take():
            client.turn(now)
            now += 0.5
        client.on_refusal(refusal, now)
    failure = client.failure("slot")
    assert failure is not None
    assert (failure.reason, failure.detail) == (Reason.NOT_ASSIGNED, "the server refuses: not part of a package assigned to d")
    client.on_refusal(BlockRefusal(blob="0" * 64), now)
    client.want("slot", [], 4, now)
    client.want("slot", [SPEC], 4, now)
    assert client.failure("slot") is None, "a newer document begins anew"
