"""The history of devices over hours to years, from aggregates."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from typing import Annotated, Final

from fastapi import APIRouter, Query

from edgefleet_server.api.context import ContextDep
from edgefleet_server.api.device_scope import DeviceScopeDep
from edgefleet_server.api.presenters import views
from edgefleet_server.api.schemas.fields import DeviceId, HistorySpan
from edgefleet_server.api.schemas.fleet import history as schemas
from edgefleet_server.core.errors import InputError
from edgefleet_server.db.backend.engine import raw
from edgefleet_server.db.devices import devices
from edgefleet_server.db.telemetry import device_history
from edgefleet_server.domain.statistics.history_spans import PERIOD_S_MAX, choose_span, starts, stored_since
from edgefleet_server.domain.statistics.summaries import Figures, Summary, merge

DAY_S: Final = 86_400.0
AHEAD_S_MAX: Final = DAY_S
"""Devices whose clock is ahead by more are stored with the server's time."""
DIGITS: Final = views.FIGURE_DIGITS

router = APIRouter(tags=["fleet"])


@router.get("/figures", operation_id="get_figures")
def get_figures(
    context: ContextDep,
    scope: DeviceScopeDep,
    device: Annotated[list[DeviceId], Query(min_length=1, max_length=schemas.DEVICES_MAX, description="one or several")],
    figure: Annotated[
        list[schemas.FigureName] | None, Query(max_length=schemas.FIGURES_MAX, description="only these; default: all")
    ] = None,
    since_at: Annotated[float, Query(description="default: a day before `until_at`")] | None = None,
    until_at: Annotated[float, Query(description="default: now")] | None = None,
    span_s: Annotated[
        HistorySpan,
        Query(description="minutes, hours or days; default: the shortest that is stored and has room in `points_max`"),
    ]
    | None = None,
    points_max: Annotated[int, Query(ge=2, le=schemas.POINTS_MAX)] = 1500,
) -> schemas.FigureHistory:
    """Figures of devices over a period of up to ten years, by minute, hour or day, with the updates of the devices."""
    now = time.time()
    until = now if until_at is None else until_at
    since = until - DAY_S if since_at is None else since_at
    if not (math.isfinite(since) and math.isfinite(until) and 0 <= since < until <= now + AHEAD_S_MAX):
        raise InputError("since_at must be before until_at, and until_at at most a day ahead; both are seconds since 1970")
    if until - since > PERIOD_S_MAX:
        raise InputError(f"the period is longer than {PERIOD_S_MAX / DAY_S:.0f} days; choose a later since_at")
    oldest_by_span = stored_since(context.settings, now)
    chosen = span_s or choose_span(since, until, oldest_by_span, points_max)
    at = starts(chosen, since, until)
    if len(at) > points_max:
        longer = "a shorter period" if chosen == DAY_S else "a longer span_s or a shorter period"
        raise InputError(f"{len(at)} points of {chosen} s are more than points_max, {points_max}; choose {longer}")
    names = set(figure or ())
    found = []
    with context.database.read() as connection:
        for each in dict.fromkeys(device):
            scope.check(each)
            devices.check_exists(connection, each)
            db = raw(connection)
            by_start = device_history.figures_by_start(db, each, chosen, at.start, at.stop)
            updates, left_out = device_history.updates(db, each, since, until)
            found.append(
                schemas.DeviceHistory(
                    device=each,
                    figures=_curves(by_start, at, names),
                    updates=[schemas.UpdateMark.model_validate(mark) for mark in updates],
                    updates_left_out=left_out,
                )
            )
    about = {"since_at": since, "until_at": until, "span_s": chosen, "stored_since_at": oldest_by_span[chosen], "at": list(at)}
    return schemas.FigureHistory.model_validate({**about, "devices": found})


def _curves(by_start: Mapping[int, Figures], at: Sequence[int], names: set[schemas.FigureName]) -> list[schemas.FigureCurve]:
    totals = merge(by_start.values())
    return [
        _curve(name, [figures.get(name) if (figures := by_start.get(start)) else None for start in at], summary)
        for name, summary in sorted(totals.items())
        if not names or name in names
    ]


def _curve(name: str, values: Sequence[Summary | None], total: Summary) -> schemas.FigureCurve:
    return schemas.FigureCurve.model_validate(
        {
            "name": name,
            "count": [each.count if each else 0 for each in values],
            "mean": [each and round(each.mean, DIGITS) for each in values],
            "low": [each and round(each.low, DIGITS) for each in values],
            "high": [each and round(each.high, DIGITS) for each in values],
            "p95": [each and round(each.quantile(0.95), DIGITS) for each in values],
            "summary": views.figure_summary(total),
        }
    )
