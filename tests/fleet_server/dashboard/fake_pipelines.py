"""Pipelines of the fake fleet: real documents, checked by the real code; pictures of the rendered belt."""

from __future__ import annotations

import hashlib
import time
import uuid
from typing import Any

from fastapi import APIRouter, HTTPException, Request, Response

from edgefleet_contract.encoding.codec import to_plain
from edgefleet_server.api.routes.fleet.snapshots import PictureRequest
from edgefleet_server.api.schemas.fleet.devices import CommandRow
from edgefleet_server.api.schemas.models import pipelines as schemas
from edgefleet_server.domain.fleet.pipeline_text import write_pipeline
from edgefleet_server.registry import pipelines as documents
from tests.fleet_server.dashboard.fake_pictures import snapshot

routes = APIRouter(prefix="/api/v1")
WIDTH, HEIGHT = 480, 360

BELT = """\
name = "belt"

[source]
kind = "device"

[[stages]]
name = "find"
kind = "detect"
model = "slot:detector"
min_score = 0.5

[[stages]]
name = "follow"
kind = "track"
from = "find"

[[zones]]
name = "reject"
polygon = [[0.62, 0.2], [0.95, 0.2], [0.95, 0.8], [0.62, 0.8]]

[[lines]]
name = "gate"
points = [[0.5, 0.05], [0.5, 0.95]]
forward = "in"
backward = "back"

[[rules]]
name = "parts"
kind = "line"
line = "gate"

[[rules]]
name = "jam"
kind = "loiter"
zone = "reject"
after_s = 20.0
"""


class Shelf:
    """Versions of documents by name, oldest first."""

    def __init__(self) -> None:
        now = time.time()
        first = BELT.replace("after_s = 20.0", "after_s = 30.0")
        self.versions: dict[str, list[dict[str, Any]]] = {"belt": [self.row("1.0.0", first, "first try", now - 9 * 86400, 3)]}
        self.versions["belt"].append(self.row("1.0.1", BELT, "a jam is told sooner", now - 86400, 41))

    def row(self, version: str, text: str, note: str, at: float, running: int = 0) -> dict[str, Any]:
        """A version."""
        digest = hashlib.sha256(text.encode()).hexdigest()
        return {
            "version": version,
            "digest": digest,
            "note": note,
            "created_at": at,
            "running_on": running,
            "signed": True,
            "text": text,
        }


_shelves: dict[int, Shelf] = {}


def _shelf(request: Request) -> Shelf:
    return _shelves.setdefault(id(request.app.state.fleet), Shelf())


def _document(name: str, row: dict[str, Any]) -> schemas.PipelineDocument:
    checked = documents.check(row["text"])
    devices = checked.document.devices if checked.document else []
    return schemas.PipelineDocument(**row, name=name, slot=f"pipeline-{name}", spec=checked.plain or {}, devices=devices)


@routes.get("/pipelines", operation_id="list_pipelines")
def list_pipelines(request: Request) -> schemas.PipelineList:
    items = []
    for name, rows in _shelf(request).versions.items():
        versions = [schemas.PipelineVersion(**{k: v for k, v in row.items() if k != "text"}) for row in reversed(rows)]
        total = sum(version.running_on for version in versions)
        latest = versions[0].version
        items.append(schemas.PipelineRow(name=name, slot=f"pipeline-{name}", latest=latest, running_on=total, versions=versions))
    return schemas.PipelineList(items=items)


@routes.post("/pipelines/check", operation_id="check_pipeline")
def check_pipeline(body: schemas.PipelineDraft) -> schemas.PipelineCheck:
    text = body.text if body.text is not None else write_pipeline(body.spec or {})
    checked = documents.check(text)
    problem = checked.problem
    special = checked.document.for_device(body.device) if checked.document and body.device else None
    return schemas.PipelineCheck(
        ok=problem is None,
        name=str((checked.plain or {}).get("name", "")),
        text=text,
        spec=checked.plain,
        effective=to_plain(special.work()) if special is not None else None,
        problem=schemas.PipelineProblem(text=problem.text, line=problem.line, path=list(problem.path)) if problem else None,
    )


@routes.post("/pipelines", operation_id="create_pipeline", status_code=201)
def create_pipeline(request: Request, body: schemas.NewPipeline) -> schemas.PipelineDocument:
    text = body.text if body.text is not None else write_pipeline(body.spec or {})
    checked = documents.check(text)
    if checked.document is None or checked.problem is not None:
        raise HTTPException(422, checked.problem.text if checked.problem else "not a pipeline")
    rows = _shelf(request).versions.setdefault(checked.document.spec.name, [])
    version = documents.following(rows[-1]["version"]) if rows else documents.FIRST_VERSION
    rows.append(_shelf(request).row(version, text, body.note, time.time()))
    return _document(checked.document.spec.name, rows[-1])


@routes.get("/pipelines/{name}", operation_id="get_pipeline")
def get_pipeline(request: Request, name: str, version: str = "") -> schemas.PipelineDocument:
    rows = [row for row in _shelf(request).versions.get(name, []) if not version or row["version"] == version]
    if not rows:
        raise HTTPException(404, f"no pipeline {name!r}; `edgefleet pipeline list` lists the pipelines")
    return _document(name, rows[-1])


def written(pipelines: list[str]) -> list[dict[str, str]]:
    """Result of the device command `pipelines`: its local files."""
    return [{"name": name, "text": BELT.replace('"belt"', f'"{name}"'), "version": ""} for name in pipelines]


@routes.post("/devices/{name}/snapshots", operation_id="take_picture", status_code=202)
def take_picture(request: Request, name: str, body: PictureRequest) -> CommandRow:
    cid = uuid.uuid4().hex
    row = {
        "id": cid,
        "device": name,
        "op": "snapshot",
        "state": "done",
        "detail": "",
        "created_at": time.time(),
        "finished_at": time.time(),
    }
    size = {"picture": cid, "pipeline": body.pipeline, "width": WIDTH, "height": HEIGHT, "taken_at": time.time()}
    return CommandRow(**row, result=size)


@routes.get("/devices/{name}/snapshots/{picture}", operation_id="get_picture")
def get_picture(name: str, picture: str) -> Response:
    return Response(snapshot(7, boxes=False), media_type="image/jpeg")


@routes.get("/devices/{name}/live/{pipeline}", operation_id="view_live")
def view_live(name: str, pipeline: str, overlays: bool = False) -> Response:
    return Response(snapshot(int(time.time()) % 40, boxes=overlays), media_type="image/jpeg")
