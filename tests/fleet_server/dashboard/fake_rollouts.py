"""Rollouts of the fake fleet: waves, gates and attempts that move by themselves."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from tests.fleet_server.dashboard.fake_devices import Device, digest

STEPS = [("offered", 1.0), ("fetching", 9.0), ("verified", 1.0), ("staged", 1.5), ("trial", 16.0), ("committed", 0.0)]
DONE = {
    "committed",
    "rolled_back",
    "rollback_failed",
    "timed_out",
    "cancelled",
    "superseded",
    "rejected",
    "incompatible",
    "already_installed",
}
FAILED = {"rolled_back", "rollback_failed", "timed_out", "rejected"}
STAGE_OF = {"offered": "absent", "rejected": "refused"}
WHY = {
    "queued": "Waits for its turn: its wave has not begun.",
    "offered": "Told about the new version, has not answered yet.",
    "fetching": "Fetching the package.",
    "verified": "Every byte is verified; the model is being prepared.",
    "staged": "Loaded beside the running model and compared with the golden samples.",
    "trial": "Runs the new version on live frames; it is not trusted yet.",
    "committed": "Runs the new version and trusts it.",
    "cancelled": "The rollout was stopped before this device began.",
}
BAD = "1.3.0-rc1"
IN_FLIGHT_MAX = 14


@dataclass
class Attempt:
    """One try of one device."""

    device: Device
    wave: int
    state: str = "queued"
    reason: str = "none"
    detail: str = ""
    step: int = -1
    next_at: float = 0.0
    bytes_done: int = 0
    bytes_total: int = 4_194_304
    offered_at: float | None = None
    updated_at: float = 0.0
    finished_at: float | None = None
    before: tuple[str, str] = ("", "")


@dataclass
class FakeRollout:
    """One rollout and all its attempts."""

    id: int
    plain: dict[str, Any]
    attempts: dict[str, Attempt]
    waves: list[dict[str, Any]]
    created_at: float
    state: str = "draft"
    state_reason: str = ""
    started_at: float | None = None
    finished_at: float | None = None
    timeline: list[dict[str, Any]] = field(default_factory=list)
    changed: set[str] = field(default_factory=set)

    def say(self, at: float, kind: str, text: str, wave: int | None = None, device: str | None = None) -> None:
        self.timeline.append({"at": at, "kind": kind, "text": text, "wave": wave, "device": device})

    @property
    def target(self) -> tuple[str, str]:
        return self.plain["package"], self.plain["version"]


def split_waves(names: list[dict[str, Any]], total: int) -> list[int]:
    """How many devices each wave takes; the last takes the rest."""
    left, counts = total, []
    for index, wave in enumerate(names):
        wanted = wave.get("count") or max(1, round(total * (wave.get("percent") or 0) / 100))
        counts.append(left if index == len(names) - 1 else min(left, wanted))
        left -= counts[-1]
    return counts


def make_rollout(number: int, plain: dict[str, Any], devices: list[Device], now: float) -> FakeRollout:
    """A draft: devices spread over waves, canaries first."""
    ordered = sorted(devices, key=lambda d: (d.labels.get("ring") != "canary", random.Random(d.id).random()))
    attempts: dict[str, Attempt] = {}
    waves: list[dict[str, Any]] = []
    at = 0
    for index, count in enumerate(split_waves(plain["waves"], len(ordered))):
        for device in ordered[at : at + count]:
            attempts[device.id] = Attempt(device, index, updated_at=now)
        at += count
        waves.append(
            {"index": index, "name": plain["waves"][index]["name"], "state": "pending", "started_at": None, "finished_at": None}
        )
    rollout = FakeRollout(number, plain, attempts, waves, created_at=now)
    rollout.say(now, "created", f"Created for {len(ordered)} devices in {len(waves)} waves")
    return rollout


def start(rollout: FakeRollout, now: float) -> None:
    """Draft → running, first wave begins."""
    rollout.state, rollout.started_at = "running", now
    rollout.say(now, "started", "Started")
    _begin_wave(rollout, 0, now)


def _begin_wave(rollout: FakeRollout, index: int, now: float) -> None:
    wave = rollout.waves[index]
    wave.update(state="running", started_at=now)
    rollout.say(now, "wave", f"Wave {wave['name']} began", wave=index)


def tick(rollout: FakeRollout, now: float, speed: float) -> None:
    """Move every attempt whose time has come, then judge the wave."""
    if rollout.state not in ("running", "rolling_back"):
        return
    if rollout.state == "rolling_back":
        _roll_back(rollout, now)
        return
    current = next((wave for wave in rollout.waves if wave["state"] in ("running", "soaking")), None)
    if current is None:
        return
    mine = [attempt for attempt in rollout.attempts.values() if attempt.wave == current["index"]]
    flying = sum(attempt.state not in DONE | {"queued"} for attempt in mine)
    for attempt in mine:
        if not attempt.device.online or attempt.state in DONE:
            continue
        if attempt.state == "queued":
            if flying >= IN_FLIGHT_MAX:
                continue
            flying += 1
        _step(rollout, attempt, now, speed)
    _judge(rollout, current, mine, now, speed)


def _step(rollout: FakeRollout, attempt: Attempt, now: float, speed: float) -> None:
    if attempt.state == "fetching":
        share = 1 - max(0.0, attempt.next_at - now) / (9.0 / speed)
        attempt.bytes_done = min(attempt.bytes_total, max(attempt.bytes_done, int(share * attempt.bytes_total)))
        rollout.changed.add(attempt.device.id)
    if now < attempt.next_at:
        return
    luck = random.Random(f"{attempt.device.id}{attempt.step}{rollout.id}")
    slot = attempt.device.slots[rollout.plain["slot"]]
    if attempt.step == -1:
        attempt.before, attempt.offered_at = (slot.package, slot.version), now
    if attempt.state == "staged" and rollout.target[1] == BAD and attempt.device.profile in ("coral-usb", "arm64-cpu"):
        _end(rollout, attempt, now, "rolled_back", "golden_mismatch", "golden/03.jpg: dent 0.41 expected 0.78 ± 0.08")
        return
    if attempt.state == "trial" and luck.random() < 0.004:
        _end(rollout, attempt, now, "rolled_back", "trial_unhealthy", "0 frames in 20 s, 10 wanted")
        return
    attempt.step += 1
    attempt.state, seconds = STEPS[attempt.step]
    attempt.next_at = now + seconds * luck.uniform(0.6, 1.5) / speed
    attempt.updated_at = now
    if attempt.step > 1:
        attempt.bytes_done = attempt.bytes_total
    stage = STAGE_OF.get(attempt.state, attempt.state)
    slot.stage, slot.changed_at, slot.target, slot.attempt = stage, now, rollout.target, f"r{rollout.id}-{attempt.device.id}-1"
    slot.bytes_done, slot.bytes_total, slot.reason = attempt.bytes_done, attempt.bytes_total, "none"
    if attempt.state in ("trial", "committed"):
        slot.package, slot.version, slot.since_at = (*rollout.target, now)
    if attempt.state == "committed":
        attempt.finished_at = now
    rollout.changed.add(attempt.device.id)


def _end(rollout: FakeRollout, attempt: Attempt, now: float, state: str, reason: str, detail: str) -> None:
    attempt.state, attempt.reason, attempt.detail = state, reason, detail
    attempt.updated_at = attempt.finished_at = now
    slot = attempt.device.slots[rollout.plain["slot"]]
    slot.stage, slot.reason, slot.detail, slot.changed_at = "rolled_back", reason, detail, now
    slot.package, slot.version = attempt.before
    attempt.device.attention[:] = [f"Update to {rollout.target[0]} {rollout.target[1]} rolled back: {reason}"]
    rollout.say(now, "attempt", f"{attempt.device.id} rolled back: {reason}", wave=attempt.wave, device=attempt.device.id)
    rollout.changed.add(attempt.device.id)


def _judge(rollout: FakeRollout, wave: dict[str, Any], mine: list[Attempt], now: float, speed: float) -> None:
    gate = gate_of(rollout, mine, wave["state"])
    if gate["verdict"] == "breached":
        wave.update(state="failed", finished_at=now)
        rollout.state, rollout.state_reason = "paused", f"Gate of wave {wave['name']}: {gate['text']}"
        rollout.say(now, "gate", rollout.state_reason, wave=wave["index"])
        return
    waiting = [attempt for attempt in mine if attempt.state not in DONE and attempt.device.online]
    if waiting:
        return
    if wave["state"] == "running":
        wave.update(state="soaking", soak_until=now + rollout.plain["gate"]["soak_s"] / speed)
        rollout.say(now, "wave", f"Wave {wave['name']} is soaking", wave=wave["index"])
    elif now >= wave["soak_until"]:
        wave.update(state="passed", finished_at=now)
        rollout.say(now, "gate", f"Wave {wave['name']} passed: {gate['text']}", wave=wave["index"])
        if wave["index"] + 1 < len(rollout.waves):
            _begin_wave(rollout, wave["index"] + 1, now)
        else:
            rollout.state, rollout.finished_at = "completed", now
            rollout.say(now, "completed", "Completed")


def _roll_back(rollout: FakeRollout, now: float) -> None:
    left = [a for a in rollout.attempts.values() if a.state not in DONE | {"queued"} or a.state == "committed"]
    for attempt in left[:12]:
        _end(rollout, attempt, now, "rolled_back", "operator_rollback", "")
        attempt.device.attention.clear()
        attempt.device.slots[rollout.plain["slot"]].stage = "committed"
    if not left:
        rollout.state, rollout.finished_at = "rolled_back", now
        rollout.say(now, "rolled_back", "Every device is back on its earlier version")


def gate_of(rollout: FakeRollout, mine: list[Attempt], state: str) -> dict[str, Any]:
    """The gate of one wave with its numbers and its verdict in words."""
    limits = rollout.plain["gate"]
    failed = sum(a.state in FAILED and a.reason != "operator_rollback" for a in mine)
    reported = failed + sum(a.state == "committed" for a in mine)
    percent = 100 * failed / reported if reported else 0.0
    least = min(limits["reported_min"], max(1, len(mine)))
    plain = {"failed": failed, "reported": reported, "reported_min": least, "error_percent": round(percent, 2)}
    plain["error_percent_max"] = limits["error_percent_max"]
    if reported >= least and percent > limits["error_percent_max"]:
        text = f"{failed} of {reported} failed: {percent:.0f} % is over the limit of {limits['error_percent_max']:g} %"
        return {**plain, "verdict": "breached", "text": text}
    if state == "passed":
        return {**plain, "verdict": "passed", "text": f"{failed} of {reported} failed, limit {limits['error_percent_max']:g} %"}
    if reported < least:
        return {**plain, "verdict": "waiting", "text": f"{reported} of the {least} results that a verdict needs"}
    return {**plain, "verdict": "holding", "text": f"{failed} of {reported} failed, limit {limits['error_percent_max']:g} %"}


def rollout_plain(rollout: FakeRollout) -> dict[str, Any]:
    """The `Rollout` of the REST API."""
    waves = []
    for wave in rollout.waves:
        mine = [a for a in rollout.attempts.values() if a.wave == wave["index"]]
        gate = gate_of(rollout, mine, wave["state"])
        counts = Counter(a.state for a in mine)
        waves.append(
            {
                **{key: wave[key] for key in ("index", "name", "state", "started_at", "finished_at")},
                "total": len(mine),
                "counts": dict(counts),
                "committed": counts["committed"],
                "failed": gate["failed"],
                "reported": gate["reported"],
                "gate": gate,
            }
        )
    keep = ("name", "package", "version", "slot", "selector", "gate", "policy", "wave_timeout_s")
    return {
        **{key: rollout.plain[key] for key in keep},
        "id": rollout.id,
        "digest": digest(*rollout.target),
        "state": rollout.state,
        "state_reason": rollout.state_reason,
        "created_at": rollout.created_at,
        "started_at": rollout.started_at,
        "finished_at": rollout.finished_at,
        "total": len(rollout.attempts),
        "counts": dict(Counter(a.state for a in rollout.attempts.values())),
        "waves": waves,
    }


def attempt_plain(rollout: FakeRollout, attempt: Attempt) -> dict[str, Any]:
    """The `AttemptRow` of the REST API."""
    why = WHY.get(attempt.state, "")
    wave = rollout.waves[attempt.wave]
    if not attempt.device.online and attempt.state not in DONE:
        why = "Offline; it gets the update when it comes back, under the same gate."
    elif attempt.state == "queued" and wave["state"] == "running":
        why = "Next in line in this wave."
    elif attempt.reason == "golden_mismatch":
        why = "The model gave other results on its golden samples than it must; the device went back to its earlier version."
    elif attempt.reason == "trial_unhealthy":
        why = "Too few frames came through on trial; the device went back to its earlier version."
    elif attempt.reason == "operator_rollback":
        why = "An operator rolled the rollout back."
    return {
        "id": f"r{rollout.id}-{attempt.device.id}-1",
        "rollout": rollout.id,
        "device": attempt.device.id,
        "wave": attempt.wave,
        "number": 1,
        "state": attempt.state,
        "reason": attempt.reason,
        "detail": attempt.detail,
        "why": why,
        "bytes_done": attempt.bytes_done,
        "bytes_total": attempt.bytes_total,
        "offered_at": attempt.offered_at,
        "updated_at": attempt.updated_at,
        "finished_at": attempt.finished_at,
        "online": attempt.device.online,
    }
