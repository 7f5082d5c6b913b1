"""`/metrics` for Prometheus (text format 0.0.4). Open to whoever may read the fleet: a token of a viewer where there are users.

https://prometheus.io/docs/instrumenting/exposition_formats/
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from fastapi import APIRouter, Request
from starlette.responses import PlainTextResponse, Response

from fleet_server.api.context import Context, ContextDep
from fleet_server.api.sign_in import caller_of
from fleet_server.db import alerts, devices, measures
from fleet_server.db.engine import raw

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"

router = APIRouter()

Rows = Iterable[tuple[Mapping[str, str], float]]


@router.get("/metrics", include_in_schema=False)
async def get_metrics(request: Request, context: ContextDep) -> Response:
    """Everything about the server and the fleet that changes."""
    if await caller_of(context, request.scope) is None:
        refusal = "a token is needed: `edgefleet user token`, then `authorization: {credentials: …}` in Prometheus\n"
        return PlainTextResponse(refusal, 401, {"WWW-Authenticate": "Bearer"})
    return PlainTextResponse("".join(_families(context)), media_type=CONTENT_TYPE)


def _families(context: Context) -> Iterator[str]:
    with context.database.read() as connection:
        db = raw(connection)
        counts = devices.counts(connection)
        versions = devices.versions(connection)
        rollouts, attempts = measures.rollouts(db), measures.attempts(db)
        open_alerts = alerts.count_open(db)
        rows = measures.newest_ids(db)
    states = ("online", "offline", "updating", "attention", "on_target", "flapping")
    yield from _gauge("devices", "Devices known to the server", [({}, counts["devices_total"])])
    yield from _gauge("devices_in", "Devices by fact; the facts overlap", [({"fact": fact}, counts[fact]) for fact in states])
    yield from _gauge(
        "slot_devices",
        "Devices that run a version",
        [({name: row[name] for name in ("slot", "package", "version")}, row["count"]) for row in versions],
    )
    yield from _gauge("rollouts", "Rollouts by state", [({"state": state}, count) for state, count in rollouts.items()])
    yield from _gauge(
        "rollout_attempts",
        "Attempts of rollouts that are at work, by state",
        [({"rollout": str(number), "state": state}, count) for (number, state), count in attempts.items()],
    )
    yield from _gauge("alerts_open", "Alerts that go on", [({}, open_alerts)])
    yield from _counter("telemetry_records_total", "Samples stored since the database was made", [({}, rows["telemetry"])])
    yield from _counter("events_total", "Events stored since the database was made", [({}, rows["event"])])
    yield from _gauge("telemetry_per_second", "Samples stored a second, over the last ten", [({}, context.samples_per_s())])
    yield from _ingest(context)
    yield from _gauge("broker_up", "Whether the broker answers", [({}, float(context.broker_up()))])
    yield from _gauge("broker_devices_max", "Devices the broker can have connected; 0 = not known", [({}, context.devices_max)])
    blocks = context.block_traffic()
    yield from _counter("block_bytes_total", "Bytes of models sent over MQTT since the start", [({}, blocks.sent_bytes)])
    yield from _gauge("database_bytes", "Length of the database file", [({}, context.database.path.stat().st_size)])
    yield from _gauge(
        "chore_seconds",
        "How long the latest turn of a background chore took",
        [({"chore": chore.name}, chore.took_s) for chore in context.chores],
    )
    yield from _gauge("start_time_seconds", "When the server started", [({}, context.started_at)])


def _ingest(context: Context) -> Iterator[str]:
    told = context.ingest()
    yield from _counter("messages_total", "Messages taken from the wire since the start", [({}, told.messages)])
    yield from _counter("messages_refused_total", "Messages or records that are not of the contract", [({}, told.refused)])
    yield from _gauge("ingest_queue", "Messages that wait to be stored", [({}, told.waiting)])
    yield from _gauge(
        "ingest_seconds",
        "From the wire to the commit, over the last minute",
        [({"share": f"p{share * 100:g}"}, seconds) for share, seconds in told.quantiles_s.items()],
    )


def _gauge(name: str, summary: str, rows: Rows) -> Iterator[str]:
    return _family("gauge", name, summary, rows)


def _counter(name: str, summary: str, rows: Rows) -> Iterator[str]:
    return _family("counter", name, summary, rows)


def _family(kind: str, name: str, summary: str, rows: Rows) -> Iterator[str]:
    yield f"# HELP edgefleet_{name} {summary}\n# TYPE edgefleet_{name} {kind}\n"
    for labels, value in rows:
        said = ",".join(f'{key}="{_escaped(text)}"' for key, text in labels.items())
        yield f"edgefleet_{name}{{{said}}} {value!r}\n" if said else f"edgefleet_{name} {value!r}\n"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
