"""Routes of the signed metadata: status, files, and the upload of metadata signed elsewhere."""

from __future__ import annotations

import time
from typing import Annotated

from fastapi import APIRouter, Path, Response

from edgefleet_server.api.context import Context, ContextDep
from edgefleet_server.api.schemas.models import trust as schemas
from edgefleet_server.db.registry import packages
from edgefleet_server.db.rollouts import rollouts
from edgefleet_server.registry.package_registry import signed_part
from edgefleet_server.registry.signing.keys import public_key

router = APIRouter(tags=["trust"])

RoleName = Annotated[str, Path(pattern=r"^[a-z][a-z0-9_-]{0,31}$", description="root, targets, snapshot, timestamp, or a team")]


@router.get("/trust", operation_id="get_trust")
def get_trust(context: ContextDep) -> schemas.TrustDetail:
    """Roles with their keys and expiry, signed packages, and packages that wait for a signature."""
    return _detail(context)


@router.get(
    "/trust/{role}.json",
    operation_id="get_trust_metadata",
    response_class=Response,
    responses={200: {"content": {"application/json": {}}}},
)
def get_trust_metadata(context: ContextDep, role: RoleName) -> Response:
    """The metadata of a role as it was signed; `root` is a device's initial root of trust."""
    return Response(context.trust.file(role), media_type="application/json")


@router.get("/trust/files", operation_id="get_trust_files")
def get_trust_files(context: ContextDep) -> list[schemas.TrustFile]:
    """All metadata files for devices: `edgefleet bundle export` writes them to the bundle."""
    return [schemas.TrustFile(name=name, text=data.decode()) for name, data in context.trust.offered_files(time.time())]


@router.post("/trust/targets", operation_id="post_signed_targets")
def post_signed_targets(context: ContextDep, body: schemas.SignedTargets) -> schemas.TrustDetail:
    """Store the list of packages that was signed elsewhere with the targets key."""
    context.trust.accept_targets(body.metadata.encode(), time.time(), body.role)
    _pause_withdrawn(context)
    return _detail(context)


@router.post("/trust/root", operation_id="post_signed_root")
def post_signed_root(context: ContextDep, body: schemas.SignedRoot) -> schemas.TrustDetail:
    """Store a root that was signed elsewhere, by the root keys of the present root and by its own. Devices follow."""
    context.trust.accept_root(body.metadata.encode(), time.time(), body.targets.encode() or None)
    return _detail(context)


@router.post("/trust/rotate", operation_id="rotate_trust_key")
def rotate_trust_key(context: ContextDep, body: schemas.KeyRotation) -> schemas.TrustDetail:
    """Give a role a new key, and revoke the old one on every device."""
    keys = [public_key(pem) for pem in (*body.public_keys, *([body.public_key] if body.public_key else []))]
    targets = body.targets.encode() if body.targets else None
    context.trust.rotate(body.role, time.time(), keys, targets, body.threshold)
    return _detail(context)


@router.post("/trust/withdraw", operation_id="withdraw_version")
def withdraw_version(context: ContextDep, body: schemas.VersionWithdrawal) -> schemas.TrustDetail:
    """Withdraw a signed version: devices that hear of it install it no more, however it is ordered. What runs it runs on, and
    running rollouts of it are paused. Requires the targets key on the server; otherwise sign the list elsewhere."""
    context.trust.withdraw(body.package, body.version, time.time(), keep_epoch=body.keep_epoch)
    _pause_withdrawn(context)
    return _detail(context)


def _pause_withdrawn(context: Context) -> None:
    """Pause rollouts of versions that were withdrawn: all that is left of them is refused by devices."""
    withdrawn = set(context.trust.withdrawn_paths())
    with context.database.write() as connection:
        paused = rollouts.pause_those_of(connection, withdrawn, time.time()) if withdrawn else []
    if paused:
        context.wake_engine()
        context.hub.touch(changed=paused)


def _detail(context: Context) -> schemas.TrustDetail:
    with context.database.read() as connection:
        known = [signed_part(record) for record in packages.list_all(connection)]
    withdrawn = context.trust.withdrawn_paths()
    roles = [schemas.TrustRole.model_validate(role) for role in context.trust.summary()]
    waiting = [
        schemas.UnsignedPackage(
            name=p.name, version=p.version, digest=p.digest, descriptor_bytes=p.descriptor_bytes, epoch=p.epoch
        )
        for p in known
        if p.path not in withdrawn and not context.trust.is_signed(p)
    ]
    return schemas.TrustDetail(roles=roles, signed=context.trust.signed_paths(), waiting=waiting, withdrawn=withdrawn)
