"""A wave's blocks go round once."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from edgefleet_server.domain.delivery.broadcast import (
    GAPS_GATHER_S,
    GAPS_QUIET_S,
    QUIET_S,
    ROUNDS_MAX,
    TRUST_S,
    BroadcastScheduler,
)

WAVE, BLOB = "w" * 64, "b" * 64
COUNT = 40
ALL = [(0, COUNT)]


def drain(carousel: BroadcastScheduler, now: float) -> list[int]:
    sent = []
    while (found := carousel.next(now)) is not None:
        sent.append(found[1])
        now += 0.1
    return sent


def wave(carousel: BroadcastScheduler, devices: int, now: float = 0.0) -> list[str]:
    names = [f"d{number}" for number in range(devices)]
    for name in names:
        carousel.expect(name, WAVE, now)
    return names


def test_round_starts_after_all_requests_and_sends_each_block_once() -> None:
    carousel = BroadcastScheduler()
    *early, late = wave(carousel, 20)
    for name in early:
        assert carousel.ask(name, BLOB, [(0, 8)], ALL, 1.0)
    assert carousel.next(2.0) is None, "one is still to come"
    carousel.ask(late, BLOB, [(0, 8)], ALL, 2.0)
    assert drain(carousel, 2.0) == list(range(COUNT))
    for name in (*early, late):
        assert carousel.ask(name, BLOB, [(8, 8)], [(8, 32)], 7.0), "asked while copies were on their way"
    assert drain(carousel, 9.0) == []


def test_absent_device_delays_a_round_once() -> None:
    carousel = BroadcastScheduler()
    *there, _away = wave(carousel, 5)
    for name in there:
        carousel.ask(name, BLOB, ALL, ALL, 0.0)
    assert carousel.next(QUIET_S - 0.1) is None
    assert drain(carousel, QUIET_S) == list(range(COUNT))
    for name in there:
        carousel.ask(name, "c" * 64, [(0, 2)], [(0, 2)], 20.0)
    assert drain(carousel, 20.0) == [0, 1], "the next blob is not held up again"


def test_late_comers_share_one_round_of_gaps() -> None:
    carousel = BroadcastScheduler()
    *there, first, second = wave(carousel, 6)
    for name in there:
        carousel.ask(name, BLOB, ALL, ALL, 0.0)
    now = QUIET_S
    half = [carousel.next(now)[1] for _ in range(COUNT // 2)]  # type: ignore[index]  # there are as many
    for name in (first, second):
        carousel.ask(name, BLOB, [(0, 8)], ALL, now)
    rest = [carousel.next(now)[1] for _ in range(COUNT // 2)]  # type: ignore[index]
    assert carousel.next(now) is None, "others may have gaps too"
    for again_s in (now + 5.0, now + 20.0):
        for name in (first, second):
            carousel.ask(name, BLOB, [(0, 8)], [(0, COUNT // 2)], again_s)
        assert carousel.next(again_s) is None, "others may still get what is on its way"
    gaps = drain(carousel, now + 5.0 + GAPS_QUIET_S)
    assert half + rest == list(range(COUNT))
    assert gaps == half, "what they missed, once for both"


def test_small_blob_is_sent_again_soon() -> None:
    carousel = BroadcastScheduler()
    *there, first, second = wave(carousel, 6)
    for name in there:
        carousel.ask(name, BLOB, [(0, 1)], [(0, 1)], 0.0)
    assert drain(carousel, QUIET_S) == [0]
    for late_s in (QUIET_S + 2.0, QUIET_S + 7.0):  # the copy that is sent for them is lost
        for name in (first, second):
            carousel.ask(name, BLOB, [(0, 1)], [(0, 1)], late_s)
    assert drain(carousel, QUIET_S + 7.0 + GAPS_GATHER_S) == [0]


def test_one_that_is_alone_is_left_to_its_own_window() -> None:
    carousel = BroadcastScheduler()
    assert not carousel.ask("nobody-ordered", BLOB, ALL, ALL, 0.0)
    (only,) = wave(carousel, 1)
    assert not carousel.ask(only, BLOB, ALL, ALL, 0.0)
    _, other = wave(carousel, 2)
    assert carousel.ask(other, BLOB, [(0, 8)], ALL, 0.0)
    assert drain(carousel, QUIET_S) == []
    assert carousel.take_alone() == [(other, BLOB, [(0, 8)])]
    assert not carousel.ask(other, BLOB, [(8, 8)], [(8, 32)], QUIET_S + 1)


def test_device_that_receives_nothing_is_served_alone() -> None:
    carousel = BroadcastScheduler()
    deaf = wave(carousel, 3)
    now = 0.0
    for _ in range(ROUNDS_MAX):
        for name in deaf:
            assert carousel.ask(name, BLOB, ALL, ALL, now)
        drain(carousel, now + QUIET_S)
        now += QUIET_S + TRUST_S + COUNT
        for name in deaf:  # they are still there
            carousel.expect(name, WAVE, now)
    assert not carousel.ask("d0", BLOB, ALL, ALL, now)


@given(
    joins=st.lists(st.floats(0, 10), min_size=2, max_size=8),
    lost=st.sets(st.tuples(st.integers(0, 7), st.integers(0, COUNT - 1)), max_size=40),
)
def test_everyone_gets_everything(joins: list[float], lost: set[tuple[int, int]]) -> None:
    """Devices come when they like and lose what they like; rounds and the line for one bring everything."""
    carousel = BroadcastScheduler()
    names = wave(carousel, len(joins))
    missing = {name: set(range(COUNT)) for name in names}
    now = 0.0
    while any(missing.values()) and now < 200.0:
        for number, name in enumerate(names):
            if missing[name] and joins[number] <= now:
                ranges = [(index, 1) for index in sorted(missing[name])]
                if not carousel.ask(name, BLOB, ranges[:8], ranges, now):
                    missing[name] -= {index for index, _ in ranges[:8]}
        for _ in range(10):
            found = carousel.next(now)
            if found is not None:
                for number, name in enumerate(names):
                    if name in found[2] and (number, found[1]) not in lost:
                        missing[name].discard(found[1])
        for name, _, ranges in carousel.take_alone():
            missing[name] -= {index for index, _ in ranges}
        now += 1.0
    assert not any(missing.values())
    drain(carousel, now + QUIET_S)
    drain(carousel, now + 100.0)
    assert len(carousel) == 0, "and the server forgets it"
