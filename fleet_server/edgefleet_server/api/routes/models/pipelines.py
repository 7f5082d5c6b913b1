"""Routes of pipelines: versioned documents, validated by the devices' own code, signed and rolled out like models."""

from __future__ import annotations

import time
from typing import Any, Final

from fastapi import APIRouter, Response

from edgefleet_contract.core.errors import PipelineError
from edgefleet_contract.core.fault_text import fault_text
from edgefleet_contract.encoding.codec import to_plain
from edgefleet_contract.pipeline.fleet_pipeline import FleetPipeline, pipeline_slot
from edgefleet_server.api.context import Context, ContextDep
from edgefleet_server.api.device_scope import DeviceScopeDep
from edgefleet_server.api.paging import PagingDep
from edgefleet_server.api.schemas.fields import Name, Problem, Version
from edgefleet_server.api.schemas.models import pipelines as schemas
from edgefleet_server.core.errors import InputError, NotFoundError, StoreError
from edgefleet_server.db.backend.engine import Connection
from edgefleet_server.db.registry import packages
from edgefleet_server.domain.fleet.pipeline_text import write_pipeline
from edgefleet_server.domain.policy.version_retention import rank
from edgefleet_server.registry import pipelines as documents
from edgefleet_server.registry.package_registry import signed_part

router = APIRouter(tags=["pipelines"])

TAKEN: Final[dict[int | str, dict[str, Any]]] = {
    200: {"model": schemas.PipelineDocument, "description": "The latest version says the same"},
    409: {"model": Problem, "description": "The version exists with other content"},
}


@router.get("/pipelines", operation_id="list_pipelines")
def list_pipelines(context: ContextDep, scope: DeviceScopeDep, paging: PagingDep) -> schemas.PipelineList:
    """Every pipeline of the fleet with its versions, by name."""
    with context.database.read() as connection:
        running = packages.running_on(connection, scope.ids)
        rows = [record for record in packages.list_all(connection) if documents.is_pipeline(record)]
    by_name: dict[str, list[dict[str, Any]]] = {}
    for record in rows:
        by_name.setdefault(record["name"], []).append(record)
    shown, more = paging.cut(by_name.items(), lambda item: item[0])
    return schemas.PipelineList(items=[_row(context, name, records, running) for name, records in shown], next_after=more)


@router.post("/pipelines/check", operation_id="check_pipeline")
def check_pipeline(body: schemas.PipelineDraft) -> schemas.PipelineCheck:
    """Validate a document without storing it: returns its first problem with its place, and the document as text and as data."""
    text = _text(body.text, body.spec)
    checked = documents.check(text)
    problem, effective = checked.problem, None
    if checked.document is not None and body.device:
        spec = checked.document.for_device(body.device)
        effective = to_plain(spec.work()) if spec is not None else None
    plain = checked.plain
    name = plain.get("name") if plain is not None else None
    return schemas.PipelineCheck(
        ok=problem is None,
        name=name if isinstance(name, str) else "",
        text=text,
        spec=plain,
        effective=effective,
        problem=schemas.PipelineProblem(text=problem.text, line=problem.line, path=list(problem.path)) if problem else None,
    )


@router.post("/pipelines", operation_id="create_pipeline", status_code=201, responses=TAKEN)
def create_pipeline(context: ContextDep, response: Response, body: schemas.NewPipeline) -> schemas.PipelineDocument:
    """Validate a document, store it as a new version, and sign it. If its content equals the latest version, returns that one."""
    text = _text(body.text, body.spec)
    document = _valid(text)
    name = pipeline_slot(document.spec.name)
    with context.database.read() as connection:
        latest = _latest(connection, name)
    if latest is not None and body.version is None and _read(context, latest) == text:
        response.status_code = 200
        version = latest["version"]
    else:
        version = body.version or (documents.following(latest["version"]) if latest else documents.FIRST_VERSION)
        pushed = context.registry.push(documents.package_of(document, text, version, body.note), time.time())
        if not pushed.new:
            response.status_code = 200
    with context.database.read() as connection:
        return _document(context, connection, packages.find(connection, name, version))


@router.get("/pipelines/{name}", operation_id="get_pipeline")
def get_pipeline(context: ContextDep, name: Name, version: Version | None = None) -> schemas.PipelineDocument:
    """The document of a version; without `version`, of the latest one."""
    package = pipeline_slot(name)
    with context.database.read() as connection:
        latest = _latest(connection, package)
        if latest is None:
            raise NotFoundError(f"no pipeline {name!r}; `edgefleet pipeline list` lists the pipelines")
        record = packages.find(connection, package, version) if version else latest
        return _document(context, connection, record)


def _text(text: str | None, spec: dict[str, Any] | None) -> str:
    if (text is None) == (spec is None):
        raise InputError("specify either `text` or `spec`")
    return text if text is not None else write_pipeline(spec or {})


def _valid(text: str) -> FleetPipeline:
    checked = documents.check(text)
    if checked.document is None or checked.problem is not None:
        problem = checked.problem
        line = f"line {problem.line}: " if problem and problem.line else ""
        raise PipelineError(f"{line}{problem.text if problem else 'not a pipeline'}")
    return checked.document


def _latest(connection: Connection, package: str) -> dict[str, Any] | None:
    versions = [record for record in packages.list_all(connection) if record["name"] == package]
    return max(versions, key=lambda record: rank(record["version"]), default=None)


def _row(context: Context, slot: str, records: list[dict[str, Any]], running: dict[str, int]) -> schemas.PipelineRow:
    records.sort(key=lambda record: rank(record["version"]), reverse=True)
    versions = [schemas.PipelineVersion(**_version(context, record, running)) for record in records]
    name = records[0]["manifest"]["title"] or slot
    total = sum(version.running_on for version in versions)
    return schemas.PipelineRow(name=name, slot=slot, latest=versions[0].version, running_on=total, versions=versions)


def _version(context: Context, record: dict[str, Any], running: dict[str, int]) -> dict[str, Any]:
    return {
        **{key: record[key] for key in ("version", "digest", "created_at")},
        "note": record["manifest"].get("description", ""),
        "running_on": running.get(record["digest"], 0),
        "signed": context.trust.is_signed(signed_part(record)),
    }


def _document(context: Context, connection: Connection, record: dict[str, Any]) -> schemas.PipelineDocument:
    text = _read(context, record)
    checked = documents.check(text)
    devices = checked.document.devices if checked.document is not None else []
    version = _version(context, record, packages.running_on(connection))
    name = checked.document.spec.name if checked.document is not None else record["name"]
    return schemas.PipelineDocument(
        **version, name=name, slot=record["name"], text=text, spec=checked.plain or {}, devices=devices
    )


def _read(context: Context, record: dict[str, Any]) -> str:
    try:
        return documents.text_of(record, context.blobs)
    except OSError as error:
        raise StoreError(
            f"the document of {record['name']}@{record['version']} cannot be read ({fault_text(error)}); restore it"
        ) from error
