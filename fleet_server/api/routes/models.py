"""The model registry."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, File, Path, Response, UploadFile
from fastapi.responses import FileResponse

from fleet_server.api import schemas
from fleet_server.api.context import ContextDep
from fleet_server.api.fields import Name, Version

router = APIRouter(tags=["models"])


@router.get("/models", operation_id="list_models")
def list_models(context: ContextDep) -> schemas.ModelList:
    """Every model with its versions."""
    raise NotImplementedError


@router.get("/models/{name}/{version}", operation_id="get_model")
def get_model(context: ContextDep, name: Name, version: Version) -> schemas.ModelDetail:
    """One version with its files, provenance and rollouts."""
    raise NotImplementedError


@router.post(
    "/models",
    operation_id="push_model",
    status_code=201,
    responses={200: {"model": schemas.ModelVersion, "description": "The same content is there already"}, 409: {"model": schemas.Problem}},
)
def push_model(
    context: ContextDep,
    response: Response,
    package: Annotated[UploadFile, File(description="A .tar of the package folder, model.toml at its root")],
) -> schemas.ModelVersion:
    """Check a package and keep it. A version never changes: the same version with other content is refused."""
    raise NotImplementedError


@router.get("/blobs/{sha256}", operation_id="get_blob", response_class=FileResponse)
def get_blob(context: ContextDep, sha256: Annotated[str, Path(pattern=r"^[0-9a-f]{64}$")]) -> FileResponse:
    """The bytes of a file of a package; Range is answered."""
    raise NotImplementedError
