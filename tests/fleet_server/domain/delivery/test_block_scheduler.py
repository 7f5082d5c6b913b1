"""Order and receivers of blocks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgefleet_contract.wire.messages import BLOCK_BYTES
from edgefleet_server.domain.delivery import block_scheduler
from edgefleet_server.domain.delivery.block_scheduler import (
    BROADCAST_MIN,
    BROADCASTS_MAX,
    GATHER_S_MAX,
    PER_DEVICE_MAX,
    QUIET_S,
    TRUST_S,
    BlockQueue,
    TokenBucket,
)

BLOB, OTHER = "a" * 64, "b" * 64


def drain(line: BlockQueue, now: float = 100.0) -> list[tuple[tuple[str, ...], int]]:
    sent = []
    while (sending := line.next(now)) is not None:
        sent.append((sending.devices, sending.block[1]))
    return sent


def crowd(line: BlockQueue, now: float = 0.0) -> list[str]:
    """Enough devices for a broadcast have read some descriptor."""
    devices = [f"d{number}" for number in range(20)]
    for device in devices:
        line.ask(device, OTHER, [(0, 1)], now)
    drain(line, now + GATHER_S_MAX)
    return devices


def test_devices_take_turns() -> None:
    """A device with many requests does not delay the others."""
    line = BlockQueue()
    line.ask("greedy", BLOB, [(0, 50)], 0.0)
    line.ask("modest", OTHER, [(0, 2)], 0.0)
    assert [devices[0] for devices, _ in drain(line, 0.0)[:4]] == ["greedy", "modest", "greedy", "modest"]


def test_a_share_is_bounded() -> None:
    """Astronomical requests are cut, doubled ones are one."""
    line = BlockQueue()
    assert line.ask("d", BLOB, [(0, 10**15), (10**30, 10**15)], 0.0) == PER_DEVICE_MAX
    assert line.ask("d", BLOB, [(0, 5)], 0.0) == 0
    assert len(drain(line)) == PER_DEVICE_MAX
    assert len(line) == 0


def test_what_many_wait_for_is_sent_once() -> None:
    """A wave begins: every block goes out once, however the requests trickle in."""
    line = BlockQueue()
    devices = crowd(line)
    sent = []
    for number, device in enumerate(devices):
        now = 1.0 + number * QUIET_S / 4
        line.ask(device, BLOB, [(0, 8)], now)
        sent += drain(line, now)
    sent += drain(line, now + 1.5 * QUIET_S)
    assert sorted(index for _, index in sent) == list(range(8))
    assert all(len(devices) == 20 for devices, _ in sent)


def test_few_do_not_wait() -> None:
    """A block that few devices request is sent immediately."""
    line = BlockQueue()
    for number in range(BROADCAST_MIN - 1):
        line.ask(f"d{number}", BLOB, [(0, 1)], 0.0)
    assert len(drain(line, 0.0)) == BROADCAST_MIN - 1


def test_the_first_asker_does_not_wait_for_ever() -> None:
    """New askers that never end do not keep a block back beyond its time."""
    line = BlockQueue()
    crowd(line)
    for number in range(100):
        now = 1.0 + number * GATHER_S_MAX / 100
        line.ask(f"more-{number}", BLOB, [(0, 1)], now)
        assert not drain(line, now)
    assert drain(line, 1.0 + GATHER_S_MAX)


def test_who_does_not_listen_gets_it_alone() -> None:
    """Asking again and again for what was broadcast means that it does not arrive."""
    line = BlockQueue()
    devices = crowd(line)
    for turn in range(BROADCASTS_MAX + 1):
        now = 1.0 + turn * (TRUST_S + 1.0)
        for device in devices:
            line.ask(device, BLOB, [(0, 1)], now)
            assert not line.ask(device, BLOB, [(0, 1)], now), "asked twice is asked once"
        sent = drain(line, now) + drain(line, now + 1.5 * QUIET_S)
        assert len(sent) == (1 if turn < BROADCASTS_MAX else 20)
    assert sorted(sent) == sorted(((device,), 0) for device in devices)


def test_a_copy_on_its_way_is_trusted() -> None:
    """A request right after a broadcast is ignored; a later one is not."""
    line = BlockQueue()
    devices = crowd(line)
    for device in devices:
        line.ask(device, BLOB, [(0, 1)], 1.0)
    assert len(drain(line, 2.0)) == 1
    assert line.ask(devices[0], BLOB, [(0, 1)], 2.0 + TRUST_S / 2) == 0
    assert line.ask(devices[0], BLOB, [(0, 1)], 2.0 + TRUST_S) == 1


REQUESTS = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 30), st.integers(1, 6), st.floats(0, 1)), max_size=60)


@given(requests=REQUESTS)
def test_everybody_is_served_what_was_taken(requests: list[tuple[int, int, int, float]]) -> None:
    """Nothing is lost in the line, nothing is sent to a device twice for one request."""
    line = BlockQueue()
    owed: set[tuple[str, int]] = set()
    now = 0.0
    for device, first, count, wait_s in requests:
        now += wait_s
        line.ask(f"d{device}", BLOB, [(first, count)], now)
        owed |= {(f"d{device}", index) for index in range(first, first + count)}
    served = [(device, index) for devices, index in drain(line, now + GATHER_S_MAX) for device in devices]
    assert sorted(served) == sorted(owed)
    assert len(line) == 0


def test_budget() -> None:
    """A block larger than the burst goes out and is paid for afterwards."""
    bucket = TokenBucket(bytes_per_s=1000.0, burst_bytes=100.0)
    assert bucket.wait_s(0.0) == 0.0
    bucket.spend(600.0)
    assert bucket.wait_s(0.0) == 0.5
    assert bucket.wait_s(0.6) == 0.0
    assert bucket.wait_s(100.0) == 0.0
    bucket.spend(100.0)
    assert bucket.wait_s(100.0) == 0.0


def test_a_device_gets_no_more_than_its_share() -> None:
    """One device has a limit; the others are not held up by it."""
    line = BlockQueue(device_bytes_per_s=2 * BLOCK_BYTES)
    line.ask("a", BLOB, [(0, 10)], 0.0)
    line.ask("b", BLOB, [(20, 1)], 0.0)
    first = drain(line, 0.0)
    assert [devices for devices, _ in first].count(("a",)) == 3, "two, and overdrawn by one"
    assert (("b",), 20) in first
    assert drain(line, 0.1) == []
    assert len(drain(line, 1.1)) == 2
    assert len(drain(line, 60.0)) == 3


def test_a_share_is_changed_while_devices_wait() -> None:
    """Another limit counts from now on; none is none."""
    line = BlockQueue(device_bytes_per_s=2 * BLOCK_BYTES)
    line.ask("a", BLOB, [(0, 10)], 0.0)
    assert len(drain(line, 0.0)) == 3
    line.limit(BLOCK_BYTES)
    assert len(drain(line, 0.0)) == 2, "one, and overdrawn by one"
    line.limit(0.0)
    assert len(drain(line, 0.0)) == 5


def test_requests_for_a_blob_that_does_not_exist_are_dropped_together() -> None:
    """One answer is enough: a device does not get one for each of the blocks that it made up."""
    queue = BlockQueue()
    queue.ask("d", "missing", [(0, 64)], 0.0)
    queue.ask("d", "there", [(0, 1)], 0.0)
    first = queue.next(0.0)
    assert first is not None
    assert first.block == ("missing", 0)
    queue.drop("d", "missing")
    second = queue.next(0.0)
    assert second is not None
    assert second.block == ("there", 0)
    assert queue.next(0.0) is None
    assert len(queue) == 0


def test_many_blobs_cost_no_more_each_than_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """A device may ask for any number of blobs, which do not exist."""
    checked = 0
    over = block_scheduler._Recent.over

    def counted(recent: block_scheduler._Recent, now: float) -> bool:
        nonlocal checked
        checked += 1
        return over(recent, now)

    monkeypatch.setattr(block_scheduler._Recent, "over", counted)
    line = BlockQueue()
    for number in range(3 * block_scheduler.BLOBS_MAX):
        line.ask("a", f"{number:064x}", [(0, 1)], number / 10_000)
        line.drop("a", f"{number:064x}")
    assert checked <= 6 * block_scheduler.BLOBS_MAX


def test_a_device_that_does_not_listen_gets_its_own_copy_beside_a_broadcast() -> None:
    """Requested before the crowd or after it: the broadcast is not for it."""
    line = BlockQueue()
    line.ask("before", BLOB, [(0, 2)], 0.0, listens=False)
    devices = [f"d{number}" for number in range(BROADCAST_MIN + 4)]
    for device in devices:
        line.ask(device, OTHER, [(0, 1)], 0.0)
    for device in devices:
        line.ask(device, BLOB, [(0, 2)], 0.0)
    line.ask("after", BLOB, [(0, 2)], 0.0, listens=False)
    sent = [(who, index) for who, index in drain(line, GATHER_S_MAX) if who in (("before",), ("after",)) or len(who) > 1]
    assert sorted(sent, key=lambda one: (len(one[0]), one)) == [
        (("after",), 0), (("after",), 1), (("before",), 0), (("before",), 1), *sorted(one for one in sent if len(one[0]) > 1)
    ]  # fmt: skip
    assert not {"before", "after"} & {device for who, _ in sent if len(who) > 1 for device in who}
