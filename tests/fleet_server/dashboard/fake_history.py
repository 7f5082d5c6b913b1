"""History of the fake fleet: figures that follow the time of day, with a gap, and updates of every kind."""

from __future__ import annotations

import hashlib
import math
import time
from typing import Annotated, Any, Final

from fastapi import APIRouter, Query

from edgefleet_server.api.schemas.fleet.history import FigureHistory, FigureName
from edgefleet_server.domain.statistics.history_spans import choose_span, starts, stored_since

DAY_S: Final = 86_400.0
LEVELS: Final[dict[FigureName, tuple[float, float]]] = {
    "fps": (28.0, 3.0), "latency_p95_ms": (24.0, 6.0), "dropped_percent": (1.5, 1.2), "temperature_c": (55.0, 9.0),
    "cpu_percent": (44.0, 12.0), "confidence": (82.0, 4.0), "memory_bytes": (2.4e8, 2e7), "detections_per_frame": (2.2, 1.1),
}  # fmt: skip
"""Level, and change over a day."""
UPDATES: Final = (
    (0.3, "offered", 2, "1.3.0-rc1"), (0.33, "rolled_back", 2, "1.3.0-rc1"), (0.8, "offered", 3, "1.2.0"),
    (0.82, "committed", 3, "1.2.0"),
)  # fmt: skip
"""Share of the period, state, rollout and version."""

routes = APIRouter(prefix="/api/v1")


class FakeAges:
    """A new server's retention."""

    minutes_retention_s = 7 * DAY_S
    hours_retention_s = 400 * DAY_S
    days_retention_s = 1_826 * DAY_S


@routes.get("/figures", operation_id="get_figures")
def figures(
    device: Annotated[list[str], Query()],
    figure: Annotated[list[FigureName] | None, Query()] = None,
    since_at: float | None = None,
    until_at: float | None = None,
) -> FigureHistory:
    """Of a fleet that is 100 days old, and was off for a tenth of the period."""
    now = time.time()
    until = until_at or now
    since = since_at or until - DAY_S
    oldest_by_span = stored_since(FakeAges(), now)
    span_s = choose_span(since, until, oldest_by_span, 1500)
    at = starts(span_s, since, until)
    devices = [_device(each, number, list(figure or LEVELS), at, now) for number, each in enumerate(device)]
    about = {"since_at": since, "until_at": until, "span_s": span_s, "stored_since_at": oldest_by_span[span_s], "at": list(at)}
    return FigureHistory.model_validate({**about, "devices": devices})


def _device(device: str, number: int, names: list[FigureName], at: range, now: float) -> dict[str, Any]:
    seed = hashlib.sha256(device.encode()).digest()[0] / 256
    gap = range(len(at) * 6 // 10, len(at) * 7 // 10) if number % 2 == 0 else range(0)
    about = {"slot": "detector", "package": "parts-detector"}
    updates = [
        {"at": at.start + share * (at.stop - at.start), "state": state, "rollout": rollout, "version": version, **about}
        for share, state, rollout, version in UPDATES
    ]
    known = [each not in gap and start >= now - 100 * DAY_S for each, start in enumerate(at)]
    curves = [
        _curve(name, [_value(name, start, seed) if is_known else None for start, is_known in zip(at, known, strict=True)])
        for name in names
        if name in LEVELS
    ]
    return {"device": device, "figures": curves, "updates": updates if number == 0 else [], "updates_left_out": False}


def _value(name: FigureName, at: float, seed: float) -> float:
    level, change = LEVELS[name]
    noise = math.sin(at / 977.0 + 9.0 * seed) * math.sin(at / 131.0)
    return level * (0.85 + 0.3 * seed) + change * (math.sin(2 * math.pi * (at / DAY_S + seed)) + 0.4 * noise) * 0.7


def _curve(name: FigureName, means: list[float | None]) -> dict[str, Any]:
    spread = LEVELS[name][1] * 0.5
    known = [mean for mean in means if mean is not None] or [0.0]
    mean = sum(known) / len(known)
    shown: dict[str, list[float | None]] = {
        key: [None if each is None else max(0.0, each + factor * spread) for each in means]
        for key, factor in (("mean", 0.0), ("low", -1.0), ("high", 1.0), ("p95", 0.8))
    }
    summary = {
        "count": 15 * len(known), "mean": mean, "low": min(known) - spread, "high": max(known) + spread, "p50": mean,
        "p95": max(known),
    }  # fmt: skip
    return {"name": name, "count": [0 if each is None else 15 for each in means], **shown, "summary": summary}
