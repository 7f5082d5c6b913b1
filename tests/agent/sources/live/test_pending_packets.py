"""Assignment of decoded pictures to packets."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from edgefleet_agent.sources.live.pending_packets import FIRST_US, STEP_US, PendingPackets


@given(st.lists(st.booleans(), min_size=1, max_size=60), st.integers(1, 4), st.sampled_from([1, 1000]))
def test_every_picture_gets_the_time_of_its_packet_and_none_is_counted_twice(
    decoded: list[bool], group: int, round_us: int
) -> None:
    """Packets come in groups in reverse (as with pictures between two others); a decoder leaves some out and rounds times."""
    way = PendingPackets()
    order = [
        place for start in range(0, len(decoded), group) for place in reversed(range(start, min(start + group, len(decoded))))
    ]
    given_us = {place: way.add(7.0 + place / 25.0, 100.0 + place) for place in order}
    missed = 0
    for place, is_decoded in enumerate(decoded):
        if not is_decoded:
            continue
        sent, before = way.match(given_us[place] // round_us * round_us)
        assert sent is not None
        assert sent.pts_s == 7.0 + place / 25.0
        assert sent.arrived_s == 100.0 + place
        missed += before
        assert missed == decoded[:place].count(False)


def test_a_clock_that_is_set_makes_no_step() -> None:
    way = PendingPackets()
    times = [way.add(pts_s, 0.0) for pts_s in (None, 5.0, 5.04, 9000.0, 9000.04, 1.0, 1.04)]
    assert times == [FIRST_US + STEP_US * number for number in range(7)]
    assert [way.match(time_us)[0] is not None for time_us in times] == [True] * 7


def test_a_picture_of_no_packet() -> None:
    way = PendingPackets()
    first = way.add(1.0, 0.0)
    assert way.match(first + 500_000) == (None, 1)
    assert way.match(first) == (None, 0)
