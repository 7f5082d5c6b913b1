"""Converts database rows to API bodies, for the routes and the live stream alike."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from edgefleet_contract.capabilities import required_by
from edgefleet_contract.package.shadow import shadowed
from edgefleet_server.api.counts.fleet_counts import DAY_S, DeviceCounts
from edgefleet_server.api.schemas.admin.health import ServerInfo
from edgefleet_server.api.schemas.fleet.alerts import FigureSummary
from edgefleet_server.api.schemas.fleet.devices import DeviceDetail
from edgefleet_server.api.schemas.fleet.events import EventRow
from edgefleet_server.api.schemas.fleet.overview import Overview, VersionShare
from edgefleet_server.api.schemas.models.models import ModelDetail, ModelRow, ModelVersion
from edgefleet_server.api.schemas.rollouts import rollouts as rollout_schemas
from edgefleet_server.api.schemas.rollouts.shadows import ShadowDevice, ShadowReport, ShadowSummary
from edgefleet_server.core.errors import NotFoundError
from edgefleet_server.db.backend.engine import Connection, raw
from edgefleet_server.db.devices import devices
from edgefleet_server.db.registry import packages
from edgefleet_server.db.rollouts import attempts as tries
from edgefleet_server.db.rollouts import rollouts, shadows
from edgefleet_server.db.rollouts import snapshots as past
from edgefleet_server.db.rollouts.terms import gate
from edgefleet_server.db.telemetry import alerts, event_reviews, events
from edgefleet_server.domain.policy.version_retention import rank
from edgefleet_server.domain.statistics import rollout_replay
from edgefleet_server.domain.statistics import shadows as candidates
from edgefleet_server.domain.statistics.regression_check import RegressionLimits
from edgefleet_server.domain.statistics.summaries import MINUTE_S, Summary
from edgefleet_server.registry.package_registry import lengths_of, manifest_of, notes_of
from edgefleet_server.registry.pipelines import is_pipeline

ATTEMPTS_SHOWN = 20
CHANGES_MAX = 200
FIGURE_DIGITS = 4


def overview(connection: Connection, counted: DeviceCounts, server: ServerInfo, samples_per_s: float) -> Overview:
    """The counts for the whole fleet."""
    return Overview(
        **counted.by_status,
        versions=[VersionShare(**row) for row in counted.versions],
        alerts_open=alerts.count_open(raw(connection)),
        rollouts_active=rollouts.count_active(connection),
        events_24h=counted.events_24h,
        telemetry_per_s=round(samples_per_s, 2),
        server=server,
    )


def overview_of(
    connection: Connection,
    whole: Overview,
    ids: Collection[str],
    groups: Collection[str],
    seen: Callable[[str], bool],
    now: float,
) -> Overview:
    """The overview of a caller with roles for groups: the same counts, of its devices. `seen`: whether it sees the subject of an
    alert."""
    return Overview(
        **devices.counts(connection, ids),
        versions=[VersionShare(**row) for row in devices.versions(connection, ids)],
        alerts_open=sum(map(seen, alerts.open_subjects(raw(connection)))),
        rollouts_active=rollouts.count_active(connection, groups),
        events_24h=events.count_since(connection, now - DAY_S, ids),
        telemetry_per_s=round(devices.samples_since(connection, now - MINUTE_S, ids) / MINUTE_S, 2),
        server=whole.server.model_copy(update={"label_warnings": []}),
    )


def device_detail(connection: Connection, device: str, now: float) -> DeviceDetail:
    """All data about one device, with its latest attempts.

    Raises:
        NotFoundError: the device is unknown.
    """
    record = devices.detail(connection, device)
    record["attempts"] = tries.attempts_of(connection, device, ATTEMPTS_SHOWN, now)
    return DeviceDetail.model_validate(record)


def rollout(connection: Connection, number: int, figures_of: rollouts.FiguresOf) -> rollout_schemas.Rollout:
    """One rollout.

    Raises:
        NotFoundError: there is no such rollout.
    """
    record = rollouts.get(connection, number, figures_of)
    named = [packages.by_digest(connection, part["digest"]) for part in record["parts"]]
    return rollout_schemas.Rollout.model_validate({**record, "notes": [note for each in named for note in notes_of(each)]})


def history(connection: Connection, number: int, steps: int, now: float) -> rollout_schemas.RolloutHistory:
    """The states of a rollout in `steps` even steps and at every change.

    Raises:
        NotFoundError: there is no such rollout.
    """
    record = rollouts.get(connection, number, rollouts.current_figures(connection, now))
    story = past.story(connection, number)
    first, last = rollout_replay.span(record["created_at"], record["finished_at"], story, now)
    even = [first + (last - first) * step / (steps - 1) for step in range(steps)]
    at = sorted({*even, *(change.at for change in story[:CHANGES_MAX])})
    indices = past.waves(connection, number)
    found = rollout_replay.history_points(at, indices, story, past.attempts(connection, number))
    return rollout_schemas.RolloutHistory.model_validate(
        {"names": [wave["name"] for wave in record["waves"]], "points": [asdict(point) for point in found]}
    )


def shadow(connection: Connection, number: int, now: float) -> ShadowReport:
    """The comparison of a rollout's shadow candidate with the incumbent.

    Raises:
        NotFoundError: there is no such rollout, or it has no shadow candidate.
    """
    record = rollouts.get(connection, number, rollouts.current_figures(connection, now))
    slot = next((found for part in record["parts"] if (found := shadowed(part["slot"]))), None)
    if slot is None:
        raise NotFoundError(f"rollout {number} is not a shadow rollout; create one with `edgefleet rollout create … --shadow`")
    limits = gate(record["gate"]).regressions
    return shadow_report(slot, limits, shadows.comparisons(raw(connection), number, now))


def shadow_report(slot: str, limits: RegressionLimits | None, found: Sequence[candidates.ShadowComparison]) -> ShadowReport:
    """Summary of the telemetry of devices."""
    overall, *profiles = [ShadowSummary.model_validate(asdict(each)) for each in candidates.summaries(found, limits)]
    return ShadowReport(
        slot=slot,
        agreement_percent_min=limits.agreement_percent_min if limits else None,
        samples_min=(limits or RegressionLimits()).samples_min,
        overall=overall,
        profiles=profiles,
        worst=[ShadowDevice.model_validate(asdict(one)) for one in candidates.worst(found)],
    )


def event_row(row: events.Raw, review: event_reviews.EventReview | None = None) -> EventRow:
    """One event."""
    fields = {"id": row[0], "device": row[1], "received_at": row[2], "event": json.loads(row[3]), "evidence": []}
    return EventRow.model_validate({**fields, "review": asdict(review) if review is not None else None})


def model_version(record: Mapping[str, Any], running: Mapping[str, int]) -> ModelVersion:
    """One version of a model, as a row of a list."""
    return ModelVersion.model_validate(_version(record, running))


def model_detail(
    connection: Connection, record: Mapping[str, Any], ids: Collection[str] | None, groups: Collection[str] | None
) -> ModelDetail:
    """One version of a model with its files and the rollouts that the caller sees."""
    numbers = None if groups is None else rollouts.of_groups(connection, groups)
    manifest = manifest_of(dict(record))
    return ModelDetail.model_validate(
        {
            **_version(record, packages.running_on(connection, ids)),
            "files": record["files"],
            "provenance": manifest.provenance,
            "head": {"family": manifest.head.family, "params": manifest.head.params},
            "rollouts": packages.rollouts_of(connection, record["digest"], numbers),
        }
    )


def models(connection: Connection, ids: Collection[str] | None) -> list[ModelRow]:
    """Every model with its versions, newest first."""
    running = packages.running_on(connection, ids)
    by_name: dict[str, list[ModelVersion]] = {}
    for record in packages.list_all(connection):
        if is_pipeline(record):
            continue
        by_name.setdefault(record["name"], []).append(model_version(record, running))
    rows = []
    for name, versions in by_name.items():
        versions.sort(key=lambda version: rank(version.version), reverse=True)
        latest = versions[0]
        rows.append(ModelRow(name=name, title=latest.title, task=latest.task, latest=latest.version, versions=versions))
    return rows


def _version(record: Mapping[str, Any], running: Mapping[str, int]) -> dict[str, Any]:
    manifest = manifest_of(dict(record))
    lengths = lengths_of(dict(record))
    return {
        **{name: record[name] for name in ("name", "version", "digest", "created_at", "length_bytes")},
        **{name: getattr(manifest, name) for name in ("title", "task", "description", "licence", "card", "epoch")},
        **{name: getattr(manifest, name) for name in ("labels", "labels_file")},
        "variants": [
            {
                **{name: getattr(variant, name) for name in ("name", "format", "precision", "runtimes", "profiles")},
                "length_bytes": sum(lengths.get(path, 0) for path in manifest.paths_for(variant)),
            }
            for variant in manifest.variants
        ],
        "requires": required_by(manifest),
        "golden_count": len(manifest.golden),
        "running_on": running.get(record["digest"], 0),
    }


def figure_summary(summary: Summary) -> FigureSummary:
    """A figure over a span, as the API has it."""
    return FigureSummary(
        count=summary.count,
        mean=round(summary.mean, FIGURE_DIGITS),
        low=summary.low,
        high=summary.high,
        p50=round(summary.quantile(0.5), FIGURE_DIGITS),
        p95=round(summary.quantile(0.95), FIGURE_DIGITS),
    )
