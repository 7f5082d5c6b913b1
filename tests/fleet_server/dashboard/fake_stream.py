"""Server-sent events of the fake server: changes since the last second, for the subscribed topics."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from typing import Any

from fastapi import Request

from tests.fleet_server.dashboard import fake_rollouts
from tests.fleet_server.dashboard.fake_devices import telemetry
from tests.fleet_server.dashboard.fake_fleet import Fleet

ROWS_PER_S = 24
RESTARTING = "bremen-press1-cam01"
"""Every other sample of this device has no pipeline metrics."""


def _message(name: str, data: dict[str, Any], number: int) -> str:
    return f"event: {name}\nid: {number}\ndata: {json.dumps(data)}\n\n"


async def stream(fleet: Fleet, request: Request, topics: list[str]) -> AsyncIterator[str]:
    """Changes, once a second."""
    sent: dict[str, str] = {}
    event_id, number = len(fleet.events), 0
    while not await request.is_disconnected():
        for name, key, data in [*_changes(fleet, topics, number), *_new_events(fleet, topics, event_id)]:
            text = json.dumps(data)
            if sent.get(key) != text:
                sent[key] = text
                number += 1
                yield _message(name, data, number)
        event_id = len(fleet.events)
        await asyncio.sleep(min(1.0, 2 / fleet.speed))


def _new_events(fleet: Fleet, topics: list[str], since: int) -> list[tuple[str, str, dict[str, Any]]]:
    return [("event", f"e{row['id']}", row) for row in fleet.events[since:]] if "events" in topics else []


def _changes(fleet: Fleet, topics: list[str], turn: int) -> list[tuple[str, str, dict[str, Any]]]:
    now = time.time()
    found: list[tuple[str, str, dict[str, Any]]] = []
    devices = list(fleet.devices.values())
    for topic in topics:
        kind, _, which = topic.partition(":")
        if topic == "overview":
            found.append(("overview", "overview", fleet.overview()))
        elif topic == "devices":
            at = turn % len(devices)
            rows = [d for d in devices if d.status == "updating"][:ROWS_PER_S] + (devices + devices)[at : at + ROWS_PER_S]
            found += [("device", f"d{d.id}", fleet.row(d, now)) for d in rows]
        elif kind == "device" and which in fleet.devices:
            device = fleet.devices[which]
            found.append(("device", f"d{which}", fleet.row(device, now)))
            if device.online:
                bare = {"pipelines": {}} if which == RESTARTING and round(now) % 2 else {}
                found.append(("telemetry", "t", {"device": which, "point": telemetry(device, now) | bare}))
        elif topic == "rollouts" or kind == "rollout":
            for rollout in fleet.rollouts:
                if not which or str(rollout.id) == which:
                    found.append(("rollout", f"r{rollout.id}", fake_rollouts.rollout_plain(rollout)))
                if str(rollout.id) == which:
                    found += [
                        ("attempt", f"a{a.device.id}", fake_rollouts.attempt_plain(rollout, a, now))
                        for a in rollout.attempts.values()
                    ]
    return found
