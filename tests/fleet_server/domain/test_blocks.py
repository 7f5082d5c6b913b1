"""Who gets which block next."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fleet_server.domain.blocks import BROADCAST_MIN, PER_DEVICE_MAX, BlockLine, TokenBucket

BLOB, OTHER = "a" * 64, "b" * 64


def drain(line: BlockLine) -> list[tuple[tuple[str, ...], int]]:
    sent = []
    while (sending := line.next()) is not None:
        sent.append((sending.devices, sending.block[1]))
    return sent


def test_devices_take_turns() -> None:
    """One that asks for much does not keep the others waiting."""
    line = BlockLine()
    line.ask("greedy", BLOB, [(0, 50)])
    line.ask("modest", OTHER, [(0, 2)])
    assert [devices[0] for devices, _ in drain(line)[:4]] == ["greedy", "modest", "greedy", "modest"]


def test_a_share_is_bounded() -> None:
    """Astronomical requests are cut, doubled ones are one."""
    line = BlockLine()
    assert line.ask("d", BLOB, [(0, 10**15), (10**30, 10**15)]) == PER_DEVICE_MAX
    assert line.ask("d", BLOB, [(0, 5)]) == 0
    assert len(drain(line)) == PER_DEVICE_MAX
    assert len(line) == 0


def test_what_many_wait_for_is_sent_once() -> None:
    """A wave begins: every block goes out once."""
    line = BlockLine()
    for number in range(20):
        line.ask(f"d{number}", BLOB, [(0, 8)])
    sent = drain(line)
    assert [index for _, index in sent] == list(range(8))
    assert all(len(devices) == 20 for devices, _ in sent)


def test_who_does_not_listen_gets_it_alone() -> None:
    """Asking again for what was broadcast means that it did not arrive."""
    line = BlockLine()
    devices = [f"d{number}" for number in range(BROADCAST_MIN)]
    for _ in range(2):
        for device in devices:
            line.ask(device, BLOB, [(0, 1)])
        sent = drain(line)
    assert sorted(sent) == sorted(((device,), 0) for device in devices)


ASKS = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 30), st.integers(1, 6)), max_size=60)


@given(asks=ASKS)
def test_everybody_is_served_what_was_taken(asks: list[tuple[int, int, int]]) -> None:
    """Nothing is lost in the line, nothing is sent to a device twice for one request."""
    line = BlockLine()
    owed: set[tuple[str, int]] = set()
    for device, first, count in asks:
        line.ask(f"d{device}", BLOB, [(first, count)])
        owed |= {(f"d{device}", index) for index in range(first, first + count)}
    served = [(device, index) for devices, index in drain(line) for device in devices]
    assert sorted(served) == sorted(owed)


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
