"""The states of a rollout and its waves at any time in the past. Computed from the timeline and the times of attempts, without
stored snapshots.

The stages of a device between its offer and its end are not stored with their times: in between it is *in progress*.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from edgefleet_server.domain.outcomes import LEFT, Outcome
from edgefleet_server.domain.states import PAUSED_BY_GATE, RolloutState, WaveState

_ROLLOUT_STATES: Final = frozenset(state.value for state in RolloutState)
_WAVE_STATES: Final = frozenset(state.value for state in WaveState)
_OTHER_KINDS: Final = {"resumed": RolloutState.RUNNING.value, PAUSED_BY_GATE: RolloutState.PAUSED.value}
"""Kinds of timeline events whose state has another name."""
_ENDINGS: Final = ("done", "failed", "faulted", "skipped")


@dataclass(frozen=True, slots=True)
class TimelineEvent:
    """An event of the timeline."""

    at: float
    kind: str
    wave: int | None


@dataclass(frozen=True, slots=True)
class AttemptHistory:
    """An attempt with its final or current outcome."""

    wave: int
    outcome: Outcome
    offered_at: float | None
    finished_at: float | None


@dataclass(frozen=True, slots=True)
class WaveSnapshot:
    """`queued + in_progress + done + failed + faulted + skipped` = the wave's devices. `skipped`: left without a try, or restored
    by an operator."""

    state: str
    queued: int
    in_progress: int
    done: int
    failed: int
    faulted: int
    skipped: int


@dataclass(frozen=True, slots=True)
class HistoryPoint:
    """The rollout at `at`."""

    at: float
    state: str
    waves: list[WaveSnapshot]


def span(created_at: float, finished_at: float | None, story: Sequence[TimelineEvent], now: float) -> tuple[float, float]:
    """(first, last) time of the rollout's history."""
    last = finished_at if finished_at is not None else now
    return created_at, max([last, created_at, *(event.at for event in story)])


def history_points(
    at: Sequence[float], waves: Sequence[int], story: Sequence[TimelineEvent], tries: Sequence[AttemptHistory]
) -> list[HistoryPoint]:
    """The rollout at each of `at` (rising). `waves`: indices in order; `story`: oldest first."""
    by_wave = {wave: _Times.of([one for one in tries if one.wave == wave]) for wave in waves}
    return [
        HistoryPoint(
            moment,
            _state_then(story, moment, None, RolloutState.DRAFT.value),
            [by_wave[wave].then(moment, _state_then(story, moment, wave, WaveState.PENDING.value)) for wave in waves],
        )
        for moment in at
    ]


def _state_then(story: Sequence[TimelineEvent], at: float, wave: int | None, before: str) -> str:
    """The state of the rollout (`wave` None) or of one wave at `at`, by the latest event of the timeline; `before` without
    one."""
    state = before
    for event in story:
        if event.at > at:
            break
        if wave is None:
            kind = _OTHER_KINDS.get(event.kind, event.kind)
            state = kind if event.wave is None and kind in _ROLLOUT_STATES else state
        elif event.wave == wave and event.kind.removeprefix("wave_") in _WAVE_STATES:
            state = event.kind.removeprefix("wave_")
    return state


@dataclass(frozen=True, slots=True)
class _Times:
    """The times of a wave's attempts, sorted, so that counts at a given time are a binary search."""

    total: int
    offered: list[float]
    ended: Mapping[str, list[float]]
    ended_offered: list[float]

    @staticmethod
    def of(tries: Sequence[AttemptHistory]) -> _Times:
        ended: dict[str, list[float]] = {name: [] for name in _ENDINGS}
        ended_offered: list[float] = []
        for one in tries:
            if one.finished_at is None:
                continue
            ended[_ending(one.outcome)].append(one.finished_at)
            if one.offered_at is not None:
                ended_offered.append(one.finished_at)
        offered = sorted(one.offered_at for one in tries if one.offered_at is not None)
        return _Times(len(tries), offered, {name: sorted(times) for name, times in ended.items()}, sorted(ended_offered))

    def then(self, at: float, state: str) -> WaveSnapshot:
        ended = {name: bisect_right(self.ended[name], at) for name in _ENDINGS}
        in_progress = max(0, bisect_right(self.offered, at) - bisect_right(self.ended_offered, at))
        queued = max(0, self.total - in_progress - sum(ended.values()))
        return WaveSnapshot(state, queued, in_progress, **ended)


def _ending(ended: Outcome) -> str:
    if ended is Outcome.FAILED or ended is Outcome.FAULTED:
        return str(ended.value)
    return "skipped" if ended in LEFT | {Outcome.RESTORED} and ended is not Outcome.ALREADY_INSTALLED else "done"
