"""Reports of slots for the server, derived from the facts that `plan` uses. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from msgspec.structs import replace

from edgefleet_agent.updates.memory_rules import WITHIN_S, recent
from edgefleet_agent.updates.plan import LOAD_TRIES
from edgefleet_agent.updates.state import Check, Observed, SlotFacts
from edgefleet_contract.wire.messages import Desired, SlotPhase, SlotReport, SlotTarget
from edgefleet_contract.wire.reason_codes import DISK_READ_ONLY, Reason

READ_ONLY = "the disk of this device is read-only; the update continues when it can be written again"
ON_THE_WAY = (SlotPhase.ABSENT, SlotPhase.FETCHING, SlotPhase.FETCHED, SlotPhase.VERIFIED, SlotPhase.STAGED)


@dataclass(frozen=True, slots=True)
class WaitingOffer:
    """A document that the disk does not take yet. reason: code of the wait; text: for people."""

    desired: Desired
    reason: str
    text: str


def report_slots(
    desired: Desired | None,
    observed: Observed,
    previous: Mapping[str, SlotReport],
    wall: float,
    offer: WaitingOffer | None = None,
) -> dict[str, SlotReport]:
    """One report a slot. What `previous` says of the same attempt is carried over."""
    targets = desired.slots if desired else {}
    offered = offer.desired.slots if offer is not None else {}
    reports = {}
    for slot, facts in observed.slots.items():
        report = _deferred(report_slot(targets.get(slot), facts), facts, observed.deferral)
        report = _with_overruns(_on_disk(report, facts, read_only=observed.read_only), facts, wall)
        reports[slot] = _carried(_offered(report, facts, offered.get(slot), offer), previous.get(slot), wall)
    return reports


def _on_disk(report: SlotReport, facts: SlotFacts, *, read_only: bool) -> SlotReport:
    """Report a target that waits for the disk."""
    if not report.target or report.phase not in ON_THE_WAY or report.target == facts.record.active:
        return report
    if read_only:
        return replace(report, wait_reason=DISK_READ_ONLY, detail=READ_ONLY)
    if facts.disk_refusal:
        return replace(report, wait_reason=Reason.NO_SPACE.value, detail=facts.disk_refusal)
    return report


def _offered(report: SlotReport, facts: SlotFacts, target: SlotTarget | None, offer: WaitingOffer | None) -> SlotReport:
    """Report the target of a document that the disk does not take yet."""
    known = target is None or (report.target, report.attempt) == (target.digest, target.attempt)
    if target is None or offer is None or known or facts.record.trial is not None:
        return report
    waiting = SlotReport(phase=SlotPhase.ABSENT, target=target.digest, attempt=target.attempt, running=report.running)
    return replace(waiting, wait_reason=offer.reason, detail=offer.text)


def _deferred(report: SlotReport, facts: SlotFacts, deferral: str) -> SlotReport:
    """Report a staged package that waits for a better moment."""
    waits = report.phase is SlotPhase.STAGED or (report.phase is SlotPhase.VERIFIED and facts.selftest is None)
    return replace(report, phase=SlotPhase.WAITING_WINDOW, detail=deferral) if deferral and waits else report


def report_slot(target: SlotTarget | None, facts: SlotFacts) -> SlotReport:
    """Stage, reason and progress of the desired package, and what really runs."""
    report = replace(_report_target(target, facts), running=facts.running)
    if report.reason is Reason.NONE:
        report = _with_load_fault(report, facts)
    failure = facts.load_failure
    lost = failure is not None and failure.digest == facts.record.active and failure.count >= LOAD_TRIES
    if report.phase is SlotPhase.ROLLED_BACK and lost and failure is not None:
        text = f"{report.reason.value}; the fallback could not be loaded either: {failure.detail}"
        return replace(report, phase=SlotPhase.ROLLBACK_FAILED, reason=Reason.ROLLBACK_FAILED, detail=text)
    return report


def _with_load_fault(report: SlotReport, facts: SlotFacts) -> SlotReport:
    """Add the reason why a committed package does not run, or is fetched again."""
    record, failure, damage = facts.record, facts.load_failure, facts.record.damage
    if report.phase is SlotPhase.COMMITTED and failure is not None and failure.digest == record.active and not _runs(facts):
        text = f"committed, but cannot be loaded ({failure.count} attempts): {failure.detail}"
        return replace(report, reason=failure.reason, detail=text)
    if damage is None:
        return report
    if damage.digest == report.target:
        text = f"{damage.detail} is damaged on this device's disk; fetching it again for a new trial"
    elif report.target == record.active:
        text = (
            f"package {damage.digest[:12]} is damaged on this device's disk ({damage.detail}); using the previously committed one"
        )
    else:
        return report
    parts = [text, report.detail] if report.detail else [text]
    return replace(report, reason=Reason.DAMAGED_ON_DISK, detail="; ".join(parts))


def _with_overruns(report: SlotReport, facts: SlotFacts, wall: float) -> SlotReport:
    """Add how often the worker was restarted for its memory since the commit."""
    count = len(recent(facts.record.overruns, wall))
    if report.phase is not SlotPhase.COMMITTED or report.reason is not Reason.NONE or not count:
        return report
    text = f"restarts of the worker within {WITHIN_S / 86_400:.0f} days because its memory was over its ceiling: {count}"
    return replace(report, reason=Reason.OVER_MEMORY, detail=text)


def _runs(facts: SlotFacts) -> bool:
    return facts.running is not None and facts.running.digest == facts.record.active


def _report_target(target: SlotTarget | None, facts: SlotFacts) -> SlotReport:
    record = facts.record
    if record.trial is not None:
        return SlotReport(phase=SlotPhase.TRIAL, target=record.trial.digest, attempt=record.trial.attempt)
    if target is None:
        return SlotReport(phase=SlotPhase.COMMITTED if record.active else SlotPhase.ABSENT, target=record.active)
    report = SlotReport(phase=SlotPhase.ABSENT, target=target.digest, attempt=target.attempt)
    if target.digest == record.active:
        ended = record.ended if record.has_ended(target) else None
        if ended is None:
            return replace(report, phase=SlotPhase.COMMITTED)
        return replace(report, phase=SlotPhase.COMMITTED, detail=ended.detail, trial_frames=ended.frames)
    if record.ended is not None and record.has_ended(target):
        return replace(report, phase=record.ended.phase, reason=record.ended.reason, detail=record.ended.detail)
    if target.digest in record.quarantine:
        why = record.quarantine[target.digest]
        text = f"quarantined after a failure on this device: {why.reason.value}: {why.detail}"
        return replace(report, phase=SlotPhase.REFUSED, reason=Reason.QUARANTINED, detail=text)
    report = _on_the_way(report, facts)
    held = target.hold and report.phase is SlotPhase.STAGED
    return replace(report, phase=SlotPhase.WAITING_WINDOW, detail="waiting for permission to switch") if held else report


def _on_the_way(report: SlotReport, facts: SlotFacts) -> SlotReport:
    survey = facts.survey
    if survey is None:
        return report
    phase, detail = SlotPhase.FETCHING, facts.broadcast_fault
    if survey.ready:
        test = facts.selftest if facts.selftest and facts.selftest.digest == report.target else None
        passed = test is not None and test.check is Check.PASSED
        waits = f"waiting for slot {facts.awaited}" if facts.awaited else "waiting for its trial"
        waits = "runs beside the committed version before its trial" if facts.beside is not None else waits
        phase, detail = (SlotPhase.STAGED, waits) if passed else (SlotPhase.VERIFIED, "self-test")
    elif not survey.missing:
        phase, detail = SlotPhase.FETCHED, ""
    return replace(
        report,
        phase=phase,
        detail=detail,
        bytes_done=survey.bytes_done,
        bytes_total=survey.bytes_total,
        bytes_sent_again=facts.bytes_sent_again,
    )


def _carried(report: SlotReport, previous: SlotReport | None, wall: float) -> SlotReport:
    """The same attempt goes on: keep when its phase began, and how many bytes it took."""
    if previous is None or (previous.target, previous.attempt) != (report.target, report.attempt):
        return replace(report, since_at=wall)
    if not report.bytes_total:
        report = replace(
            report,
            bytes_done=previous.bytes_done,
            bytes_total=previous.bytes_total,
            bytes_sent_again=previous.bytes_sent_again,
        )
    return replace(report, since_at=previous.since_at if previous.phase is report.phase else wall)
