"""Tools that read the fleet: overview, devices, metrics, groups, events, alerts, audit log."""

from __future__ import annotations

import time
from typing import Annotated, Any, Final, Literal

from mcp.server.mcpserver import Image
from pydantic import Field

from edgefleet_client.operations.devices import DevicesSort, DevicesStatus
from edgefleet_server.cli.mcp import answers
from edgefleet_server.cli.mcp.access import FleetAccess
from edgefleet_server.core.errors import InputError, NotFoundError

SIZE_MAX: Final = 100
POINTS_MAX: Final = 200
IMAGE_BYTES_MAX: Final = 2 * 1024 * 1024
QUERY: Final = (
    "Labels, id, profile, agent, package:NAME and state with =, !=, <, <=, >, >=, in (a, b), exists, * and and, or, not:"
    " site = lyon and not (state = offline or agent < 0.3)"
)

Page = Annotated[int, Field(ge=1, le=100_000, description="Page, from 1 on")]
Size = Annotated[int, Field(ge=1, le=SIZE_MAX, description="Items a page")]
DeviceId = Annotated[str, Field(min_length=1, max_length=64, description="Device id, as listed by list_devices")]


class FleetTools:
    """Reading tools about devices and what they report."""

    def __init__(self, access: FleetAccess) -> None:
        self._access = access
        self.tools = (
            self.fleet_overview, self.list_devices, self.get_device, self.get_device_metrics, self.list_groups,
            self.search_events, self.list_alerts, self.list_audit_entries,
        )  # fmt: skip

    def fleet_overview(self) -> answers.FleetOverview:
        """Counts for the whole fleet: devices online, offline, updating and in need of attention, running versions, active
        rollouts, open alerts, and warnings of the server about itself."""
        found = self._access.client.fleet.get_overview()
        server = found["server"]
        warnings = [
            *server.get("storage_warnings", []),
            *server.get("address_warnings", []),
            *server.get("label_warnings", []),
        ]
        more = {"server_version": server["version"], "broker": server["broker"]["state"], "warnings": warnings}
        return answers.FleetOverview.model_validate({**found, **more})

    def list_devices(
        self,
        search: Annotated[str, Field(max_length=100, description="Part of an id or label")] = "",
        status: Annotated[DevicesStatus | None, Field(description="Only devices with this status")] = None,
        package: Annotated[str | None, Field(description="Only devices that run this model")] = None,
        version: Annotated[str | None, Field(description="With package: only this version")] = None,
        group: Annotated[str | None, Field(description="Only devices of this group")] = None,
        labels: Annotated[list[str], Field(max_length=16, description="key=value; every one must match")] = [],  # noqa: B006
        query: Annotated[str, Field(max_length=2_000, description=QUERY)] = "",
        sort: DevicesSort = "id",
        page: Page = 1,
        size: Size = 20,
    ) -> answers.DevicePage:
        """Devices with status, reasons for attention, labels, latest figures and versions. `attention` has the reasons in
        words."""
        found = self._access.client.devices.list_devices(
            search=search or None, status=status, package=package, version=version, group=group, label=labels or None,
            query=query or None, sort=sort, page=page, size=size,
        )  # fmt: skip
        return answers.DevicePage.model_validate({**found, "page": page, "size": size})

    def get_device(self, device: DeviceId) -> answers.DeviceDetail:
        """One device: status and reasons, slots with running and assigned versions, latest attempts of rollouts, pins, hardware,
        states of pipelines."""
        return answers.DeviceDetail.model_validate(self._access.client.devices.get_device(device))

    def get_device_metrics(
        self,
        device: DeviceId,
        span: Annotated[Literal["minute", "hour"], Field(description="Length of each point")] = "minute",
        hours: Annotated[float, Field(gt=0, le=24 * 90, description="How far back")] = 3.0,
        points_max: Annotated[int, Field(ge=1, le=POINTS_MAX)] = 60,
    ) -> answers.MetricSeries:
        """History of the metrics of a device (frames per second, latency, dropped frames, temperature, processor), summed by
        minute or hour."""
        now = time.time()
        span_s: Literal[60, 3600] = 60 if span == "minute" else 3600
        found = self._access.client.alerts.get_device_figures(
            device, span_s=span_s, since_at=now - hours * 3600.0, until_at=now, points_max=points_max
        )
        return answers.MetricSeries.model_validate({**found, "device": device})

    def list_groups(self, page: Page = 1, size: Size = 50) -> answers.GroupPage:
        """Groups of devices with their selectors and present numbers of devices."""
        return answers.GroupPage.model_validate(paged(list(self._access.client.devices.iterate_groups()), page, size))

    def search_events(
        self,
        device: Annotated[str | None, Field(description="Only of this device")] = None,
        kind: Annotated[str | None, Field(description="visit, zone, line, count, …")] = None,
        label: Annotated[str | None, Field(description="person, car, …")] = None,
        rule: Annotated[str | None, Field(description="Name of a rule")] = None,
        zone: Annotated[str | None, Field(description="Name of a zone")] = None,
        text: Annotated[str | None, Field(max_length=100, description="Anywhere in the event")] = None,
        hours: Annotated[float | None, Field(gt=0, description="How far back; null: without limit")] = 24.0,
        before_id: Annotated[int | None, Field(ge=1, description="next_before_id of the page before")] = None,
        limit: Size = 20,
    ) -> answers.EventPage:
        """Events that devices detected, newest first. `get_event_snapshot` shows the snapshot of one with `snapshot` in
        `evidence`."""
        since_at = time.time() - hours * 3600.0 if hours else None
        found = self._access.client.devices.list_events(
            device=device, kind=kind, label=label, rule=rule, zone=zone, text=text, since_at=since_at, before_id=before_id,
            limit=limit,
        )  # fmt: skip
        return answers.EventPage.model_validate(found)

    def get_event_snapshot(
        self, device: DeviceId, event: Annotated[str, Field(max_length=100, description="`event.id` of search_events")]
    ) -> list[Any]:
        """The snapshot of an event as a picture, if the device has uploaded one."""
        content = self._access.client.devices.get_evidence(device, event, "snapshot")
        if len(content) > IMAGE_BYTES_MAX:
            raise InputError(f"the snapshot has {len(content)} bytes; the maximum is {IMAGE_BYTES_MAX}, open it in the dashboard")
        kind = "png" if content.startswith(b"\x89PNG") else "jpeg"
        if kind == "jpeg" and not content.startswith(b"\xff\xd8"):
            raise NotFoundError(f"the snapshot of event {event!r} is no picture")
        return [f"Snapshot of event {event} of device {device}", Image(data=content, format=kind)]

    def list_alerts(
        self,
        only_open: Annotated[bool, Field(description="Only alerts that go on")] = True,
        device: Annotated[str | None, Field(description="Only of this device")] = None,
        limit: Size = 50,
    ) -> answers.AlertList:
        """Alerts, newest first, with the rule, severity and subject."""
        return answers.AlertList.model_validate(
            self._access.client.alerts.list_alerts(open=only_open, device=device, limit=limit)
        )

    def list_audit_entries(
        self,
        actor: Annotated[str | None, Field(max_length=100, description="Only of this user")] = None,
        action: Annotated[str | None, Field(max_length=100, description="For example create_rollout")] = None,
        hours: Annotated[float | None, Field(gt=0, description="How far back; null: without limit")] = None,
        before_seq: Annotated[int | None, Field(ge=1, description="next_before_seq of the page before")] = None,
        limit: Size = 20,
    ) -> answers.AuditPage:
        """Entries of the audit log, newest first: who changed what, with which result. Requires the role admin."""
        since_at = time.time() - hours * 3600.0 if hours else None
        found = self._access.client.audit.list_audit(
            actor=actor, action=action, since_at=since_at, before_seq=before_seq, limit=limit
        )
        return answers.AuditPage.model_validate(found)


def paged(items: list[Any], page: int, size: int) -> dict[str, Any]:
    """One page of a list."""
    return {"items": items[(page - 1) * size : page * size], "total": len(items), "page": page, "size": size}
