"""Waves in virtual time: each costs the server about one copy, however slowly its parts work."""

from __future__ import annotations

import pytest

from benchmarks.fleet.wave_model import BLOB, WAVE, WaveLine, play
from edgefleet_server.domain.delivery.broadcast import BroadcastScheduler

TIMES_MAX = 1.2
BLOCKS = 32


@pytest.mark.parametrize(
    ("devices", "line"),
    [
        (10, WaveLine()),
        (120, WaveLine()),
        (120, WaveLine(documents_per_s=4.0)),
        (120, WaveLine(copies_bytes_per_s=4e6)),
        (120, WaveLine(copies_bytes_per_s=4e6, documents_per_s=6.0)),
        (120, WaveLine(link_s=1.0)),
        (120, WaveLine(link_s=2.0, documents_per_s=8.0, copies_bytes_per_s=8e6)),
        (120, WaveLine(silent=0.05)),
    ],
    ids=["few", "many", "slow documents", "slow broker", "both slow", "slow lines", "all slow", "some go away"],
)
def test_every_wave_costs_about_one_copy(devices: int, line: WaveLine) -> None:
    found = play(devices, BLOCKS, line)
    assert found.unfinished == 0
    assert found.times_one_device <= TIMES_MAX, found


def test_lost_copies_are_sent_again_until_everyone_has_everything() -> None:
    found = play(200, BLOCKS, WaveLine(lost=0.01))
    assert found.unfinished == 0
    assert found.times_one_device <= 3.0, found


def test_the_next_wave_of_a_rollout_is_awaited_like_the_first() -> None:
    """Its devices would otherwise be late ones of the wave before, each served as it comes."""
    carousel = BroadcastScheduler()
    everything = [(0, BLOCKS)]
    for start_s, names in ((0.0, ("a", "b")), (20.0, ("c", "d"))):
        for name in names:
            carousel.expect(name, WAVE, start_s)
        assert carousel.ask(names[0], BLOB, everything, everything, start_s + 1.0)
        assert carousel.next(start_s + 2.0) is None, "the other one is awaited"
        assert carousel.ask(names[1], BLOB, everything, everything, start_s + 3.0)
        sent = [carousel.next(start_s + 3.0) for _ in range(BLOCKS)]
        assert [found[1] for found in sent if found is not None] == list(range(BLOCKS))
        assert carousel.next(start_s + 3.0) is None


def test_a_device_that_receives_no_broadcasts_is_not_awaited() -> None:
    carousel = BroadcastScheduler()
    everything = [(0, BLOCKS)]
    for name in ("a", "b", "old"):
        carousel.expect(name, WAVE, 0.0)
    for name in ("a", "b"):
        assert carousel.ask(name, BLOB, everything, everything, 1.0)
    assert carousel.next(1.0) is None, "the third one is awaited"
    carousel.leave("old")
    carousel.leave("stranger")
    assert carousel.next(1.0) == (BLOB, 0, ("a", "b"))
    assert not carousel.ask("old", BLOB, everything, everything, 1.0)
