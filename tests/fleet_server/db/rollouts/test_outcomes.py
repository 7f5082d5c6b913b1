"""Banner, gate, bar, list of devices and engine count the same devices as failed, over both databases."""

from __future__ import annotations

import time
from collections import Counter
from itertools import product
from typing import Final

import pytest
from sqlalchemy import event

from edgefleet_contract.encoding.codec import encode
from edgefleet_contract.wire.messages import Reported, Running, SlotPhase, SlotReport
from edgefleet_server.db.assignment.loading import load
from edgefleet_server.db.backend.engine import raw
from edgefleet_server.db.rollouts import attempts, rollouts
from edgefleet_server.domain.outcomes import REPORTED, Outcome, outcome, sentence
from edgefleet_server.domain.reasons import MEANINGS
from edgefleet_server.domain.states import OPEN, AttemptState
from tests.fleet_server.db.telemetry.test_ingest_turns import NAMES, Fleet, fleet

__all__ = ["fleet"]

GATE: Final = {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.0}
CASES: Final = list(product(AttemptState, ["", *MEANINGS]))


def test_every_view_counts_the_same(fleet: Fleet) -> None:
    """All states with all reasons, a few devices at a time."""
    number = fleet.roll_out([NAMES])
    fleet.turn()
    for start in range(0, len(CASES), len(NAMES)):
        cases = CASES[start : start + len(NAMES)]
        now = time.time()
        with fleet.database.write() as connection:
            raw(connection).executemany(
                "UPDATE attempt SET state = ?, reason = ?, open = ?, finished_at = ? WHERE rollout = ? AND device = ?",
                [
                    (state.value, reason, state in OPEN, None if state in OPEN else now, number, name)
                    for name, (state, reason) in zip(NAMES, cases, strict=False)
                ],
            )
        with fleet.database.read() as connection:
            view = rollouts.get(connection, number, rollouts.current_figures(connection, now))
            rows, _ = attempts.attempts(connection, attempts.AttemptFilter(number), 0, 100, now)
            engine = load(raw(connection), number, now).rollout
        expected = Counter(outcome(AttemptState(row["state"]), row["reason"]).value for row in rows)
        assert {name: count for name, count in view["outcomes"].items() if count} == expected
        assert Counter(row["outcome"] for row in rows) == expected
        assert sum(view["outcomes"].values()) == view["total"]
        (wave,) = view["waves"]
        assert wave["outcomes"] == view["outcomes"]
        assert wave["failed"] == wave["gate"]["failed"] == expected["failed"]
        assert wave["reported"] == wave["gate"]["reported"] == sum(expected[each.value] for each in REPORTED)
        assert view["results"] == sentence({each: expected[each.value] for each in Outcome})
        counted = engine.counts(engine.waves[0])
        assert {each.value: n for each, n in counted.items() if each is not Outcome.QUEUED} == {
            name: count for name, count in expected.items() if name != "queued"
        }


@pytest.mark.parametrize(("required", "ended"), [(False, "untried"), (True, "unproven")])
def test_a_report_without_frames_reaches_the_pages(fleet: Fleet, required: bool, ended: str) -> None:
    """From the message of the device to the sentence about it; a gate that requires frames does not pass the wave."""
    terms = {"error_percent_max": 10.0, "reported_min": 1, "offline_s": 30.0, "soak_s": 0.0, "frames_required": required}
    number = fleet.roll_out([NAMES[:1], NAMES[1:2]], gate=terms)
    fleet.turn()
    (target,) = [desired.slots["detector"] for desired in fleet.published().values()]
    fleet.versions[NAMES[0]] += 1
    running = Running(package="spotter", version="1.0.0", digest=target.digest)
    slot = SlotReport(phase=SlotPhase.COMMITTED, running=running, target=target.digest, attempt=target.attempt, trial_frames=0)
    report = Reported(
        device=NAMES[0], boot="b", version=fleet.versions[NAMES[0]], generation=number, sent_at=1.0, slots={"detector": slot}
    )
    fleet.receive((NAMES[0], "reported", encode(report)))
    for ahead_s in (1.0, 2.0):
        fleet.turn(ahead_s=ahead_s)
    view = fleet.rollout_view(number)
    assert (view["outcomes"][ended], view["state"]) == (1, "running" if ended == "untried" else "paused")
    assert view["results"].endswith("1 not tried on frames")
    with fleet.database.read() as connection:
        (row,) = attempts.attempts(connection, attempts.AttemptFilter(number, wave=0), 0, 10, 1.0)[0]
        assert "not tried on frames" in row["explanation"]


def test_compared_devices_are_only_counted_where_devices_are_compared(fleet: Fleet) -> None:
    """Not before a device has the version, and not where regressions are not checked."""
    statements: list[str] = []

    def comparisons(number: int) -> int:
        statements.clear()
        with fleet.database.read() as connection:
            event.listen(connection, "before_cursor_execute", lambda _c, _cursor, text, *_more: statements.append(text))
            rollouts.get(connection, number, rollouts.current_figures(connection, 1.0))
        return sum("controls" in text for text in statements)

    compared = fleet.roll_out([NAMES[:1]], gate={**GATE, "regressions": {"samples_min": 5}})
    unchecked = fleet.roll_out([NAMES[:1]], gate={**GATE, "regressions": None})
    assert (comparisons(compared), comparisons(unchecked)) == (0, 0)
    with fleet.database.write() as connection:
        raw(connection).execute("UPDATE attempt SET state = 'committed', open = ?", (False,))
    assert (comparisons(compared), comparisons(unchecked)) == (1, 0)
    with fleet.database.read() as connection:
        (wave,) = rollouts.get(connection, unchecked, rollouts.current_figures(connection, 1.0))["waves"]
    assert wave["gate"]["comparison"] == "regressions are not checked"
