"""Offers of the version to devices, and the reasons why other devices of started waves wait.

A device is offered a version only while it is online: a message that waits at the broker for an offline device could not be taken
back if the gate closes meanwhile. So a device that was offline when its wave started, or that matched the selector later, is
offered the version when it comes online, as long as the rollout runs or has completed, and never while it is paused.
"""

from __future__ import annotations

from collections.abc import Iterator

from edgefleet_server.domain.maintenance_windows import words
from edgefleet_server.domain.rollout.attempts import runs
from edgefleet_server.domain.rollout.decisions import Decision, Draw, Move, Offer, StageUpdate, Withdraw
from edgefleet_server.domain.rollout.facts import Attempt, DeviceFact, Facts, Rollout, Wave, evidence_of, fact_of, is_unreachable
from edgefleet_server.domain.rollout.gates import Evidence, is_over_limit, step
from edgefleet_server.domain.states import (
    BACK_OFF,
    DEVICE_EXCLUDED,
    HIGHER_PRIORITY_ROLLOUT,
    NEWER_ROLLOUT,
    PINNED,
    RAMP,
    SMALL_STEPS,
    STARTED,
    WINDOW,
    AttemptState,
    WaveState,
)


def offers(rollout: Rollout, facts: Facts, now: float) -> list[Decision]:
    """Offers to online devices of the active wave and of earlier waves, and to late joiners."""
    decisions: list[Decision] = []
    evidence = evidence_of(rollout)
    under_way = sum(_under_way(rollout, attempt, facts, now) for attempt in rollout.attempts.values())
    rate, offered = rollout.may_begin(now), 0
    for wave in rollout.waves:
        if wave.state not in (WaveState.RUNNING, WaveState.PASSED):
            continue
        room = _room(rollout, wave, evidence)
        for attempt in rollout.of_wave(wave.index):
            full = ""
            if rate is not None and offered >= rate:
                full = RAMP
            elif room is not None and under_way + offered >= room:
                full = SMALL_STEPS
            decision = _decide(rollout, attempt, fact_of(facts, attempt.device), full, now)
            if decision is None:
                continue
            decisions.append(decision)
            offered += isinstance(decision, Offer)
    return decisions


def lender(rollout: Rollout, evidence: Evidence) -> Wave | None:
    """The wave of which devices join the one that would end now, because more than the limit failed and the test has not decided;
    None if it ends. Devices of a wave that waits for an approval are not drawn."""
    return rollout.next_devices if rollout.gate.test == "both" and is_over_limit(rollout.gate, evidence) else None


def draws(rollout: Rollout, wave: Wave, following: Wave, evidence: Evidence, facts: Facts, now: float) -> list[Decision]:
    """The devices of the following wave that join `wave`: as many as decide the test if all of them fail."""
    able = [
        attempt.id
        for attempt in rollout.of_wave(following.index)
        if isinstance(_decide(rollout, attempt, fact_of(facts, attempt.device), "", now), Offer)
    ]
    return [Draw(attempt, wave.index) for attempt in able[: step(rollout.gate, evidence, first=True)]]


def _room(rollout: Rollout, wave: Wave, evidence: Evidence) -> int | None:
    """The number of devices that may be on their way while `wave` is offered."""
    return step(rollout.gate, evidence, first=rollout.is_first(wave.index))


def _under_way(rollout: Rollout, attempt: Attempt, facts: Facts, now: float) -> bool:
    """Whether the device was offered the version and its result is waited for."""
    if attempt.staging or attempt.state not in STARTED | {AttemptState.OFFERED}:
        return False
    return not is_unreachable(rollout, rollout.waves[attempt.wave], attempt, facts, now)


def stagings(rollout: Rollout, facts: Facts, now: float) -> list[Decision]:
    """Decisions that let devices of later waves fetch the version already."""
    if not rollout.terms.prestage:
        return []
    return list(_stagings(rollout, facts, now))


def _stagings(rollout: Rollout, facts: Facts, now: float) -> Iterator[Decision]:
    for wave in rollout.waves:
        if wave.state is not WaveState.PENDING:
            continue
        for attempt in rollout.of_wave(wave.index):
            fact = fact_of(facts, attempt.device)
            if attempt.state is not AttemptState.QUEUED or attempt.not_before > now or fact.offline_since_at is not None:
                continue
            if fact.newer_rollout or fact.pinned or fact.higher_priority_rollout or runs(fact.slot, rollout.digest):
                continue  # shown when its wave starts
            yield StageUpdate(attempt.id)


def _decide(rollout: Rollout, attempt: Attempt, fact: DeviceFact, full: str, now: float) -> Decision | None:
    """`full`: reason why no further device may start; empty if one may."""
    if not attempt.open or (not attempt.staging and attempt.state is not AttemptState.QUEUED):
        return None
    if fact.newer_rollout:
        return Move(attempt.id, AttemptState.SUPERSEDED, NEWER_ROLLOUT, "superseded by a newer rollout")
    if attempt.state is AttemptState.QUEUED and runs(fact.slot, rollout.digest):
        return Move(attempt.id, AttemptState.ALREADY_INSTALLED)
    if fact.pinned and attempt.staging and attempt.held:
        return Withdraw(attempt.id)  # the device must not switch to the version that it fetched meanwhile
    if fact.pinned:
        return Move(attempt.id, AttemptState.CANCELLED, PINNED, fact.pinned)
    if fact.offline_since_at is not None:
        return None
    reason, detail = _held_by(rollout, attempt, fact, full, now)
    if not reason:
        return Offer(attempt.id, rollout.is_first(attempt.wave))
    if attempt.staging or reason == attempt.reason:
        return None
    return Move(attempt.id, AttemptState.QUEUED, reason, detail)


def _held_by(rollout: Rollout, attempt: Attempt, fact: DeviceFact, full: str, now: float) -> tuple[str, str]:
    """(reason, text) why an online device may not start yet; empty if it may."""
    if fact.higher_priority_rollout:
        return HIGHER_PRIORITY_ROLLOUT, f"rollout {fact.higher_priority_rollout} has a higher priority"
    if fact.excluded_until > now:
        return DEVICE_EXCLUDED, "its last attempts failed"
    if attempt.not_before > now:
        return BACK_OFF, attempt.detail
    if fact.window_opens_at > now:
        window = rollout.terms.window
        return WINDOW, f"{words(window)}, {fact.window_time}" if window else ""
    return full, ""
