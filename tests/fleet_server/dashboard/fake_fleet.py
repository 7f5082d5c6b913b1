"""The fake fleet's state, its history and the questions that the API asks of it."""

from __future__ import annotations

import random
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from edgefleet_server.domain import reasons
from tests.fleet_server.dashboard import fake_rollouts, fake_shadows
from tests.fleet_server.dashboard.fake_alerts import FakeAlerts
from tests.fleet_server.dashboard.fake_devices import (
    HARDWARE,
    PROFILES,
    RUNTIMES,
    Device,
    digest,
    gauges,
    make_devices,
    telemetry,
)
from tests.fleet_server.dashboard.fake_models import make_models
from tests.fleet_server.dashboard.fake_rollouts import FakeRollout

KINDS = [("visit", "gear"), ("zone", "dent"), ("zone", "scratch"), ("line", "bolt"), ("count", "washer")]
EVENTS_MAX = 400
HOT = 18
MOVING = {"fetching", "fetched", "verified", "staged", "waiting_window", "trial"}


def plan(name: str, version: str, labels: dict[str, str] | None = None) -> dict[str, Any]:
    """A careful rollout of the parts detector."""
    return {
        "name": name,
        "package": "parts-detector",
        "version": version,
        "slot": "detector",
        "selector": {"all": not labels, "ids": [], "labels": labels or {}},
        "waves": [
            {"name": "canary", "count": 6},
            {"name": "early", "percent": 20},
            {"name": "half", "percent": 40},
            {"name": "rest"},
        ],
        "gate": {"error_percent_max": 5.0, "reported_min": 5, "offline_s": 120.0, "soak_s": 8.0},
        "policy": {"trial_s": 20.0, "trial_frames_min": 10},
        "wave_timeout_s": 3600.0,
    }


@dataclass
class Fleet:
    """All data of the fake server. `speed` makes rollouts faster."""

    speed: float = 1.0
    started_at: float = field(default_factory=time.time)
    devices: dict[str, Device] = field(default_factory=dict)
    models: dict[tuple[str, str], dict[str, Any]] = field(default_factory=dict)
    rollouts: list[FakeRollout] = field(default_factory=list)
    events: list[dict[str, Any]] = field(default_factory=list)
    alerts: FakeAlerts = field(default_factory=FakeAlerts)
    commands: dict[str, dict[str, Any]] = field(default_factory=dict)
    blocked: dict[str, tuple[float, str]] = field(default_factory=dict)
    groups: dict[str, dict[str, Any]] = field(default_factory=dict)
    luck: random.Random = field(default_factory=lambda: random.Random(5))

    def __post_init__(self) -> None:
        self.devices = make_devices(self.started_at)
        self.models = make_models(self.started_at)
        self._history()
        for name, labels, note in (
            ("canaries", {"ring": "canary"}, "One of each kind of machine; first in every rollout"),
            ("lyon", {"site": "lyon"}, ""),
        ):
            self.groups[name] = {
                "name": name,
                "selector": {"all": False, "ids": [], "labels": labels, "group": None},
                "note": note,
                "changed_at": self.started_at - 9 * 86400,
                "changed_by": "ada",
            }
        for minute in range(EVENTS_MAX // 2, 0, -1):
            self._event(self.started_at - minute * 97)

    def _history(self) -> None:
        """One completed rollout, one that its gate stopped, one that runs, one beside what runs."""
        now = self.started_at
        self._play(plan("1.1.0 for everyone", "1.1.0"), now - 21 * 86400)
        self._play(plan("1.3.0-rc1 in Lyon", "1.3.0-rc1", {"site": "lyon"}), now - 5400)
        running = fake_rollouts.make_rollout(3, plan("Parts detector 1.2.0", "1.2.0"), list(self.devices.values()), now - 210)
        running.plain["policy"] = {"trial_s": 16.0, "trial_frames_min": 10}
        self.rollouts.append(running)
        fake_rollouts.steer(running, "start", "", now - 210)
        for step in range(420):
            fake_rollouts.tick(running, now - 210 + step / 2, 1.0)
        self.rollouts.append(fake_shadows.make_shadow(4, list(self.devices.values()), now - 7200))

    def _play(self, what: dict[str, Any], at: float) -> None:
        labels = what["selector"]["labels"]
        mine = [d for d in self.devices.values() if all(d.labels.get(k) == v for k, v in labels.items())]
        rollout = fake_rollouts.make_rollout(len(self.rollouts) + 1, what, mine, at)
        self.rollouts.append(rollout)
        fake_rollouts.steer(rollout, "start", "", at)
        for step in range(2000):
            fake_rollouts.tick(rollout, at + step, 1.0)
            if rollout.state.value != "running":
                break

    def _event(self, at: float) -> dict[str, Any]:
        kind, label = self.luck.choice(KINDS)
        device = self.luck.choice(list(self.devices))
        x, y = self.luck.uniform(20, 400), self.luck.uniform(20, 260)
        row = {
            "id": len(self.events) + 1,
            "device": device,
            "received_at": at,
            "event": {
                "kind": kind,
                "id": f"e{int(at)}",
                "at": at - 0.4,
                "phase": "end",
                "pipeline": "camera",
                "rule": f"every-{label}",
                "label": label,
                "track_id": self.luck.randint(1, 900),
                "start_frame": 100,
                "end_frame": 162,
                "start_s": 3.3,
                "end_s": 5.4,
                "zone": "belt" if kind == "zone" else "",
                "line": "exit" if kind == "line" else "",
                "direction": "forward" if kind == "line" else "",
                "count": self.luck.randint(1, 9) if kind == "count" else None,
                "score": round(self.luck.uniform(0.55, 0.97), 2),
                "box": [x, y, x + 70, y + 60],
                "coverage": round(self.luck.uniform(0.9, 1), 3),
                "model": "parts-detector@1.1.0",
                "model_digest": digest("parts-detector", "1.1.0"),
                "data": {},
            },
            "evidence": ["snapshot"] if len(self.events) % 3 else [],
        }
        self.events.append(row)
        return row

    def tick(self, now: float) -> None:
        """Half a second of life."""
        for rollout in self.rollouts:
            fake_rollouts.tick(rollout, now, self.speed)
        if self.luck.random() < 0.2 and len(self.events) < EVENTS_MAX * 4:
            self._event(now)
        if self.luck.random() < 0.02:
            device = self.luck.choice(list(self.devices.values()))
            if not device.attention and device.status in ("online", "offline") and self.luck.random() < 0.5:
                device.online, device.since_at = not device.online, now
                device.connection += device.online

    # answers, shaped like the REST API

    def row(self, device: Device, now: float) -> dict[str, Any]:
        """DeviceRow."""
        runtime, placement, variant, _, _ = PROFILES[device.profile]
        slots = []
        for name, slot in device.slots.items():
            target = slot.target or (slot.package, slot.version)
            running = {
                "package": slot.package,
                "version": slot.version,
                "digest": digest(slot.package, slot.version),
                "variant": variant,
                "runtime": runtime,
                "placement": placement,
                "since_at": slot.since_at,
            }
            slots.append(
                {
                    "slot": name,
                    "phase": slot.phase,
                    "running": running,
                    "target": {"package": target[0], "version": target[1], "digest": digest(*target)},
                    "on_target": (slot.package, slot.version) == target,
                    "drift_since_at": None if (slot.package, slot.version) == target else slot.changed_at or slot.since_at,
                    "reason": slot.reason,
                    "against": whom.value if (whom := reasons.against(slot.reason)) else None,
                    "detail": slot.detail,
                    "since_at": slot.changed_at or slot.since_at,
                    "bytes_done": slot.bytes_done,
                    "bytes_total": slot.bytes_total,
                    "attempt": slot.attempt,
                }
            )
        live = telemetry(device, now) if device.online else None
        camera = live["pipelines"]["camera"] if live else None
        return {
            "id": device.id,
            "online": device.online,
            "status": device.status,
            "last_seen_at": now - 0.8 if device.online else device.since_at,
            "online_since_at": device.since_at if device.online else None,
            "agent_version": "0.2.0",
            "profile": device.profile,
            "labels": device.labels,
            "attention": device.attention,
            "flapping": False,
            "slots": slots,
            "fps": camera["process_fps"] if camera else 0.0,
            "latency_p95_ms": camera["latency"]["invoke"]["p95_ms"] if camera else 0.0,
            "dropped_per_s": sum(camera["dropped"].values()) / 2 if camera else 0.0,
            "temperature_c": live["temperature_c"] if live else None,
            "cpu_percent": live["cpu_percent"] if live else 0.0,
        }

    def detail(self, device: Device, now: float) -> dict[str, Any]:
        """DeviceDetail."""
        attempts = [
            fake_rollouts.attempt_plain(r, r.attempts[device.id], now) for r in reversed(self.rollouts) if device.id in r.attempts
        ]
        record = telemetry(device, now)
        return {
            **self.row(device, now),
            "hardware": {**HARDWARE[device.profile], "os": "Debian 12", "kernel": "6.6.51"},
            "runtimes": RUNTIMES[device.profile],
            "boot": f"b{digest(device.id, 'boot')[:12]}",
            "connection": device.connection,
            "generation_desired": 14,
            "generation_reported": 14 if device.online else 13,
            "first_seen_at": self.started_at - 190 * 86400,
            "disk_free_bytes": record["disk_free_bytes"],
            "pipelines": {k: v for k, v in record["pipelines"].items() if device.online},
            "pipeline_states": dict.fromkeys(record["pipelines"], "running"),
            "attempts": attempts[:20],
            "pins": [
                {
                    "slot": slot,
                    "package": device.slots[slot].package,
                    "version": device.slots[slot].version,
                    "reason": reason,
                    "pinned_by": "ada",
                    "pinned_at": self.started_at,
                }
                for slot, reason in device.pins.items()
            ],
            "excluded_until": None,
        }

    def overview(self) -> dict[str, Any]:
        """Overview."""
        now = time.time()
        shares: Counter[tuple[str, str, str]] = Counter()
        for device in self.devices.values():
            for name, slot in device.slots.items():
                shares[name, slot.package, slot.version] += 1
        up = sum(device.online for device in self.devices.values())
        return {
            "devices_total": len(self.devices),
            "online": up,
            "offline": len(self.devices) - up,
            "updating": sum(any(slot.phase in MOVING for slot in device.slots.values()) for device in self.devices.values()),
            "degraded": sum(device.online and bool(device.attention) and device.hot > HOT for device in self.devices.values()),
            "attention": sum(bool(device.attention) for device in self.devices.values()),
            "on_target": sum(
                all(slot["on_target"] for slot in self.row(device, now)["slots"]) for device in self.devices.values()
            ),
            "flapping": 0,
            "alerts_open": sum(alert["ended_at"] is None for alert in self.alerts.alerts),
            "versions": [
                {"slot": s, "package": p, "version": v, "digest": digest(p, v), "count": n}
                for (s, p, v), n in shares.most_common()
            ],
            "rollouts_active": sum(r.state.value in ("running", "rolling_back", "aborting") for r in self.rollouts),
            "events_24h": 18_240 + len(self.events),
            "telemetry_per_s": round(up / 2 + self.luck.uniform(-2, 2), 1),
            "server": {
                "version": "0.2.0",
                "started_at": self.started_at - 3 * 86400,
                "broker": {"state": "up", "url": "mqtt://127.0.0.1:1883"},
            },
        }

    def history(self, device: Device, since: float, until: float, points_max: int) -> list[dict[str, Any]]:
        """Telemetry points over a span."""
        step = max(2.0, (until - since) / points_max)
        first = since - since % step + step
        return [telemetry(device, first + n * step, step) for n in range(max(0, int((until - first) / step)))]

    def gauges_now(self, device: Device, now: float) -> dict[str, Any]:
        """The current gauges of the camera pipeline."""
        return gauges(device, now)
