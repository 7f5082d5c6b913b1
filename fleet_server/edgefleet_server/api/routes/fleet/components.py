"""Routes of components: which devices have or run one, since when; dossiers."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter, Path, Query, Response

from edgefleet_server.api.context import ContextDep
from edgefleet_server.api.paging import Paging, PagingDep
from edgefleet_server.api.schemas.fleet import components as schemas
from edgefleet_server.api.services import component_search, dossiers
from edgefleet_server.api.services.component_search import Key
from edgefleet_server.db.backend.engine import raw
from edgefleet_server.db.components import searches
from edgefleet_server.domain.components.spans import ComponentSpan

router = APIRouter()

ZIP: Final = "application/zip"

Component = Annotated[schemas.ComponentName, Path(description="Canonical name, for example numpy")]
VersionQuery = Annotated[schemas.VersionSpec, Query(description="Specifiers of PEP 440, for example <3.0.7, or a version")]
SearchText = Annotated[str, Query(max_length=128, description="Text that the names contain")]


@router.get("/components", operation_id="list_components", tags=["fleet"])
def list_components(context: ContextDep, paging: PagingDep, text: SearchText = "") -> schemas.ComponentList:
    """Installed and running components: libraries beside the agents, models, systems, and what this server consists of."""
    with context.database.read() as connection:
        found = component_search.every(raw(connection), text.lower())
        coverage = searches.coverage(raw(connection))
    rows, more = paging.cut(found, lambda row: "/".join(row[0]))
    return schemas.ComponentList(items=[_version(*row) for row in rows], coverage=_coverage(coverage), next_after=more)


@router.get("/components/{component}", operation_id="list_component_devices", tags=["fleet"])
def list_component_devices(
    context: ContextDep,
    component: Component,
    version: VersionQuery = "",
    ended: Annotated[bool, Query(description="Devices that had it before, too")] = False,
    after: Annotated[str, Query(max_length=300, description="`next_after` of the page before")] = "",
    limit: Annotated[int, Query(ge=1, le=1000)] = 200,
) -> schemas.ComponentDetail:
    """Devices that have or run a component, since when, and until when; versions by specifiers of PEP 440."""
    with context.database.read() as connection:
        found = component_search.find(raw(connection), component, version, ended=ended)
    rows, more = Paging(after, limit).cut(found.spans, _span_key)
    return schemas.ComponentDetail(
        name=component,
        version=version,
        versions=[_version(*row) for row in found.versions],
        uncompared=found.uncompared,
        coverage=_coverage(found.coverage),
        items=[_device(span) for span in rows],
        next_after=more,
    )


@router.post(
    "/dossiers",
    operation_id="create_dossier",
    tags=["audit"],
    response_class=Response,
    responses={200: {"description": "A zip file", "content": {ZIP: {"schema": {"type": "string", "format": "binary"}}}}},
)
def create_dossier(context: ContextDep, body: schemas.DossierRequest) -> Response:
    """The facts that this server has about a component, for a notification by Article 14 of the EU Cyber Resilience Act: JSON,
    Markdown and bills in a zip file. It is neither sent nor stored; the audit log has that it was made."""
    with context.database.read() as connection:
        data = dossiers.make(connection, body, context.version)
    return Response(data, media_type=ZIP)


def _span_key(span: ComponentSpan) -> str:
    return f"{span.device} {span.kind} {span.slot} {span.since_at:020.6f} {span.version}"


def _device(span: ComponentSpan) -> schemas.ComponentDevice:
    return schemas.ComponentDevice.model_validate(
        {
            "device": span.device,
            "kind": span.kind,
            "version": span.version,
            "slot": span.slot,
            "since_at": span.since_at,
            "until_at": span.until_at,
            "current": span.current,
            "use": span.use,
            "evidence": span.evidence,
        }
    )


def _version(key: Key, devices: int, on_server: bool) -> schemas.ComponentVersion:
    kind, name, version = key
    return schemas.ComponentVersion.model_validate(
        {"kind": kind, "name": name, "version": version, "devices": devices, "on_server": on_server}
    )


def _coverage(found: searches.BillCoverage) -> schemas.ComponentCoverage:
    return schemas.ComponentCoverage(devices=found.devices, unknown=found.unknown, incomplete=found.incomplete)
