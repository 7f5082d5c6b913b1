"""The fake fleet as a whole: places, shares, groups, bulk actions, a rollout's past, the server itself."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Query, Request

from edgefleet_server.api.routes.rollouts.rollouts import templates
from edgefleet_server.api.schemas.admin import server
from edgefleet_server.api.schemas.fleet import device_admin as care
from edgefleet_server.api.schemas.fleet import measurements, overview
from edgefleet_server.api.schemas.fleet.devices import DeviceDetail
from edgefleet_server.api.schemas.models import registry, trust
from edgefleet_server.api.schemas.rollouts import rollouts
from edgefleet_server.api.schemas.rollouts.templates import TemplateList
from edgefleet_server.api.services import effective_settings
from edgefleet_server.core.errors import InputError
from edgefleet_server.core.settings import Settings
from edgefleet_server.db.backend.settings import ChangedSetting
from edgefleet_server.domain.fleet import sites
from edgefleet_server.domain.policy.runtime_settings import adjusted, checked
from edgefleet_server.domain.statistics import rollout_replay
from tests.fleet_server.dashboard.fake_devices import Device, digest
from tests.fleet_server.dashboard.fake_fleet import MOVING, Fleet
from tests.fleet_server.dashboard.fake_rollouts import FakeRollout

routes = APIRouter(prefix="/api/v1")

DAY_S = 86_400.0
POSITIONS = {"bremen": ("53.08", "8.80"), "lyon": ("45.76", "4.84"), "osaka": ("34.69", "135.50"), "toledo": ("41.65", "-83.54")}


def fleet_of(request: Request) -> Fleet:
    fleet: Fleet = request.app.state.fleet
    return fleet


@routes.get("/sites", operation_id="list_sites")
def list_sites(request: Request) -> overview.SiteList:
    def standing(device: Device) -> sites.DevicePosition:
        site = device.labels.get("site", "")
        lat, lon = POSITIONS.get(site, ("", ""))
        busy = any(slot.phase in MOVING for slot in device.slots.values())
        return sites.DevicePosition(lat, lon, site, device.online, bool(device.attention), busy)

    found, nowhere = sites.group_by_site(map(standing, fleet_of(request).devices.values()))
    items = [overview.SiteSummary.model_validate(place, from_attributes=True) for place in found]
    return overview.SiteList(items=items, unlocated=nowhere)


@routes.get("/version-shares", operation_id="list_version_shares")
def list_version_shares(
    request: Request, since_at: float = 0.0, until_at: float | None = None, points_max: int = 200
) -> overview.VersionHistory:
    """1.1.0 has pushed 1.0.x out within a month."""
    now = until_at or time.time()
    total = len(fleet_of(request).devices)
    span = min(30 * DAY_S, now - since_at)
    items = []
    for step in range(points_max):
        at = now - span * (1 - step / (points_max - 1))
        done = min(1.0, max(0.0, (at - now + 21 * DAY_S) / (4 * DAY_S)))
        new = round(total * 0.82 * done)
        old = round((total - new) * 0.7)
        counts = {"1.1.0": new, "1.0.2": old, "1.0.0": total - new - old}
        shares = [
            {"slot": "detector", "package": "parts-detector", "version": version, "count": count}
            for version, count in counts.items()
        ]
        items.append({"at": at, "shares": shares})
    return overview.VersionHistory.model_validate({"items": items})


@routes.get("/models/{name}/{version}/field", operation_id="get_model_field")
def get_model_field(request: Request, name: str, version: str) -> overview.FieldReport:
    fleet, now = fleet_of(request), time.time()
    rows: dict[str, list[dict[str, Any]]] = {}
    for device in fleet.devices.values():
        if any((slot.package, slot.version) == (name, version) for slot in device.slots.values()):
            rows.setdefault(device.profile, []).append(fleet.row(device, now))
    items = []
    for profile, mine in sorted(rows.items(), key=lambda pair: -len(pair[1])):
        online = [row for row in mine if row["online"]]
        latency = sorted(row["latency_p95_ms"] for row in online)
        items.append(
            overview.FieldRow(
                profile=profile,
                devices=len(mine),
                online=len(online),
                measured=len(online),
                fps_mean=sum(row["fps"] for row in online) / len(online) if online else None,
                latency_p95_median_ms=latency[len(latency) // 2] if latency else None,
                latency_p95_worst_ms=latency[-1] if latency else None,
                dropped_per_s_mean=sum(row["dropped_per_s"] for row in online) / len(online) if online else None,
                temperature_mean_c=sum(row["temperature_c"] for row in online) / len(online) if online else None,
            )
        )
    return overview.FieldReport(items=items)


@routes.get("/models/{name}/{version}/coverage", operation_id="get_coverage")
def get_coverage(request: Request, name: str, version: str) -> registry.Coverage:
    fleet = fleet_of(request)
    variants = fleet.models[name, version]["variants"]
    profiles = Counter(device.profile for device in fleet.devices.values())
    rows = []
    for profile, count in profiles.most_common():
        fits = next((variant for variant in variants if profile in variant["profiles"]), None)
        chosen = {
            "variant": fits and fits["name"],
            "runtime": fits and fits["runtimes"][0],
            "precision": fits["precision"] if fits else "",
        }
        more = {
            "online": count,
            "running": 0,
            "length_bytes": 0,
            "measured": [],
            "reason": "" if fits else f"no variant for profile {profile!r}",
        }
        rows.append({"profile": profile, "runtimes": [], "devices": count, **chosen, **more})
    total = sum(profiles.values())
    missing = sum(int(str(row["devices"])) for row in rows if row["variant"] is None)
    return registry.Coverage.model_validate(
        {"devices": total, "covered": total - missing, "rows": rows, "measured_elsewhere": {}, "rollouts": []}
    )


@routes.get("/models/{name}/{version}/measurements", operation_id="list_measurements")
def list_measurements(name: str, version: str, best: bool = False) -> measurements.MeasurementList:
    bench = {
        "coral-usb": ("int8-edgetpu", "litert", "edgetpu", 11.9, 84.0),
        "jetson-orin-nano": ("fp16", "tensorrt", "cuda:0", 6.4, 156.0),
        "x86-cpu": ("int8", "onnxruntime", "cpu", 25.1, 40.0),
    }
    common = {"threads": 0, "streams": 1, "instances": 1, "batch": 1, "memory_bytes": 131_000_000, "load_ms": 240.0, "best": True}
    rows = [
        {
            **common,
            "profile": profile,
            "machine": f"bench-{profile}",
            "measured_at": time.time() - 2 * DAY_S,
            "variant": variant,
            "runtime": runtime,
            "device": device,
            "p50_ms": p95 * 0.9,
            "p95_ms": p95,
            "per_s": per_s,
        }
        for profile, (variant, runtime, device, p95, per_s) in bench.items()
        if name == "parts-detector"
    ]
    return measurements.MeasurementList.model_validate({"items": rows})


# -- groups and bulk actions


def _members(fleet: Fleet, selector: dict[str, Any]) -> list[str]:
    labels = selector["labels"]
    return [
        device.id
        for device in fleet.devices.values()
        if selector["all"]
        or device.id in selector["ids"]
        or (labels and all(device.labels.get(key) == value for key, value in labels.items()))
    ]


def _group(fleet: Fleet, record: dict[str, Any]) -> care.Group:
    return care.Group.model_validate({**record, "count": len(_members(fleet, record["selector"]))})


@routes.get("/groups", operation_id="list_groups")
def list_groups(request: Request) -> care.GroupList:
    fleet = fleet_of(request)
    return care.GroupList(items=[_group(fleet, record) for _, record in sorted(fleet.groups.items())])


@routes.put("/groups/{name}", operation_id="put_group")
def put_group(request: Request, name: str, body: care.GroupRequest) -> care.Group:
    fleet = fleet_of(request)
    record = {
        "name": name,
        "selector": body.selector.model_dump(),
        "note": body.note,
        "changed_at": time.time(),
        "changed_by": "ada",
    }
    fleet.groups[name] = record
    return _group(fleet, record)


@routes.delete("/groups/{name}", operation_id="delete_group", status_code=204)
def delete_group(request: Request, name: str) -> None:
    del fleet_of(request).groups[name]


@routes.post("/devices/bulk", operation_id="bulk_devices")
def bulk_devices(request: Request, body: care.BulkRequest) -> care.BulkResponse:
    fleet = fleet_of(request)
    assert body.selector is not None
    chosen = _members(fleet, body.selector.model_dump())
    refused: list[dict[str, str]] = []
    for name in chosen:
        device = fleet.devices[name]
        if body.action == "label":
            merged: dict[str, str | None] = {**device.labels, **body.labels}
            device.labels = {key: value for key, value in merged.items() if value is not None}
        elif body.action == "pin" and body.slot not in device.slots:
            refused.append({"device": name, "reason": f"slot {body.slot!r} of {name!r} runs no version of the registry"})
        elif body.action == "pin":
            device.pins[str(body.slot)] = body.reason
        elif body.action == "unpin":
            device.pins.pop(str(body.slot), None)
        elif body.action == "block":
            fleet.blocked[name] = (time.time(), body.reason)
        elif body.action == "decommission":
            del fleet.devices[name]
    answer = {"devices": len(chosen), "done": len(chosen) - len(refused), "commands": {}, "refused": refused}
    return care.BulkResponse.model_validate(answer)


def _detail(request: Request, device: str) -> DeviceDetail:
    fleet = fleet_of(request)
    return DeviceDetail(**fleet.detail(fleet.devices[device], time.time()))


@routes.put("/devices/{device}/pins/{slot}", operation_id="pin_device")
def pin_device(request: Request, device: str, slot: str, body: care.PinRequest) -> DeviceDetail:
    fleet_of(request).devices[device].pins[slot] = body.reason
    return _detail(request, device)


@routes.delete("/devices/{device}/pins/{slot}", operation_id="unpin_device")
def unpin_device(request: Request, device: str, slot: str) -> DeviceDetail:
    fleet_of(request).devices[device].pins.pop(slot)
    return _detail(request, device)


@routes.delete("/devices/{device}", operation_id="decommission_device", status_code=204)
def decommission_device(request: Request, device: str) -> None:
    del fleet_of(request).devices[device]


# -- a rollout's past, and plans


@routes.get("/rollouts/templates", operation_id="list_rollout_templates")
def list_rollout_templates() -> TemplateList:
    return templates(START)


def _find(request: Request, number: int) -> FakeRollout:
    found = next((rollout for rollout in fleet_of(request).rollouts if rollout.id == number), None)
    if found is None:
        raise HTTPException(404, f"no rollout {number}")
    return found


@routes.get("/rollouts/{rollout}/history", operation_id="get_rollout_history")
def get_rollout_history(
    request: Request, rollout: int, steps: Annotated[int, Query(ge=2, le=500)] = 120
) -> rollouts.RolloutHistory:
    one = _find(request, rollout)
    story = [
        rollout_replay.TimelineEvent(item["at"], item["kind"], item["wave"]) for item in one.timeline if item["device"] is None
    ]
    tries = [
        rollout_replay.AttemptHistory(each.wave, each.outcome, each.offered_at, each.finished_at)
        for each in one.attempts.values()
    ]
    first, last = rollout_replay.span(one.created_at, one.finished_at, story, time.time())
    at = sorted({*(first + (last - first) * step / (steps - 1) for step in range(steps)), *(event.at for event in story)})
    found = rollout_replay.history_points(at, [wave["index"] for wave in one.waves], story, tries)
    return rollouts.RolloutHistory.model_validate(
        {"names": [wave["name"] for wave in one.waves], "points": found}, from_attributes=True
    )


# -- the server itself


START = Settings(
    data=Path("/var/lib/edgefleet"),
    smtp_url="smtp+starttls://fleet:secret@mail.example:587",
    second_person={"env": "production"},
    events_retention_s=60 * DAY_S,
    pinned=frozenset({"events_retention_s", "second_person"}),
)
_changed: dict[str, ChangedSetting] = {}


@routes.get("/settings", operation_id="get_settings")
def get_settings() -> server.SettingList:
    now = adjusted(START, {name: change.value for name, change in _changed.items()})
    return server.SettingList(groups=effective_settings.groups(now, "mqtts://fleet.example:8883", START, _changed))


@routes.patch("/settings", operation_id="change_settings")
def change_settings(body: server.SettingsChange) -> server.SettingList:
    try:
        found = {name: None if value is None else checked(name, value, START) for name, value in body.values.items()}
    except InputError as error:
        raise HTTPException(422, str(error)) from error
    for name, value in found.items():
        _changed.pop(name, None)
        if value is not None:
            _changed[name] = ChangedSetting(value, time.time(), "ada")
    return get_settings()


@routes.get("/certificates", operation_id="get_certificates")
def get_certificates(request: Request) -> server.CertificateReport:
    fleet, now = fleet_of(request), time.time()
    rows = []
    for number, device in enumerate(fleet.devices.values()):
        age_s = (number * 37 % 64) * DAY_S
        rows.append(
            {
                "device": device.id,
                "serial": digest(device.id, "certificate")[:40],
                "issued_at": now - age_s,
                "expires_at": now - age_s + 90 * DAY_S,
                "online": device.online,
            }
        )
    rows.sort(key=lambda row: float(str(row["expires_at"])))
    authority = {
        "subject": "CN=edgefleet authority",
        "fingerprint": digest("authority", "certificate"),
        "issued_at": now - 200 * DAY_S,
        "expires_at": now + 7100 * DAY_S,
        "device_days": 90.0,
    }
    due = sum(now - float(str(row["issued_at"])) > 60 * DAY_S for row in rows)
    counts = {"total": len(rows), "due": due, "revoked": 2, "blocked": len(fleet.blocked)}
    return server.CertificateReport.model_validate({"authority": authority, "items": rows[:50], **counts})


@routes.get("/certificates/rotation", operation_id="get_authority_rotation")
def get_authority_rotation(request: Request) -> server.RotationReport:
    fleet, now = fleet_of(request), time.time()
    missing = [device for number, device in enumerate(fleet.devices.values()) if number % 9 == 4]
    facts = {"issued_at": now - 200 * DAY_S, "expires_at": now + 7100 * DAY_S}
    rows = [{"device": each.id, "last_seen_at": now - 40 * DAY_S, "online": each.online} for each in missing]
    return server.RotationReport.model_validate(
        {
            "rotating_since": now - 3 * DAY_S,
            "authorities": [
                {"subject": f"CN={name}", "fingerprint": digest(name, "certificate"), **facts}
                for name in ("edgefleet authority", "edgefleet authority 2")
            ],
            "devices": len(fleet.devices),
            "renewed": len(fleet.devices) - len(missing),
            "missing": len(missing),
            "missing_online": sum(each.online for each in missing),
            "open_tokens": 2,
            "items": rows[:1000],
        }
    )


@routes.get("/trust", operation_id="get_trust")
def get_trust(request: Request) -> trust.TrustDetail:
    fleet, now = fleet_of(request), time.time()
    ends = {"root": 340, "targets": 330, "snapshot": 6, "timestamp": 1}
    roles = [
        {
            "role": role,
            "version": 4 if role in ("targets", "snapshot") else 1,
            "expires_at": now + days * DAY_S,
            "key_ids": [digest(role, "key")],
            "threshold": 1,
            "online": role != "root",
        }
        for role, days in ends.items()
    ]
    waiting = [
        {"name": name, "version": version, "digest": model["digest"], "descriptor_bytes": 2_804, "epoch": 3}
        for (name, version), model in fleet.models.items()
        if version.endswith("rc1")
    ]
    signed = [f"{name}/{version}" for name, version in fleet.models if not version.endswith("rc1")]
    return trust.TrustDetail.model_validate({"roles": roles, "signed": signed, "waiting": waiting})
