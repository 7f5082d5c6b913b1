"""Operations about devices.

Generated from docs/openapi.json by `python -m tools.write_client`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, TypeAlias

from edgefleet_client.pages import followed, newest_first, numbered
from edgefleet_client.schemas.devices import (
    BulkRequest,
    BulkResponse,
    CommandRequest,
    CommandRow,
    DeviceDetail,
    DeviceIds,
    DevicePage,
    DeviceRow,
    Group,
    GroupList,
    GroupMembers,
    GroupRequest,
    LabelsPatch,
    PictureList,
    PictureRequest,
    PinRequest,
    TelemetrySeries,
)
from edgefleet_client.schemas.pipelines import EventPage, EventReviewRequest, EventReviewResult, EventRow, EventSummary
from edgefleet_client.transport import Transport

DeviceIdsStatus: TypeAlias = Literal[
    "online",
    "offline",
    "updating",
    "attention",
    "on_target",
    "off_target",
    "degraded",
    "flapping",
    "pinned",
]
DevicesSort: TypeAlias = Literal[
    "id",
    "-id",
    "last_seen_at",
    "-last_seen_at",
    "fps",
    "-fps",
    "latency_p95_ms",
    "-latency_p95_ms",
    "version",
    "-version",
]
DevicesStatus: TypeAlias = Literal[
    "online",
    "offline",
    "updating",
    "attention",
    "on_target",
    "off_target",
    "degraded",
    "flapping",
    "pinned",
]


class DevicesOperations:
    """Operations about devices."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list_device_ids(
        self,
        *,
        search: str | None = None,
        status: DeviceIdsStatus | None = None,
        package: str | None = None,
        version: str | None = None,
        slot: str | None = None,
        group: str | None = None,
        label: Sequence[str] | None = None,
        query: str | None = None,
    ) -> DeviceIds:
        """The ids of all devices of a list, at most 20,000: the devices that a bulk action would affect. Role: viewer."""
        parameters = {
            "search": search,
            "status": status,
            "package": package,
            "version": version,
            "slot": slot,
            "group": group,
            "label": label,
            "query": query,
        }
        answer: DeviceIds = self._transport.ask("GET", ("device-ids",), query=parameters)
        return answer

    def list_devices(
        self,
        *,
        sort: DevicesSort | None = None,
        page: int | None = None,
        size: int | None = None,
        search: str | None = None,
        status: DevicesStatus | None = None,
        package: str | None = None,
        version: str | None = None,
        slot: str | None = None,
        group: str | None = None,
        label: Sequence[str] | None = None,
        query: str | None = None,
    ) -> DevicePage:
        """A page of devices. A device may match several values of `status`: one that is offline and needs attention matches
        both. Role: viewer."""
        parameters = {
            "sort": sort,
            "page": page,
            "size": size,
            "search": search,
            "status": status,
            "package": package,
            "version": version,
            "slot": slot,
            "group": group,
            "label": label,
            "query": query,
        }
        answer: DevicePage = self._transport.ask("GET", ("devices",), query=parameters)
        return answer

    def iterate_devices(
        self,
        *,
        sort: DevicesSort | None = None,
        search: str | None = None,
        status: DevicesStatus | None = None,
        package: str | None = None,
        version: str | None = None,
        slot: str | None = None,
        group: str | None = None,
        label: Sequence[str] | None = None,
        query: str | None = None,
    ) -> Iterator[DeviceRow]:
        """Every item of `list_devices`, one request a page."""
        return numbered(
            lambda at: self.list_devices(
                sort=sort,
                search=search,
                status=status,
                package=package,
                version=version,
                slot=slot,
                group=group,
                label=label,
                query=query,
                page=at,
                size=500,
            )
        )

    def bulk_devices(self, body: BulkRequest) -> BulkResponse:
        """Apply one action to many devices, of those for which the caller has the role. As for a single device, `block`
        requires the scope `identity`, and `decommission` an administrator. Role: operator."""
        answer: BulkResponse = self._transport.ask("POST", ("devices", "bulk"), json=body)
        return answer

    def decommission_device(self, device: str) -> None:
        """Remove a device from the fleet: its certificates are revoked and its data is deleted. It can enrol again with a
        new token. Role: admin."""
        self._transport.send("DELETE", ("devices", device))

    def get_device(self, device: str) -> DeviceDetail:
        """All data about one device. Role: viewer."""
        answer: DeviceDetail = self._transport.ask("GET", ("devices", device))
        return answer

    def label_device(self, device: str, body: LabelsPatch) -> DeviceDetail:
        """Set the labels of a device. If they move it into or out of a group for which users have roles, the caller needs
        the role operator for both sides. Role: operator."""
        answer: DeviceDetail = self._transport.ask("PATCH", ("devices", device), json=body)
        return answer

    def send_command(self, device: str, body: CommandRequest) -> CommandRow:
        """Send a command to a device. For an offline device, it stays pending until the deadline. Role: operator."""
        answer: CommandRow = self._transport.ask("POST", ("devices", device, "commands"), json=body)
        return answer

    def get_command(self, device: str, cid: str) -> CommandRow:
        """The state and result of a command. Role: viewer."""
        answer: CommandRow = self._transport.ask("GET", ("devices", device, "commands", cid))
        return answer

    def get_evidence(self, device: str, event: str, kind: Literal["snapshot", "clip"]) -> bytes:
        """The uploaded snapshot or clip of an event (`id` of its record). Role: viewer."""
        return self._transport.fetch("GET", ("devices", device, "events", event, kind))

    def view_live(self, device: str, pipeline: str, *, overlays: bool | None = None, age_s: float | None = None) -> bytes:
        """The current picture of a camera, at most about one second old. Repeated requests give a live view. Role: operator."""
        query = {"overlays": overlays, "age_s": age_s}
        return self._transport.fetch("GET", ("devices", device, "live", pipeline), query=query)

    def unpin_device(self, device: str, slot: str) -> DeviceDetail:
        """Unpin a slot: it takes part in rollouts again, from the next one on. Role: operator."""
        answer: DeviceDetail = self._transport.ask("DELETE", ("devices", device, "pins", slot))
        return answer

    def pin_device(self, device: str, slot: str, body: PinRequest | None = None) -> DeviceDetail:
        """Pin a slot: rollouts do not change it until it is unpinned. Role: operator."""
        answer: DeviceDetail = self._transport.ask("PUT", ("devices", device, "pins", slot), json=body)
        return answer

    def release_device(self, device: str) -> DeviceDetail:
        """Release a device from its exclusion: its failures so far no longer count. Role: operator."""
        answer: DeviceDetail = self._transport.ask("POST", ("devices", device, "release"))
        return answer

    def list_pictures(self, device: str) -> PictureList:
        """The stored pictures of a device that were requested. Role: viewer."""
        answer: PictureList = self._transport.ask("GET", ("devices", device, "snapshots"))
        return answer

    def take_picture(self, device: str, body: PictureRequest | None = None) -> CommandRow:
        """Request one picture of a camera from a device. The command is `done` when the picture has arrived; its id is the
        command's. Role: operator."""
        answer: CommandRow = self._transport.ask("POST", ("devices", device, "snapshots"), json=body)
        return answer

    def get_picture(self, device: str, picture: str) -> bytes:
        """One requested picture; 404 until it has arrived. Role: viewer."""
        return self._transport.fetch("GET", ("devices", device, "snapshots", picture))

    def get_device_telemetry(
        self,
        device: str,
        *,
        since_at: float | None = None,
        until_at: float | None = None,
        points_max: int | None = None,
    ) -> TelemetrySeries:
        """Samples of a period (default: the last hour), thinned to `points_max`. Role: viewer."""
        query = {"since_at": since_at, "until_at": until_at, "points_max": points_max}
        answer: TelemetrySeries = self._transport.ask("GET", ("devices", device, "telemetry"), query=query)
        return answer

    def list_events(
        self,
        *,
        before_id: int | None = None,
        limit: int | None = None,
        device: str | None = None,
        site: str | None = None,
        kind: str | None = None,
        label: str | None = None,
        rule: str | None = None,
        zone: str | None = None,
        text: str | None = None,
        since_at: float | None = None,
        until_at: float | None = None,
        reviewed: bool | None = None,
    ) -> EventPage:
        """Events of the fleet that match all given parameters, newest first, with the kinds of their uploaded evidence.
        Role: viewer."""
        query = {
            "before_id": before_id,
            "limit": limit,
            "device": device,
            "site": site,
            "kind": kind,
            "label": label,
            "rule": rule,
            "zone": zone,
            "text": text,
            "since_at": since_at,
            "until_at": until_at,
            "reviewed": reviewed,
        }
        answer: EventPage = self._transport.ask("GET", ("events",), query=query)
        return answer

    def iterate_events(
        self,
        *,
        device: str | None = None,
        site: str | None = None,
        kind: str | None = None,
        label: str | None = None,
        rule: str | None = None,
        zone: str | None = None,
        text: str | None = None,
        since_at: float | None = None,
        until_at: float | None = None,
        reviewed: bool | None = None,
    ) -> Iterator[EventRow]:
        """Every item of `list_events`, one request a page."""
        return newest_first(
            lambda at: self.list_events(
                device=device,
                site=site,
                kind=kind,
                label=label,
                rule=rule,
                zone=zone,
                text=text,
                since_at=since_at,
                until_at=until_at,
                reviewed=reviewed,
                before_id=at,
                limit=500,
            ),
            "id",
        )

    def review_events(self, body: EventReviewRequest) -> EventReviewResult:
        """Mark events as seen, confirmed or false alarms, or remove the marks. Those of devices for which the caller lacks
        the role are left out, as those that do not exist. Role: operator."""
        answer: EventReviewResult = self._transport.ask("POST", ("events", "reviews"), json=body)
        return answer

    def summarize_events(
        self,
        *,
        parts: int | None = None,
        device: str | None = None,
        site: str | None = None,
        kind: str | None = None,
        label: str | None = None,
        rule: str | None = None,
        zone: str | None = None,
        text: str | None = None,
        since_at: float | None = None,
        until_at: float | None = None,
        reviewed: bool | None = None,
    ) -> EventSummary:
        """Counts of the events that match all given parameters: over time, and by the values of their fields. Without times,
        of the last 24 hours. Role: viewer."""
        query = {
            "parts": parts,
            "device": device,
            "site": site,
            "kind": kind,
            "label": label,
            "rule": rule,
            "zone": zone,
            "text": text,
            "since_at": since_at,
            "until_at": until_at,
            "reviewed": reviewed,
        }
        answer: EventSummary = self._transport.ask("GET", ("events", "summary"), query=query)
        return answer

    def list_groups(self, *, after: str | None = None, limit: int | None = None) -> GroupList:
        """All groups, by name, each with its current number of devices. A caller with roles for groups sees these. Role:
        viewer."""
        query = {"after": after, "limit": limit}
        answer: GroupList = self._transport.ask("GET", ("groups",), query=query)
        return answer

    def iterate_groups(self) -> Iterator[Group]:
        """Every item of `list_groups`, one request a page."""
        return followed(lambda at: self.list_groups(after=at, limit=1000))

    def delete_group(self, name: str) -> None:
        """Delete a group; its devices stay. Role: operator."""
        self._transport.send("DELETE", ("groups", name))

    def list_group_members(self, name: str, *, after: str | None = None, limit: int | None = None) -> GroupMembers:
        """The current devices of a group, by id. Role: viewer."""
        query = {"after": after, "limit": limit}
        answer: GroupMembers = self._transport.ask("GET", ("groups", name), query=query)
        return answer

    def iterate_group_members(self, name: str) -> Iterator[str]:
        """Every item of `list_group_members`, one request a page."""
        return followed(lambda at: self.list_group_members(name, after=at, limit=20000))

    def put_group(self, name: str, body: GroupRequest) -> Group:
        """Create or change a group. If users have roles for it, it must select by labels and ids alone. Role: operator."""
        answer: Group = self._transport.ask("PUT", ("groups", name), json=body)
        return answer
