"""The queue that devices share."""

from __future__ import annotations

import random
from collections import Counter

from edgefleet_server.domain.delivery.fair_queue import ITEM_BYTES, FairQueue, QueueLimits

WIDE = QueueLimits(device_items=10_000, device_bytes=2**40, total_bytes=2**40)


def test_one_share_each_by_bytes() -> None:
    """A device with a thousand long messages gets as many bytes as each of the others, which get all of theirs."""
    queue: FairQueue[tuple[str, int]] = FairQueue(WIDE)
    for number in range(1_000):
        queue.put("flood", ("flood", number), 60_000)
    for device in range(20):
        for number in range(10):
            queue.put(f"d{device}", (f"d{device}", number), 1_000)
    taken = queue.take(1_000, 20 * 10 * (1_000 + ITEM_BYTES) + 60_000)
    counts = Counter(device for device, _ in taken)
    assert all(counts[f"d{device}"] == 10 for device in range(20))
    assert counts["flood"] <= 2
    assert [number for device, number in taken if device == "d3"] == list(range(10)), "in order"


def test_a_device_is_bounded_by_items_and_by_bytes() -> None:
    queue: FairQueue[int] = FairQueue(QueueLimits(device_items=3, device_bytes=5_000, total_bytes=2**40))
    assert [queue.put("a", number, 100) for number in range(5)] == [[], [], [], [3], [4]]
    assert queue.put("b", 0, 4_000) == []
    assert queue.put("b", 1, 4_000) == [1]
    assert queue.put("c", 0, 100) == [], "others have their own limits"


def test_the_largest_loses_when_all_is_full() -> None:
    queue: FairQueue[str] = FairQueue(QueueLimits(device_items=1_000, device_bytes=2**40, total_bytes=100_000))
    for _ in range(80):
        assert queue.put("flood", "flood", 512) == [] or len(queue) < 100
    dropped = [item for number in range(60) for item in queue.put(f"d{number}", f"d{number}", 512)]
    assert set(dropped) == {"flood"}
    assert queue.length_bytes <= 100_000


def test_nothing_is_lost_or_counted_twice() -> None:
    """Against a plain count: what goes in comes out or is returned as dropped, once; the length is the sum of what waits."""
    dice = random.Random(5)
    queue: FairQueue[int] = FairQueue(QueueLimits(device_items=30, device_bytes=60_000, total_bytes=200_000))
    inside: dict[int, int] = {}
    for number in range(20_000):
        if dice.random() < 0.01:
            for item in queue.discard(f"d{dice.randrange(40)}"):
                del inside[item]
        elif dice.random() < 0.6:
            size = dice.choice([0, 10, 1_000, 20_000])
            inside[number] = size
            for dropped in queue.put(f"d{dice.randrange(40)}", number, size):
                del inside[dropped]
        else:
            for item in queue.take(dice.randrange(1, 5), dice.randrange(1, 50_000)):
                del inside[item]
        assert len(queue) == len(inside)
        assert queue.length_bytes == sum(inside.values()) + ITEM_BYTES * len(inside) <= 200_000
    while found := queue.take(100, 2**40):
        for item in found:
            del inside[item]
    assert not inside
    assert queue.length_bytes == 0


def test_many_devices_cost_no_more_than_few() -> None:
    """Dropping from a full queue does not search all devices."""
    queue: FairQueue[int] = FairQueue(QueueLimits(device_items=10, device_bytes=2**40, total_bytes=20_000 * (ITEM_BYTES + 10)))
    for number in range(60_000):
        queue.put(f"d{number}", number, 10)
    assert len(queue) == 20_000


def test_what_waits_from_one_device_is_discarded() -> None:
    queue: FairQueue[int] = FairQueue(WIDE)
    for number in range(6):
        queue.put("ab"[number % 2], number, 100)
    assert queue.discard("a") == [0, 2, 4]
    assert queue.discard("a") == []
    assert queue.take(10, 10_000) == [1, 3, 5]
    assert queue.length_bytes == 0
