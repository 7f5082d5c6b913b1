"""Rollouts of the fake fleet that move by themselves. Gates, wave sizes, texts and operator actions are the server's own."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from edgefleet_server.api.schemas.rollouts.rollout_terms import WaveSpec
from edgefleet_server.db.rollouts.terms import gate as stored_gate
from edgefleet_server.domain import reasons
from edgefleet_server.domain.outcomes import REPORTED, Outcome, outcome, sentence
from edgefleet_server.domain.rollout import explain, gates, operator_actions, waves
from edgefleet_server.domain.states import OPEN, STARTED, AttemptState, RolloutState
from edgefleet_server.domain.statistics.sequential_test import TrialCounts
from tests.fleet_server.dashboard.fake_devices import Device, digest

STEPS = [("offered", 1.0), ("fetching", 9.0), ("verified", 1.0), ("staged", 1.5), ("trial", 16.0), ("committed", 0.0)]
"""States of an attempt, and how many seconds each lasts."""
PHASE_OF = {"offered": "absent", "rejected": "refused"}
BAD = "1.3.0-rc1"
BAD_ON = ("coral-usb", "arm64-cpu")
IN_FLIGHT_MAX = 14
PACKAGE_BYTES = 4_194_304


@dataclass
class Attempt:
    """One try of one device."""

    device: Device
    wave: int
    state: AttemptState = AttemptState.QUEUED
    reason: str = "none"
    detail: str = ""
    step: int = -1
    next_at: float = 0.0
    bytes_done: int = 0
    offered_at: float | None = None
    updated_at: float = 0.0
    finished_at: float | None = None
    before: tuple[str, str] = ("", "")

    @property
    def outcome(self) -> Outcome:
        """Returns what it counts as."""
        return outcome(self.state, self.reason)


@dataclass
class FakeRollout:
    """One rollout and all its attempts."""

    id: int
    plain: dict[str, Any]
    attempts: dict[str, Attempt]
    waves: list[dict[str, Any]]
    created_at: float
    state: RolloutState = RolloutState.DRAFT
    state_reason: str = ""
    started_at: float | None = None
    finished_at: float | None = None
    timeline: list[dict[str, Any]] = field(default_factory=list)

    @property
    def target(self) -> tuple[str, str]:
        """Package and version."""
        return self.plain["package"], self.plain["version"]

    @property
    def gate(self) -> gates.RolloutGate:
        """The gate as ordered."""
        return stored_gate(self.plain["gate"])

    def mine(self, wave: int) -> list[Attempt]:
        """Attempts of one wave."""
        return [attempt for attempt in self.attempts.values() if attempt.wave == wave]

    def say(self, at: float, kind: str, text: str, wave: int | None = None, device: str | None = None) -> None:
        """A line of the timeline."""
        self.timeline.append({"at": at, "kind": kind, "text": text, "wave": wave, "device": device})

    def become(self, now: float, state: RolloutState, reason: str = "") -> None:
        """Change state and say so."""
        self.state, self.state_reason = state, reason
        text = state.value.replace("_", " ").capitalize()
        self.say(now, state.value, f"{text}: {reason}" if reason else text)
        if state.value in ("completed", "aborted", "rolled_back"):
            self.finished_at = now


def split(plans: list[dict[str, Any]], total: int) -> list[int]:
    """Devices per wave, as the server cuts them."""
    return waves.sizes([waves.WavePlan(plan["name"], plan.get("percent"), plan.get("count")) for plan in plans], total)


def make_rollout(number: int, plain: dict[str, Any], devices: list[Device], now: float) -> FakeRollout:
    """A draft: devices in the server's order, cut into waves."""
    by_id = {device.id: device for device in devices}
    ordered = waves.order([waves.Member(device.id, device.profile, device.online) for device in devices], str(number))
    attempts: dict[str, Attempt] = {}
    rows: list[dict[str, Any]] = []
    at = 0
    for index, count in enumerate(split(plain["waves"], len(ordered))):
        for device in ordered[at : at + count]:
            attempts[device] = Attempt(by_id[device], index, updated_at=now)
        at += count
        row = {"index": index, "name": plain["waves"][index]["name"], "state": "pending", "started_at": None, "finished_at": None}
        rows.append({**row, "approval": plain["waves"][index].get("approval", False), "approved_by": None, "late_joiners": False})
    rollout = FakeRollout(number, plain, attempts, rows, created_at=now)
    rollout.say(now, "created", f"Created: {plain['name']}")
    return rollout


def forecast(specs: list[WaveSpec]) -> dict[str, Any]:
    """A quarter of an hour a wave."""
    parts = [{"name": spec.name, "p50_s": 900.0, "p95_s": 2400.0} for spec in specs]
    totals = {"total_p50_s": 900.0 * len(parts), "total_p95_s": 2400.0 * len(parts)}
    return {**totals, "waves": parts, "reached_24h_percent": 97.0, "based_on": 412}


def steer(rollout: FakeRollout, action: str, reason: str, now: float) -> None:
    """Operator actions. Raises ConflictError where the server does."""
    following = operator_actions.next_state(rollout.id, rollout.state, operator_actions.RolloutAction(action))
    rollout.become(now, following, reason or ("by the operator" if action != "start" else ""))
    if action == "start":
        rollout.started_at = now
        _begin(rollout, 0, now)
    for wave in rollout.waves:
        if action == "resume" and wave["state"] == "failed":
            wave["state"] = "running"
    if action == "resume":
        rollout.state_reason = ""
    if action == "abort":
        for attempt in rollout.attempts.values():
            if attempt.state is AttemptState.QUEUED:
                attempt.state, attempt.finished_at = AttemptState.CANCELLED, now
        if following is RolloutState.ABORTED:
            rollout.finished_at = now


def tick(rollout: FakeRollout, now: float, speed: float) -> None:
    """Move every attempt whose time has come, then judge the wave."""
    if rollout.state is RolloutState.ROLLING_BACK:
        _roll_back(rollout, now)
    if rollout.state not in (RolloutState.RUNNING, RolloutState.PAUSED, RolloutState.ABORTING):
        return
    for wave in rollout.waves:
        if wave["state"] == "pending":
            break
        _move(rollout, wave["index"], now, speed)
    if rollout.state is RolloutState.ABORTING and not any(attempt.state in OPEN for attempt in rollout.attempts.values()):
        rollout.become(now, RolloutState.ABORTED, rollout.state_reason)
    current = next((wave for wave in rollout.waves if wave["state"] in ("running", "soaking")), None)
    if current is not None and rollout.state is RolloutState.RUNNING:
        _judge(rollout, current, now, speed)


def _begin(rollout: FakeRollout, index: int, now: float) -> None:
    wave = rollout.waves[index]
    wave.update(state="running", started_at=now)
    rollout.say(now, "wave_running", f"Wave {wave['name']!r} began", wave=index)


def _move(rollout: FakeRollout, wave: int, now: float, speed: float) -> None:
    mine = rollout.mine(wave)
    flying = sum(attempt.state in STARTED or attempt.state is AttemptState.OFFERED for attempt in mine)
    for attempt in mine:
        if not attempt.device.online or attempt.state not in OPEN:
            continue
        if attempt.state is AttemptState.QUEUED:
            if flying >= IN_FLIGHT_MAX or rollout.state is not RolloutState.RUNNING:
                continue
            flying += 1
        _step(rollout, attempt, now, speed)


def _step(rollout: FakeRollout, attempt: Attempt, now: float, speed: float) -> None:
    if attempt.state is AttemptState.FETCHING:
        share = 1 - max(0.0, attempt.next_at - now) / (9.0 / speed)
        attempt.bytes_done = min(PACKAGE_BYTES, max(attempt.bytes_done, int(share * PACKAGE_BYTES)))
        attempt.device.slots[rollout.plain["slot"]].bytes_done = attempt.bytes_done
    if now < attempt.next_at:
        return
    slot = attempt.device.slots[rollout.plain["slot"]]
    luck = random.Random(f"{attempt.device.id}{attempt.step}{rollout.id}")
    if attempt.step == -1:
        attempt.before, attempt.offered_at = (slot.package, slot.version), now
    if attempt.state is AttemptState.STAGED and rollout.target[1] == BAD and attempt.device.profile in BAD_ON:
        _end(rollout, attempt, now, AttemptState.REJECTED, "golden_mismatch", "golden/03.jpg: dent 0.41 expected 0.78 ± 0.08")
        return
    if attempt.state is AttemptState.TRIAL and luck.random() < 0.004:
        _end(rollout, attempt, now, AttemptState.ROLLED_BACK, "trial_unhealthy", "0 frames in 20 s, 10 wanted")
        return
    attempt.step += 1
    name, seconds = STEPS[attempt.step]
    attempt.state, attempt.updated_at = AttemptState(name), now
    attempt.next_at = now + seconds * luck.uniform(0.6, 1.5) / speed
    attempt.bytes_done = PACKAGE_BYTES if attempt.step > 1 else attempt.bytes_done
    slot.phase, slot.changed_at, slot.target, slot.attempt = (
        PHASE_OF.get(name, name),
        now,
        rollout.target,
        _name(rollout, attempt),
    )
    slot.bytes_done, slot.bytes_total, slot.reason, slot.detail = attempt.bytes_done, PACKAGE_BYTES, "none", ""
    if name in ("trial", "committed"):
        slot.package, slot.version = rollout.target
        slot.since_at = now
    if name == "committed":
        attempt.finished_at = now
        attempt.device.attention[:] = [line for line in attempt.device.attention if "detector" not in line]


def _end(rollout: FakeRollout, attempt: Attempt, now: float, state: AttemptState, reason: str, detail: str) -> None:
    attempt.state, attempt.reason, attempt.detail = state, reason, detail
    attempt.updated_at = attempt.finished_at = now
    name = rollout.plain["slot"]
    slot = attempt.device.slots[name]
    slot.phase, slot.reason, slot.detail, slot.changed_at = PHASE_OF.get(state.value, state.value), reason, detail, now
    slot.package, slot.version = attempt.before
    reason_text = reasons.text(reason)
    happened = "update refused" if state is AttemptState.REJECTED else "rolled back"
    attempt.device.attention[:] = [f"{name}: {happened}: {reason_text}"]
    text = f"{attempt.device.id}: {state.value.replace('_', ' ')}: {reason_text}"
    rollout.say(now, f"device_{state.value}", text, wave=attempt.wave, device=attempt.device.id)


def _judge(rollout: FakeRollout, wave: dict[str, Any], now: float, speed: float) -> None:
    mine = rollout.mine(wave["index"])
    found = judgement(rollout, wave)
    against = gates.judge_sequential(rollout.gate, evidence(rollout))
    if against or found.verdict is gates.GateVerdict.BREACHED:
        text = against or found.text
        wave.update(state="failed", finished_at=now)
        rollout.say(now, "wave_failed", f"Wave {wave['name']!r} failed: {text}", wave=wave["index"])
        rollout.become(now, RolloutState.PAUSED, f"gate of wave {wave['name']!r}: {text}")
        return
    if any(attempt.state in OPEN and attempt.device.online for attempt in mine):
        return
    if wave["state"] == "running":
        wave.update(state="soaking", soak_until=now + rollout.gate.soak_s / speed)
        rollout.say(now, "wave_soaking", f"Wave {wave['name']!r} is soaking", wave=wave["index"])
    elif now >= wave["soak_until"]:
        wave.update(state="passed", finished_at=now)
        rollout.say(now, "wave_passed", f"Wave {wave['name']!r} passed: {judgement(rollout, wave).text}", wave=wave["index"])
        following = wave["index"] + 1
        if following == len(rollout.waves):
            rollout.become(now, RolloutState.COMPLETED)
        elif rollout.waves[following]["state"] == "pending" and not rollout.waves[following]["approval"]:
            _begin(rollout, following, now)


def approve(rollout: FakeRollout, wave: int, now: float) -> None:
    """Approve a wave."""
    rollout.waves[wave]["approved_by"] = "ada"
    rollout.say(now, "approved", f"Wave {rollout.waves[wave]['name']!r} approved by ada", wave=wave)
    _begin(rollout, wave, now)


def skip(rollout: FakeRollout, wave: int, reason: str, now: float) -> None:
    """Skip a wave."""
    row = rollout.waves[wave]
    was_active = row["state"] in ("running", "soaking")
    row.update(state="skipped", finished_at=now)
    for attempt in rollout.mine(wave):
        if attempt.state in OPEN and attempt.state is not AttemptState.TRIAL:
            attempt.state, attempt.reason, attempt.finished_at = AttemptState.CANCELLED, "wave_skipped", now
    rollout.say(now, "wave_skipped", f"Wave {row['name']!r} was skipped by ada: {reason}", wave=wave)
    if was_active and wave + 1 < len(rollout.waves) and rollout.state is RolloutState.RUNNING:
        _begin(rollout, wave + 1, now)


def _roll_back(rollout: FakeRollout, now: float) -> None:
    queued = [attempt for attempt in rollout.attempts.values() if attempt.state is AttemptState.QUEUED]
    for attempt in queued:
        attempt.state, attempt.finished_at = AttemptState.CANCELLED, now
    left = [a for a in rollout.attempts.values() if a.state in OPEN or a.state is AttemptState.COMMITTED]
    for attempt in left[:12]:
        _end(rollout, attempt, now, AttemptState.ROLLED_BACK, "operator_rollback", "")
        attempt.device.attention.clear()
        slot = attempt.device.slots[rollout.plain["slot"]]
        slot.phase, slot.target = "committed", None
    if not left:
        rollout.become(now, RolloutState.ROLLED_BACK, rollout.state_reason)


def judgement(rollout: FakeRollout, wave: dict[str, Any]) -> gates.Judgement:
    """The server's own gate over the fake attempts."""
    mine = rollout.mine(wave["index"])
    away = sum(a.state in OPEN and not a.device.online for a in mine)
    seen = gates.tally(Counter(a.outcome for a in mine), unreachable=away)
    if wave["state"] == "passed":
        return gates.judge(rollout.gate, seen, ended="passed")
    return gates.judge(rollout.gate, seen, ended="stopped" if wave["state"] == "failed" else "")


def _name(rollout: FakeRollout, attempt: Attempt) -> str:
    return f"r{rollout.id}-{attempt.device.id}-1"


def evidence(rollout: FakeRollout) -> gates.Evidence:
    """The counts of the fake attempts."""
    waves: list[dict[str, list[int]]] = [{} for _ in rollout.waves]
    for attempt in rollout.attempts.values():
        counts = waves[attempt.wave].setdefault(attempt.device.profile, [0, 0])
        if attempt.state in STARTED or attempt.outcome in REPORTED:
            counts[0] += attempt.outcome is Outcome.FAILED
            counts[1] += 1
    return gates.Evidence(
        [{profile: TrialCounts(*counts) for profile, counts in wave.items()} for wave in waves],
        len(rollout.attempts),
        sum(attempt.state in STARTED for attempt in rollout.attempts.values()),
        sum(attempt.outcome in REPORTED - {Outcome.FAILED} for attempt in rollout.attempts.values()),
    )


def sequential_test(rollout: FakeRollout) -> dict[str, Any] | None:
    """The server's own sequential test over the fake attempts."""
    seen = evidence(rollout)
    found = gates.sequential_strength(rollout.gate, seen)
    if found is None:
        return None
    finding = {name: getattr(found.finding, name) for name in ("profile", "failed", "tried", "e_value")}
    tolerated = {"tolerated_percent": rollout.gate.tolerated, "confidence_percent": rollout.gate.confidence_percent}
    limits = {"e_value_needed": found.e_value_needed, "failures_to_stop": found.failures_to_stop}
    first = all(wave["finished_at"] is None for wave in rollout.waves)
    return {**finding, **tolerated, **limits, "step": gates.step(rollout.gate, seen, first=first)}


def _outcomes(attempts: Iterable[Attempt]) -> dict[str, int]:
    counts = Counter(attempt.outcome for attempt in attempts)
    return {each.value: counts[each] for each in Outcome}


WAVE_KEYS = ("index", "name", "state", "started_at", "finished_at")


def rollout_plain(rollout: FakeRollout) -> dict[str, Any]:
    """The `Rollout` of the REST API."""
    rows = []
    for wave in rollout.waves:
        mine = rollout.mine(wave["index"])
        found = judgement(rollout, wave)
        gate = {
            name: getattr(found, name) for name in ("failed", "reported", "reported_min", "error_percent", "text", "following")
        }
        gate |= {"verdict": found.verdict.value, "error_percent_max": rollout.gate.error_percent_max, "comparison": ""}
        counts = Counter(a.state.value for a in mine)
        row = {key: wave[key] for key in (*WAVE_KEYS, "approval", "approved_by", "late_joiners")}
        row |= {"total": len(mine), "counts": dict(counts), "committed": counts["committed"], "gate": gate}
        row |= {"failed": sum(a.outcome is Outcome.FAILED for a in mine), "reported": found.reported, "outcomes": _outcomes(mine)}
        rows.append(row)
    keep = ("name", "package", "version", "slot", "selector", "gate", "policy", "wave_timeout_s")
    return {
        **{key: rollout.plain[key] for key in keep},
        "id": rollout.id,
        "parts": fake_parts(rollout),
        "terms": rollout.plain.get("terms", {}),
        "priority": 0,
        "created_by": "ada",
        "approved_by": None,
        "digest": digest(*rollout.target),
        "state": rollout.state.value,
        "state_reason": rollout.state_reason,
        "created_at": rollout.created_at,
        "started_at": rollout.started_at,
        "finished_at": rollout.finished_at,
        "total": len(rollout.attempts),
        "counts": dict(Counter(a.state.value for a in rollout.attempts.values())),
        "outcomes": _outcomes(rollout.attempts.values()),
        "results": sentence(Counter(a.outcome for a in rollout.attempts.values())),
        "waves": rows,
        "sequential_test": sequential_test(rollout) if rollout.state is RolloutState.RUNNING else None,
    }


def fake_parts(rollout: FakeRollout) -> list[dict[str, Any]]:
    """The first package, and those of a bundle."""
    first = {key: rollout.plain[key] for key in ("slot", "package", "version")}
    parts = [first, *rollout.plain.get("parts", [])]
    return [{**part, "digest": digest(part["package"], part["version"])} for part in parts]


def _part_phases(rollout: FakeRollout, attempt: Attempt) -> dict[str, str]:
    """All parts of a bundle go together here."""
    parts = fake_parts(rollout)
    phase = PHASE_OF.get(attempt.state.value, attempt.state.value)
    known = phase if phase in ("fetching", "verified", "staged", "trial", "committed", "rolled_back", "refused") else "absent"
    return {part["slot"]: known for part in parts} if len(parts) > 1 else {}


def attempt_plain(rollout: FakeRollout, attempt: Attempt, now: float) -> dict[str, Any]:
    """The `AttemptRow` of the REST API, with the server's own sentence."""
    device = attempt.device
    case = explain.Case(
        state=attempt.state,
        reason=attempt.reason,
        detail=attempt.detail,
        online=device.online,
        last_seen_at=now if device.online else device.since_at,
        since_at=attempt.updated_at,
        bytes_done=attempt.bytes_done,
        bytes_total=PACKAGE_BYTES,
        wave_name=rollout.waves[attempt.wave]["name"],
        rollout_state=rollout.state,
    )
    return {
        "id": _name(rollout, attempt),
        "rollout": rollout.id,
        "device": device.id,
        "wave": attempt.wave,
        "number": 1,
        "state": attempt.state.value,
        "outcome": attempt.outcome.value,
        "reason": attempt.reason,
        "against": whom.value if (whom := reasons.against(attempt.reason)) else None,
        "detail": attempt.detail,
        "explanation": explain.why(case, now),
        "bytes_done": attempt.bytes_done,
        "bytes_total": PACKAGE_BYTES,
        "offered_at": attempt.offered_at,
        "updated_at": attempt.updated_at,
        "finished_at": attempt.finished_at,
        "online": device.online,
        "parts": _part_phases(rollout, attempt),
    }
