"""The routes of the REST API v1 over the fake fleet, with the server's own bodies."""

from __future__ import annotations

import io
import tarfile
import time
from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Depends, HTTPException, Query, Request, UploadFile
from fastapi.responses import StreamingResponse

from edgefleet_server.api.schemas.admin import identity, people
from edgefleet_server.api.schemas.admin.health import BrokerHealth, Health
from edgefleet_server.api.schemas.fields import DeviceFilter
from edgefleet_server.api.schemas.fleet.devices import (
    CommandRequest,
    CommandRow,
    DeviceDetail,
    DevicePage,
    LabelsPatch,
    TelemetrySeries,
)
from edgefleet_server.api.schemas.fleet.overview import DeviceIds, Overview
from edgefleet_server.api.schemas.models.models import ModelDetail, ModelList, ModelVersion
from edgefleet_server.api.schemas.rollouts import rollout_terms, rollouts
from edgefleet_server.core.errors import ConflictError
from edgefleet_server.db.rollouts.terms import gate as stored_gate
from edgefleet_server.domain.policy.roles import Role
from edgefleet_server.domain.rollout import gates
from tests.fleet_server.dashboard import fake_models, fake_pipelines, fake_rollouts
from tests.fleet_server.dashboard.fake_fleet import MOVING, Fleet
from tests.fleet_server.dashboard.fake_stream import stream

routes = APIRouter(prefix="/api/v1")


def fleet_of(request: Request) -> Fleet:
    fleet: Fleet = request.app.state.fleet
    return fleet


def _device(request: Request, name: str) -> Any:
    try:
        return fleet_of(request).devices[name]
    except KeyError:
        raise HTTPException(404, f"no device {name!r}: it has never connected to this server") from None


def _rollout(request: Request, number: int) -> fake_rollouts.FakeRollout:
    for rollout in fleet_of(request).rollouts:
        if rollout.id == number:
            return rollout
    raise HTTPException(404, f"no rollout {number}; the list is at /api/v1/rollouts")


def _page(items: list[Any], page: int, size: int) -> dict[str, Any]:
    return {"items": items[(page - 1) * size : page * size], "total": len(items)}


@routes.get("/overview", operation_id="get_overview")
def overview(request: Request) -> Overview:
    return Overview(**fleet_of(request).overview())


@routes.get("/session", operation_id="get_session")
def session() -> people.Session:
    """The session of a fleet without users."""
    return people.Session(mode="open", user=None, role=Role.ADMIN, via="open", expires_at=None)


@routes.get("/health", operation_id="get_health")
def health(request: Request) -> Health:
    return Health(status="ok", version="0.2.0", broker=BrokerHealth(state="up", url="mqtt://127.0.0.1:1883"), database="ok")


SORTS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "id": lambda row: row["id"],
    "last_seen_at": lambda row: row["last_seen_at"],
    "fps": lambda row: row["fps"],
    "latency_p95_ms": lambda row: row["latency_p95_ms"],
    "version": lambda row: row["slots"][0]["running"]["version"],
}


FACTS: dict[str, Callable[[dict[str, Any]], bool]] = {
    "on_target": lambda row: all(slot["on_target"] for slot in row["slots"]),
    "off_target": lambda row: not all(slot["on_target"] for slot in row["slots"]),
    "degraded": lambda row: row["online"] and any(line.startswith("Temperature") for line in row["attention"]),
    "flapping": lambda row: row["flapping"],
    "pinned": lambda row: False,
    "online": lambda row: row["online"],
    "offline": lambda row: not row["online"],
    "attention": lambda row: bool(row["attention"]),
    "updating": lambda row: any(slot["phase"] in MOVING for slot in row["slots"]),
}


def matches(row: dict[str, Any], search: str, status: str, package: str, version: str, slot: str, labels: list[str]) -> bool:
    text = " ".join([row["id"], row["profile"], *(f"{k}={v}" for k, v in row["labels"].items())])
    runs = [s["running"] for s in row["slots"] if not slot or s["slot"] == slot]
    return (
        search.lower() in text.lower()
        and (not status or FACTS[status](row))
        and (
            not (package or version)
            or any((not package or r["package"] == package) and (not version or r["version"] == version) for r in runs)
        )
        and all(row["labels"].get(key) == value for key, _, value in (label.partition("=") for label in labels))
    )


def _rows(
    request: Request,
    search: str = "",
    status: DeviceFilter | None = None,
    package: str = "",
    version: str = "",
    slot: str = "",
    group: str = "",
    label: Annotated[list[str] | None, Query()] = None,
) -> list[dict[str, Any]]:
    """Filter a list of devices."""
    now = time.time()
    fleet = fleet_of(request)
    rows = [fleet.row(device, now) for device in fleet.devices.values()]
    inside = fleet.groups[group]["selector"]["labels"] if group else {}
    named = [f"{key}={value}" for key, value in inside.items()]
    return [row for row in rows if matches(row, search, status or "", package, version, slot, [*(label or []), *named])]


Rows = Annotated[list[dict[str, Any]], Depends(_rows)]


@routes.get("/devices", operation_id="list_devices")
def devices(rows: Rows, sort: str = "id", page: int = 1, size: int = 50) -> DevicePage:
    key = SORTS.get(sort.removeprefix("-"))
    if key is None:
        raise HTTPException(422, f"cannot sort by {sort!r}; it can be {', '.join(SORTS)}")
    ordered = sorted(rows, key=lambda row: (key(row), row["id"]), reverse=sort.startswith("-"))
    return DevicePage(**_page(ordered, page, size))


@routes.get("/device-ids", operation_id="list_device_ids")
def device_ids(rows: Rows) -> DeviceIds:
    return DeviceIds(items=sorted(row["id"] for row in rows))


@routes.get("/devices/{name}", operation_id="get_device")
def device(request: Request, name: str) -> DeviceDetail:
    return DeviceDetail(**fleet_of(request).detail(_device(request, name), time.time()))


@routes.patch("/devices/{name}", operation_id="update_device")
def update_device(request: Request, name: str, body: LabelsPatch) -> DeviceDetail:
    _device(request, name).labels = body.labels
    return device(request, name)


@routes.get("/devices/{name}/telemetry", operation_id="get_telemetry")
def get_telemetry(
    request: Request,
    name: str,
    since_at: float | None = None,
    until_at: float | None = None,
    points_max: int = 600,
) -> TelemetrySeries:
    one = _device(request, name)
    until = until_at or (time.time() if one.online else one.since_at)
    return TelemetrySeries.model_validate({"points": fleet_of(request).history(one, since_at or until - 900, until, points_max)})


def _standing(request: Request, name: str) -> identity.DeviceIdentityStatus:
    blocked = fleet_of(request).blocked.get(name)
    _device(request, name)
    issued_at = fleet_of(request).started_at - 30 * 86_400
    return identity.DeviceIdentityStatus(
        device=name,
        blocked=identity.BlockedDevice(blocked_at=blocked[0], reason=blocked[1]) if blocked else None,
        certificate=identity.DeviceCertificate(
            serial="5f" * 20,
            issued_at=issued_at,
            expires_at=issued_at + 90 * 86_400,
            revoked_at=blocked[0] if blocked else None,
        ),
    )


@routes.get("/devices/{name}/identity", operation_id="get_device_identity")
def get_device_identity(request: Request, name: str) -> identity.DeviceIdentityStatus:
    return _standing(request, name)


@routes.put("/devices/{name}/block", operation_id="block_device")
def block_device(request: Request, name: str, body: identity.BlockRequest) -> identity.DeviceIdentityStatus:
    fleet_of(request).blocked[name] = (time.time(), body.reason)
    return _standing(request, name)


@routes.delete("/devices/{name}/block", operation_id="unblock_device")
def unblock_device(request: Request, name: str) -> identity.DeviceIdentityStatus:
    del fleet_of(request).blocked[name]
    return _standing(request, name)


RESULTS: dict[str, dict[str, Any]] = {
    "logs": {"lines": ["worker: camera: 30.0 frames/s", "link: connected"]},
    "pipelines": {"pipelines": fake_pipelines.written(["camera"])},
}


@routes.post("/devices/{name}/commands", operation_id="send_command", status_code=202)
def send_command(request: Request, name: str, body: CommandRequest) -> CommandRow:
    _device(request, name)
    fleet = fleet_of(request)
    row: dict[str, Any] = {
        "id": f"c{len(fleet.commands) + 1}",
        "device": name,
        "op": body.op,
        "state": "pending",
        "detail": "",
        "result": {},
        "created_at": time.time(),
        "finished_at": None,
    }
    fleet.commands[row["id"]] = row
    return CommandRow(**row)


@routes.get("/devices/{name}/commands/{cid}", operation_id="get_command")
def get_command(request: Request, name: str, cid: str) -> CommandRow:
    row = fleet_of(request).commands[cid]
    if row["state"] == "pending" and time.time() - row["created_at"] > 0.6:
        online = _device(request, name).online
        row |= {
            "state": "done" if online else "expired",
            "detail": "" if online else "the device was not heard in time",
            "finished_at": time.time(),
            "result": RESULTS.get(row["op"], {}),
        }
    return CommandRow(**row)


def _model(request: Request, name: str, version: str) -> dict[str, Any]:
    fleet = fleet_of(request)
    if (name, version) not in fleet.models:
        raise HTTPException(404, f"no model {name}@{version} in the registry")
    running = sum(s.package == name and s.version == version for d in fleet.devices.values() for s in d.slots.values())
    return {**fleet.models[name, version], "running_on": running}


@routes.get("/models", operation_id="list_models")
def models(request: Request) -> ModelList:
    rows: dict[str, list[dict[str, Any]]] = {}
    for name, version in reversed(fleet_of(request).models):
        rows.setdefault(name, []).append(_model(request, name, version))
    return ModelList.model_validate(
        {
            "items": [
                {"name": name, "title": many[0]["title"], "task": many[0]["task"], "latest": many[0]["version"], "versions": many}
                for name, many in rows.items()
            ]
        }
    )


@routes.get("/models/{name}/{version}", operation_id="get_model")
def model(request: Request, name: str, version: str) -> ModelDetail:
    row = _model(request, name, version)
    used = [r for r in fleet_of(request).rollouts if r.target == (name, version)]
    return ModelDetail.model_validate(
        {
            **row,
            "files": fake_models.files(row),
            "provenance": {"trained_by": "firmware_models/parts-detector/train.py", "seed": 11},
            "head": {"family": "ssd", "params": {"score_min": 0.3, "iou_max": 0.5}},
            "rollouts": [{"id": r.id, "name": r.plain["name"], "state": r.state.value, "created_at": r.created_at} for r in used],
        }
    )


@routes.post("/models", operation_id="push_model", status_code=201)
def push_model(request: Request, package: UploadFile) -> ModelVersion:
    fleet = fleet_of(request)
    try:
        with tarfile.open(fileobj=io.BytesIO(package.file.read())) as archive:
            names = archive.getnames()
    except tarfile.TarError:
        raise HTTPException(
            422, f"{package.filename} is not a tar archive; make one with `edgefleet model pack FOLDER`"
        ) from None
    if "model.toml" not in names:
        raise HTTPException(422, f"{package.filename}: no model.toml at the root of the archive; it has {', '.join(names[:4])}")
    row = fake_models._version("parts-detector", "1.4.0", time.time())
    fleet.models["parts-detector", "1.4.0"] = row
    return ModelVersion(**row)


def _in_group(fleet: Fleet, name: str) -> set[str]:
    labels = fleet.groups[name]["selector"]["labels"]
    return {d.id for d in fleet.devices.values() if all(d.labels.get(k) == v for k, v in labels.items())}


def chosen(fleet: Fleet, selector: rollout_terms.Selector) -> list[Any]:
    return [
        d
        for d in fleet.devices.values()
        if selector.all
        or (selector.group and d.id in _in_group(fleet, selector.group))
        or d.id in selector.ids
        or (selector.labels and all(d.labels.get(k) == v for k, v in selector.labels.items()))
    ]


def sort_out(fleet: Fleet, body: Any) -> tuple[list[Any], list[dict[str, str]], int]:
    able, unable, already = [], [], 0
    for one in chosen(fleet, body.selector):
        slot = one.slots.get(body.slot)
        variants = fleet.models.get((body.package, body.version), {"variants": []})["variants"]  # none: a pipeline, for all
        fits = not variants or any(one.profile in v["profiles"] for v in variants)
        if (slot is None and variants) or not fits:
            unable.append(
                {
                    "device": one.id,
                    "reason": f"{body.package} has no variant for profile {one.profile}" if slot else f"no slot {body.slot}",
                }
            )
        elif slot and (slot.package, slot.version) == (body.package, body.version):
            already += 1
        else:
            able.append(one)
    return able, unable, already


@routes.post("/rollouts/preview", operation_id="preview_rollout")
def preview(request: Request, body: rollouts.PreviewRequest) -> rollouts.Preview:
    able, unable, already = sort_out(fleet_of(request), body)
    counts = fake_rollouts.split([wave.model_dump() for wave in body.waves], len(able))
    return rollouts.Preview.model_validate(
        {
            "eligible": len(able),
            "ineligible": unable[:200],
            "agent_update": None,
            "already": already,
            "offline": sum(not d.online for d in able),
            "waves": [{"name": w.name, "count": n} for w, n in zip(body.waves, counts, strict=True)],
            "bytes_total": len(able) * 4_194_304,
            "excluded": [],
            "rules": gates.rules(stored_gate(body.gate.model_dump())),
            "notes": [],
            "warnings": [],
            "needs_second_person": False,
            "forecast": fake_rollouts.forecast(body.waves),
        }
    )


@routes.post("/rollouts", operation_id="create_rollout", status_code=201)
def create(request: Request, body: rollouts.RolloutRequest) -> rollouts.Rollout:
    fleet = fleet_of(request)
    able, _, _ = sort_out(fleet, body)
    if not able:
        raise HTTPException(422, "no device is eligible; change the selector")
    rollout = fake_rollouts.make_rollout(len(fleet.rollouts) + 1, body.model_dump(), able, time.time())
    fleet.rollouts.append(rollout)
    if body.start:
        fake_rollouts.steer(rollout, "start", "", time.time())
    return rollouts.Rollout(**fake_rollouts.rollout_plain(rollout))


@routes.get("/rollouts", operation_id="list_rollouts")
def list_rollouts(
    request: Request, state: Annotated[list[str] | None, Query()] = None, page: int = 1, size: int = 50
) -> rollouts.RolloutPage:
    rows = [fake_rollouts.rollout_plain(r) for r in reversed(fleet_of(request).rollouts) if not state or r.state.value in state]
    return rollouts.RolloutPage(**_page(rows, page, size))


@routes.get("/rollouts/{name}", operation_id="get_rollout")
def get_rollout(request: Request, name: int) -> rollouts.Rollout:
    return rollouts.Rollout(**fake_rollouts.rollout_plain(_rollout(request, name)))


@routes.get("/rollouts/{name}/attempts", operation_id="list_attempts")
def attempts(
    request: Request,
    name: int,
    wave: int | None = None,
    state: str = "",
    device: str = "",
    page: int = 1,
    size: int = 50,
) -> rollouts.AttemptPage:
    one = _rollout(request, name)
    rows = [fake_rollouts.attempt_plain(one, a, time.time()) for a in one.attempts.values()]
    rows = [r for r in rows if wave in (None, r["wave"]) and state in ("", r["state"]) and device in r["device"]]
    return rollouts.AttemptPage(**_page(rows, page, size))


@routes.get("/rollouts/{name}/timeline", operation_id="get_timeline")
def timeline(request: Request, name: int) -> rollouts.Timeline:
    return rollouts.Timeline.model_validate({"items": _rollout(request, name).timeline})


@routes.post("/rollouts/{name}/approve", operation_id="approve_rollout")
def approve(request: Request, name: int, body: rollouts.ApproveRequest) -> rollouts.Rollout:
    fake_rollouts.approve(_rollout(request, name), body.wave or 0, time.time())
    return rollouts.Rollout(**fake_rollouts.rollout_plain(_rollout(request, name)))


@routes.post("/rollouts/{name}/skip", operation_id="skip_wave")
def skip(request: Request, name: int, body: rollouts.SkipRequest) -> rollouts.Rollout:
    fake_rollouts.skip(_rollout(request, name), body.wave, body.reason, time.time())
    return rollouts.Rollout(**fake_rollouts.rollout_plain(_rollout(request, name)))


@routes.post("/rollouts/{name}/{action}", operation_id="act_on_rollout")
def act(request: Request, name: int, action: str, body: rollouts.ActionRequest) -> rollouts.Rollout:
    try:
        fake_rollouts.steer(_rollout(request, name), action, body.reason, time.time())
    except ConflictError as cause:
        raise HTTPException(409, str(cause)) from None
    return get_rollout(request, name)


@routes.get("/stream", operation_id="open_stream")
async def open_stream(request: Request, topics: str = "overview") -> StreamingResponse:
    return StreamingResponse(
        stream(fleet_of(request), request, topics.split(",")),
        media_type="text/event-stream",
        headers={"Cache-Control": "no-store"},
    )
