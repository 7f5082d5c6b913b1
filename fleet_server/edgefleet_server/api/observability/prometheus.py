"""`/metrics` for Prometheus. Requires the role viewer for all devices; a token once there are users."""

from __future__ import annotations

from collections.abc import Iterator

from fastapi import APIRouter, Request
from starlette.responses import PlainTextResponse, Response

from edgefleet_contract.encoding.metrics_text import TEXT_TYPE, Family, write_metrics
from edgefleet_server.api.context import Context, ContextDep
from edgefleet_server.api.middleware.authorization import caller_of
from edgefleet_server.db.alerting import notices
from edgefleet_server.db.backend.engine import raw
from edgefleet_server.db.devices import restrictions
from edgefleet_server.db.telemetry import alerts, metric_counts, retention
from edgefleet_server.domain.policy.roles import Role

router = APIRouter()


@router.get("/metrics", include_in_schema=False)
async def get_metrics(request: Request, context: ContextDep) -> Response:
    """Metrics of the server and the fleet in the text format of Prometheus."""
    caller = await caller_of(context, request.scope)
    if caller is not None and not caller.grants.everywhere_as(Role.VIEWER):
        return PlainTextResponse("the metrics are about all devices; they require the role viewer for all devices\n", 403)
    if caller is None:
        refusal = (
            "an API token is required: create one with `edgefleet user token create`, then set"
            " `authorization: {credentials: …}` in Prometheus\n"
        )
        return PlainTextResponse(refusal, 401, {"WWW-Authenticate": "Bearer"})
    return PlainTextResponse(write_metrics(families(context)), media_type=TEXT_TYPE)


def families(context: Context) -> Iterator[Family]:
    """The current values of all metrics."""
    counted = context.counts.devices()
    counts, versions = counted.by_status, counted.versions
    with context.database.read() as connection:
        db = raw(connection)
        rollouts, attempts = metric_counts.rollouts(db), metric_counts.attempts(db)
        open_alerts = alerts.count_open(db)
        waiting, summarized = notices.counts(db)
        rows = metric_counts.newest_ids(db)
        kinds = retention.retained_summary(connection)
        restricted = restrictions.count(connection)
        warnings = context.storage_warnings(connection)
    states = ("online", "offline", "updating", "attention", "on_target", "flapping")
    yield Family("gauge", "edgefleet_devices", "Devices known to the server", [({}, counts["devices_total"])])
    yield Family(
        "gauge", "edgefleet_devices_in", "Devices by fact; the facts overlap", [({"fact": fact}, counts[fact]) for fact in states]
    )
    yield Family(
        "gauge",
        "edgefleet_devices_throttled",
        "Devices that are restricted because of what they send, by state",
        [({"state": state}, count) for state, count in restricted.items()],
    )
    yield Family(
        "gauge",
        "edgefleet_slot_devices",
        "Devices that run a version",
        [({name: row[name] for name in ("slot", "package", "version")}, row["count"]) for row in versions],
    )
    yield Family(
        "gauge", "edgefleet_rollouts", "Rollouts by state", [({"state": state}, count) for state, count in rollouts.items()]
    )
    yield Family(
        "gauge",
        "edgefleet_rollout_attempts",
        "Attempts of rollouts that are at work, by state",
        [({"rollout": str(number), "state": state}, count) for (number, state), count in attempts.items()],
    )
    yield Family("gauge", "edgefleet_alerts_open", "Alerts that go on", [({}, open_alerts)])
    yield Family("gauge", "edgefleet_notices_waiting", "Notices of alerts that are not delivered yet", [({}, waiting)])
    yield Family(
        "gauge",
        "edgefleet_notices_summarized",
        "Notices without room in the queue of their recipient, counted by the stored summaries",
        [({}, summarized)],
    )
    yield Family(
        "counter", "edgefleet_telemetry_records_total", "Samples stored since the database was made", [({}, rows["telemetry"])]
    )
    yield Family("counter", "edgefleet_events_total", "Events stored since the database was made", [({}, rows["event"])])
    yield Family(
        "gauge", "edgefleet_telemetry_per_second", "Samples stored a second, over the last ten", [({}, context.samples_per_s())]
    )
    yield from _ingest(context)
    yield Family(
        "gauge", "edgefleet_database_damaged", "Whether a damaged page was read", [({}, float(bool(context.database.damage)))]
    )
    yield Family(
        "gauge",
        "edgefleet_database_unwritable",
        "Whether the latest write was refused, for example by a full disk",
        [({}, float(context.database.refused_writes is not None))],
    )
    yield Family("gauge", "edgefleet_broker_up", "Whether the broker answers", [({}, float(context.broker_up()))])
    yield Family(
        "gauge",
        "edgefleet_broker_devices_max",
        "Devices the broker can have connected; 0 = not known",
        [({}, context.devices_max)],
    )
    blocks = context.block_traffic()
    yield Family(
        "counter", "edgefleet_block_bytes_total", "Bytes of models sent over MQTT since the start", [({}, blocks.sent_bytes)]
    )
    yield Family(
        "gauge",
        "edgefleet_storage_warnings",
        "Reasons why stored data is damaged, could be lost or is not taken",
        [({}, len(warnings))],
    )
    yield Family("gauge", "edgefleet_database_bytes", "Length of the database", [({}, context.database.length_bytes())])
    yield Family(
        "gauge",
        "edgefleet_job_seconds",
        "How long the latest turn of a background job took",
        [({"job": job.name}, job.took_s) for job in context.jobs()],
    )
    yield Family(
        "counter",
        "edgefleet_retention_removed_total",
        "What went by age or number, by kind, since the database was made",
        [({"kind": kind["kind"]}, kind["removed"]) for kind in kinds],
    )
    yield Family(
        "gauge",
        "edgefleet_retention_time_seconds",
        "When retention last looked",
        [({"kind": kind["kind"]}, kind["at"]) for kind in kinds],
    )
    yield Family(
        "gauge",
        "edgefleet_retention_failing",
        "Whether retention could not do its work then",
        [({"kind": kind["kind"]}, float(bool(kind["problem"]))) for kind in kinds],
    )
    yield Family("gauge", "edgefleet_start_time_seconds", "When the server started", [({}, context.started_at)])


def _ingest(context: Context) -> Iterator[Family]:
    measured = context.ingest()
    yield Family("counter", "edgefleet_messages_total", "Messages taken from the wire since the start", [({}, measured.messages)])
    yield Family(
        "counter",
        "edgefleet_messages_refused_total",
        "Messages or records that are not of the contract",
        [({}, measured.refused)],
    )
    yield Family(
        "counter",
        "edgefleet_messages_dropped_total",
        "Messages and requests dropped at receipt: over the quota of their device, or without room in a queue",
        [({}, measured.dropped)],
    )
    yield Family("gauge", "edgefleet_ingest_queue", "Messages that wait to be stored", [({}, measured.waiting)])
    yield Family(
        "gauge",
        "edgefleet_ingest_seconds",
        "From the wire to the commit, over the last minute",
        [({"share": f"p{share * 100:g}"}, seconds) for share, seconds in measured.quantiles_s.items()],
    )
