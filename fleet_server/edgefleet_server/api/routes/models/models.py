"""The model registry."""

from __future__ import annotations

import time
from typing import Annotated, Final

from fastapi import APIRouter, File, Header, Path, Response, UploadFile
from fastapi.responses import FileResponse

from edgefleet_contract.wire.download_tickets import TICKET_SCHEME
from edgefleet_server.api.context import Context, ContextDep
from edgefleet_server.api.device_scope import DeviceScopeDep
from edgefleet_server.api.paging import PagingDep
from edgefleet_server.api.presenters import views
from edgefleet_server.api.schemas.fields import Name, Problem, Version
from edgefleet_server.api.schemas.models.models import ModelDetail, ModelList, ModelVersion
from edgefleet_server.core.errors import NotFoundError
from edgefleet_server.db.registry import packages
from edgefleet_server.domain.components.model_bill import model_bill
from edgefleet_server.registry.package_registry import files_of, manifest_of

router = APIRouter(tags=["models"])

CYCLONE_DX: Final = "application/vnd.cyclonedx+json"

Sha256 = Annotated[str, Path(pattern=r"^[0-9a-f]{64}$")]


@router.get("/models", operation_id="list_models")
def list_models(context: ContextDep, scope: DeviceScopeDep, paging: PagingDep) -> ModelList:
    """Every model with its versions, by name."""
    with context.database.read() as connection:
        rows, more = paging.cut(views.models(connection, scope.ids), lambda row: row.name)
    return ModelList(items=rows, next_after=more)


@router.get("/models/{name}/{version}", operation_id="get_model")
def get_model(context: ContextDep, scope: DeviceScopeDep, name: Name, version: Version) -> ModelDetail:
    """One version with its files, provenance and rollouts."""
    with context.database.read() as connection:
        return views.model_detail(connection, packages.find(connection, name, version), scope.ids, scope.groups)


@router.get(
    "/models/{name}/{version}/sbom",
    operation_id="get_model_sbom",
    response_class=Response,
    responses={200: {"description": "CycloneDX 1.6", "content": {CYCLONE_DX: {"schema": {"type": "string"}}}}},
)
def get_model_sbom(context: ContextDep, name: Name, version: Version) -> Response:
    """The bill of materials of a version in CycloneDX 1.6: licence, files with SHA-256, variants, digests of data sets. The same
    version always has the same bytes."""
    with context.database.read() as connection:
        record = packages.find(connection, name, version)
    return Response(model_bill(manifest_of(record), files_of(record), record["digest"]), media_type=CYCLONE_DX)


@router.post(
    "/models",
    operation_id="push_model",
    status_code=201,
    responses={
        200: {"model": ModelVersion, "description": "The same content is there already"},
        409: {"model": Problem, "description": "The version exists with other content"},
    },
)
def push_model(
    context: ContextDep,
    response: Response,
    package: Annotated[UploadFile, File(description="A .tar of the package folder, model.toml at its root")],
) -> ModelVersion:
    """Check a package and store it. A version is immutable: the same version with other content is refused."""
    pushed = context.registry.push(package.file, time.time())
    if not pushed.new:
        response.status_code = 200
    with context.database.read() as connection:
        record = packages.find(connection, pushed.name, pushed.version)
        return views.model_version(record, packages.running_on(connection))


@router.get("/blobs/{sha256}", operation_id="get_blob", response_class=FileResponse)
def get_blob(context: ContextDep, sha256: Sha256) -> FileResponse:
    """The bytes of a file of a package; supports Range requests."""
    return _blob(context, sha256)


@router.get("/device-blobs/{sha256}", operation_id="get_device_blob", response_class=FileResponse)
def get_device_blob(
    context: ContextDep, sha256: Sha256, authorization: Annotated[str, Header(max_length=1024)] = ""
) -> FileResponse:
    """For devices: the same bytes, authorised by a download ticket, `Authorization: Edgefleet-Ticket TOKEN`."""
    scheme, _, token = authorization.partition(" ")
    context.tickets.check(token if scheme == TICKET_SCHEME else "", sha256, time.time())
    return _blob(context, sha256)


def _blob(context: Context, sha256: str) -> FileResponse:
    path = context.blobs.path(sha256)
    if not path.is_file():
        raise NotFoundError(f"no blob {sha256}; `edgefleet model show NAME VERSION` lists the files of a package")
    headers = {"Cache-Control": "private, max-age=31536000, immutable"}
    return FileResponse(path, media_type="application/octet-stream", headers=headers)
