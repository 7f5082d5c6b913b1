"""The timeline of a rollout, one sentence per row."""

from __future__ import annotations

from typing import Final

from edgefleet_server.db.backend.engine import Driver
from edgefleet_server.domain import reasons
from edgefleet_server.domain.rollout.decisions import Move, WaveTo
from edgefleet_server.domain.rollout.facts import Attempt, Wave
from edgefleet_server.domain.states import RolloutState, WaveState

ROWS_MAX: Final = 2_000
"""Rows per rollout: of a wave with ten thousand failures the first ones suffice, and the attempts contain all."""


def add(db: Driver, rollout: int, at: float, kind: str, text: str, wave: int | None = None, device: str | None = None) -> None:
    """Add one row, unless the rollout has `ROWS_MAX` rows; changes of the rollout itself are always added."""
    if device is not None:
        rows = db.execute("SELECT count(*) FROM timeline WHERE rollout = ?", (rollout,)).fetchone()[0]
        if rows >= ROWS_MAX:
            return
    db.execute(
        "INSERT INTO timeline (rollout, at, kind, text, wave, device) VALUES (?, ?, ?, ?, ?, ?)",
        (rollout, at, kind, text, wave, device),
    )


def add_wave(db: Driver, rollout: int, at: float, decision: WaveTo, wave: Wave) -> None:
    """Add the state change of a wave."""
    happened = {
        WaveState.RUNNING: "goes on" if wave.state is WaveState.SOAKING else "started",
        WaveState.SOAKING: "is soaking",
        WaveState.PASSED: "passed",
        WaveState.FAILED: "failed",
        WaveState.SKIPPED: "was skipped",
        WaveState.PENDING: "is pending",
    }[decision.state]
    text = f"Wave {wave.name!r} {happened}" + (f": {decision.text}" if decision.text else "")
    add(db, rollout, at, f"wave_{decision.state.value}", text, wave=decision.index)


def add_failure(db: Driver, rollout: int, at: float, move: Move, attempt: Attempt) -> None:
    """Add the failure of a device."""
    because = "; ".join(part for part in (reasons.text(move.reason), move.detail) if part)
    text = f"{attempt.device}: {move.state.value.replace('_', ' ')}" + (f": {because}" if because else "")
    add(db, rollout, at, f"device_{move.state.value}", text, wave=attempt.wave, device=attempt.device)


def sentence(state: RolloutState, reason: str) -> str:
    """A change of the rollout's state as readable text."""
    happened = {
        RolloutState.DRAFT: "Created as a draft",
        RolloutState.AWAITING_APPROVAL: "Waiting for approval by a second person",
        RolloutState.RUNNING: "Running",
        RolloutState.PAUSED: "Paused",
        RolloutState.COMPLETED: "Completed",
        RolloutState.ABORTING: "Aborting",
        RolloutState.ABORTED: "Aborted",
        RolloutState.ROLLING_BACK: "Rolling back",
        RolloutState.ROLLED_BACK: "Rolled back",
    }[state]
    return happened + (f": {reason}" if reason else "")
