"""More of the model registry: channels, coverage, retention."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Body, Path, Query, Response

from edgefleet_contract.capabilities import lacking, required_by
from edgefleet_contract.package.manifest import Manifest
from edgefleet_contract.package.profile import choose_variant
from edgefleet_server.api.caller import CallerDep
from edgefleet_server.api.context import ContextDep
from edgefleet_server.api.paging import PagingDep
from edgefleet_server.api.schemas.fields import Name, Version
from edgefleet_server.api.schemas.models import registry as schemas
from edgefleet_server.db.registry import channels, coverage, packages
from edgefleet_server.db.registry.channels import ChannelMove
from edgefleet_server.domain.policy.version_retention import Verdict
from edgefleet_server.domain.rollout.planning import why_unfit
from edgefleet_server.registry.package_registry import lengths_of, manifest_of

router = APIRouter(tags=["models"])

Model = Annotated[Name, Path(description="Name of a model")]
ChannelPath = Annotated[schemas.ChannelName, Path(description="Name of a channel, for example stable")]


@router.get("/channels", operation_id="list_channels")
def list_channels(context: ContextDep, paging: PagingDep, model: Name | None = None) -> schemas.ChannelList:
    """Channels, of one model or of all."""
    with context.database.read() as connection:
        found = channels.list_all(connection) if model is None else channels.of_model(connection, model)
    rows, more = paging.cut(found, lambda row: f"{row['model']}/{row['channel']}")
    return schemas.ChannelList(items=[schemas.Channel(**row) for row in rows], next_after=more)


@router.put("/channels/{model}/{channel}", operation_id="set_channel")
def set_channel(
    context: ContextDep, caller: CallerDep, model: Model, channel: ChannelPath, body: schemas.ChannelRequest
) -> schemas.Channel:
    """Let a channel point to a version. This starts no rollout; rollouts created from now on use this version."""
    with context.database.write() as connection:
        channels.point(connection, model, channel, body.version, ChannelMove(caller.name, time.time(), body.note))
        row = next(row for row in channels.of_model(connection, model) if row["channel"] == channel)
    return schemas.Channel(**row)


@router.delete("/channels/{model}/{channel}", operation_id="remove_channel", status_code=204)
def remove_channel(context: ContextDep, caller: CallerDep, model: Model, channel: ChannelPath) -> Response:
    """Delete a channel; its history stays."""
    with context.database.write() as connection:
        channels.remove(connection, model, channel, ChannelMove(caller.name, time.time()))
    return Response(status_code=204)


@router.get("/channels/{model}/{channel}/history", operation_id="get_channel_history")
def get_channel_history(
    context: ContextDep,
    model: Model,
    channel: ChannelPath,
    before_id: Annotated[int, Query(ge=1, le=2**62, description="`next_before_id` of the page before")] | None = None,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> schemas.ChannelHistory:
    """The history of a channel, newest first: its versions and the users who changed it."""
    with context.database.read() as connection:
        rows = channels.history(connection, model, channel, limit, before_id)
    items = [schemas.ChannelMove(**row) for row in rows]
    return schemas.ChannelHistory(items=items, next_before_id=items[-1].id if len(items) == limit else None)


@router.get("/models/{name}/{version}/coverage", operation_id="get_coverage")
def get_coverage(context: ContextDep, name: Name, version: Version) -> schemas.Coverage:
    """The coverage of the fleet by this version: for each kind of device, the variant that it would take or the reason why
    there is none, the measured speed, and the rollouts of the version."""
    with context.database.read() as connection:
        record = packages.find(connection, name, version)
        kinds = coverage.kinds(connection, record["digest"])
        measured = coverage.measured(connection, record["digest"])
        rollouts = coverage.rolled_out(connection, record["digest"])
    rows = _coverage_rows(manifest_of(record), lengths_of(record), kinds)
    for row in rows:
        row.measured = [schemas.Measured(**found) for found in measured.get(row.profile, [])]
    there = {kind["profile"] for kind in kinds}
    elsewhere = {name: [schemas.Measured(**row) for row in found] for name, found in measured.items() if name not in there}
    return schemas.Coverage(
        devices=sum(row.devices for row in rows),
        covered=sum(row.devices for row in rows if row.variant is not None),
        rows=rows,
        measured_elsewhere=elsewhere,
        rollouts=[schemas.RolledOut(**row) for row in rollouts],
    )


def _coverage_rows(
    manifest: Manifest, lengths: Mapping[str, int], kinds: Sequence[Mapping[str, Any]]
) -> list[schemas.CoverageRow]:
    """A row for each profile, runtimes and reason; those of most devices first."""
    rows: dict[tuple[str, tuple[str, ...], str], schemas.CoverageRow] = {}
    required = required_by(manifest)
    for kind in kinds:
        profile, runtimes = kind["profile"], kind["runtimes"]
        reason = why_unfit(manifest, profile, runtimes, lacking(required, kind["capabilities"], kind["agent_version"]))
        chosen = None if reason else choose_variant(manifest, profile, runtimes)
        row = rows.setdefault(
            (profile, tuple(runtimes), reason),
            schemas.CoverageRow(
                profile=profile,
                runtimes=runtimes,
                devices=0,
                online=0,
                running=0,
                variant=chosen[0].name if chosen else None,
                runtime=chosen[1] if chosen else None,
                precision=chosen[0].precision if chosen else "",
                length_bytes=sum(lengths.get(path, 0) for path in manifest.paths_for(chosen[0])) if chosen else 0,
                reason=reason,
                measured=[],
            ),
        )
        row.devices += kind["devices"]
        row.online += kind["online"]
        row.running += kind["running"]
    return sorted(rows.values(), key=lambda row: (-row.devices, row.profile, row.runtimes))


@router.post("/models/prune", operation_id="prune_models")
def prune_models(
    context: ContextDep, body: Annotated[schemas.PruneRequest, Body(default_factory=schemas.PruneRequest)]
) -> schemas.Pruned:
    """Retire old versions, or list those that would be retired. Regardless of its age, a version stays if a device runs it, is
    assigned or pinned to it, or has it in quarantine, if a channel points to it, or if an active rollout needs it."""
    now = time.time()
    found = context.registry.prune(body.model, body.keep, body.age_s, now, dry_run=body.dry_run)
    freed_bytes = 0 if body.dry_run else context.registry.collect(now)[1]
    return schemas.Pruned(
        dry_run=body.dry_run,
        retired=[_judged(verdict) for verdict in found if not verdict.reason],
        retained=[_judged(verdict) for verdict in found if verdict.reason],
        freed_bytes=freed_bytes,
    )


def _judged(verdict: Verdict) -> schemas.Judged:
    version = verdict.version
    return schemas.Judged(
        model=version.model,
        version=version.version,
        digest=version.digest,
        length_bytes=version.length_bytes,
        reason=verdict.reason,
    )
