"""The known minimum of the time: signed times and running time raise it, nothing lowers it, the device's own clock does not
change it."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from edgefleet_agent.machine.trusted_time import SAVE_S, TrustedTime

SIGNED_AT = 1_800_000_000.0
IN_1970 = 12.0


def test_a_clock_without_battery(tmp_path: Path) -> None:
    before = TrustedTime(tmp_path)
    before.learn(SIGNED_AT, 100.0)
    assert before.at(160.0, IN_1970) == SIGNED_AT + 60.0, "it rises while the device is up"
    after = TrustedTime(tmp_path, now=5.0)
    assert after.at(5.0, IN_1970) == SIGNED_AT, "and is there after a power cut"
    assert after.at(5.0, SIGNED_AT + 3600.0) == SIGNED_AT + 3600.0, "a clock that is right counts"


def test_running_time_is_stored_periodically(tmp_path: Path) -> None:
    known = TrustedTime(tmp_path, SIGNED_AT)
    for now in range(0, int(3 * SAVE_S), 60):
        known.turn(float(now))
    assert TrustedTime(tmp_path).at(0.0, IN_1970) >= SIGNED_AT + 2 * SAVE_S


def test_a_clock_that_ran_ahead_is_not_believed_for_ever(tmp_path: Path) -> None:
    known = TrustedTime(tmp_path, SIGNED_AT)
    assert known.at(0.0, SIGNED_AT * 2) == SIGNED_AT * 2
    known.turn(SAVE_S)
    assert TrustedTime(tmp_path).at(0.0, SIGNED_AT) < SIGNED_AT + 2 * SAVE_S


def test_a_damaged_file_and_a_full_disk(tmp_path: Path) -> None:
    (tmp_path / "trust").mkdir()
    (tmp_path / "trust" / "time.json").write_bytes(b"\xff{")
    assert TrustedTime(tmp_path, SIGNED_AT).at(0.0, IN_1970) == SIGNED_AT
    (tmp_path / "file").write_text("")
    known = TrustedTime(tmp_path / "elsewhere")
    (tmp_path / "elsewhere").write_text("no folder can be made here")
    known.learn(SIGNED_AT, 0.0)
    assert known.at(0.0, IN_1970) == SIGNED_AT, "what is not kept still counts in this life"


@given(steps=st.lists(st.tuples(st.floats(0, 1e6), st.floats(0, 4e9), st.floats(0, 4e9))))
def test_it_never_decreases(tmp_path_factory: object, steps: list[tuple[float, float, float]]) -> None:
    """The bound never decreases for any sequence of signed times and wall clock times."""
    known, now, last = TrustedTime(Path("/nonexistent")), 0.0, 0.0
    for passed_s, signed_at, _wall in steps:
        now += passed_s
        known.learn(signed_at, now)
        found = known.at(now, 0.0)
        assert found >= last
        assert found >= signed_at
        last = found
