"""Operations about fleet.

Generated from docs/openapi.json by `python -m tools.write_client`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, TypeAlias

from edgefleet_client.event_stream import ServerEvent
from edgefleet_client.pages import followed
from edgefleet_client.schemas.fleet import (
    ComponentDetail,
    ComponentDevice,
    ComponentList,
    ComponentVersion,
    Configuration,
    ConfigurationList,
    ConfigurationRequest,
    DeviceLog,
    FigureHistory,
    Health,
    Overview,
    SiteList,
    SupportBundleList,
    SupportBundleRow,
    VersionHistory,
)
from edgefleet_client.transport import Transport

GetFiguresFigure: TypeAlias = Literal[
    "fps",
    "latency_p95_ms",
    "dropped_percent",
    "temperature_c",
    "cpu_percent",
    "confidence",
    "memory_bytes",
    "detections_per_frame",
    "shadow_agreement",
    "shadow_latency_percent",
    "shadow_confidence_points",
]


class FleetOperations:
    """Operations about fleet."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list_components(self, *, text: str | None = None, after: str | None = None, limit: int | None = None) -> ComponentList:
        """Installed and running components: libraries beside the agents, models, systems, and what this server consists of.
        Role: viewer."""
        query = {"text": text, "after": after, "limit": limit}
        answer: ComponentList = self._transport.ask("GET", ("components",), query=query)
        return answer

    def iterate_components(self, *, text: str | None = None) -> Iterator[ComponentVersion]:
        """Every item of `list_components`, one request a page."""
        return followed(lambda at: self.list_components(text=text, after=at, limit=1000))

    def list_component_devices(
        self,
        component: str,
        *,
        version: str | None = None,
        ended: bool | None = None,
        after: str | None = None,
        limit: int | None = None,
    ) -> ComponentDetail:
        """Devices that have or run a component, since when, and until when; versions by specifiers of PEP 440. Role: viewer."""
        query = {"version": version, "ended": ended, "after": after, "limit": limit}
        answer: ComponentDetail = self._transport.ask("GET", ("components", component), query=query)
        return answer

    def iterate_component_devices(
        self,
        component: str,
        *,
        version: str | None = None,
        ended: bool | None = None,
    ) -> Iterator[ComponentDevice]:
        """Every item of `list_component_devices`, one request a page."""
        return followed(lambda at: self.list_component_devices(component, version=version, ended=ended, after=at, limit=1000))

    def list_configurations(self, *, after: str | None = None, limit: int | None = None) -> ConfigurationList:
        """Every configuration with the objects that it manages, by name. Role: viewer."""
        query = {"after": after, "limit": limit}
        answer: ConfigurationList = self._transport.ask("GET", ("configurations",), query=query)
        return answer

    def iterate_configurations(self) -> Iterator[Configuration]:
        """Every item of `list_configurations`, one request a page."""
        return followed(lambda at: self.list_configurations(after=at, limit=1000))

    def put_configuration(self, name: str, body: ConfigurationRequest) -> Configuration:
        """Store what a configuration manages. This changes none of these objects. Role: operator."""
        answer: Configuration = self._transport.ask("PUT", ("configurations", name), json=body)
        return answer

    def view_logs(
        self,
        device: str,
        *,
        source: Literal["service", "worker", "pipeline", "journal"] | None = None,
        pipeline: str | None = None,
        level: Literal["debug", "info", "warning", "error"] | None = None,
        search: str | None = None,
        lines: int | None = None,
        since: str | None = None,
    ) -> DeviceLog:
        """The last lines of a device's log, or those that followed an earlier answer. The device sends them for this request
        only. Role: operator."""
        query = {"source": source, "pipeline": pipeline, "level": level, "search": search, "lines": lines, "since": since}
        answer: DeviceLog = self._transport.ask("GET", ("devices", device, "logs"), query=query)
        return answer

    def get_last_logs(self, device: str) -> DeviceLog:
        """The log that the server received last from a device, which may be offline now. Role: operator."""
        answer: DeviceLog = self._transport.ask("GET", ("devices", device, "logs", "last"))
        return answer

    def list_support_bundles(self, device: str) -> SupportBundleList:
        """The support bundles of a device, with those that are on their way. The server deletes one 7 days after it arrived.
        Role: operator."""
        answer: SupportBundleList = self._transport.ask("GET", ("devices", device, "support-bundles"))
        return answer

    def request_support_bundle(self, device: str) -> SupportBundleRow:
        """Request a support bundle: versions, settings, logs and checks of a device, from which it removes secrets. Role:
        operator."""
        answer: SupportBundleRow = self._transport.ask("POST", ("devices", device, "support-bundles"))
        return answer

    def delete_support_bundle(self, device: str, bundle: str) -> None:
        """Delete a support bundle from the server now. Role: operator."""
        self._transport.send("DELETE", ("devices", device, "support-bundles", bundle))

    def get_support_bundle(self, device: str, bundle: str) -> bytes:
        """The file of a support bundle, a ZIP archive. A download that was interrupted continues with a range request. Role:
        operator."""
        return self._transport.fetch("GET", ("devices", device, "support-bundles", bundle))

    def get_figures(
        self,
        *,
        device: Sequence[str],
        figure: Sequence[GetFiguresFigure] | None = None,
        since_at: float | None = None,
        until_at: float | None = None,
        span_s: Literal[60, 3600, 86400] | None = None,
        points_max: int | None = None,
    ) -> FigureHistory:
        """Figures of devices over a period of up to ten years, by minute, hour or day, with the updates of the devices.
        Role: viewer."""
        query = {
            "device": device,
            "figure": figure,
            "since_at": since_at,
            "until_at": until_at,
            "span_s": span_s,
            "points_max": points_max,
        }
        answer: FigureHistory = self._transport.ask("GET", ("figures",), query=query)
        return answer

    def get_health(self) -> Health:
        """The health of the server and of its connection to the broker."""
        answer: Health = self._transport.ask("GET", ("health",))
        return answer

    def get_overview(self) -> Overview:
        """Counts for the whole fleet, or for the devices of the caller. Role: viewer."""
        answer: Overview = self._transport.ask("GET", ("overview",))
        return answer

    def list_sites(self) -> SiteList:
        """Sites of the fleet with their devices, by the labels `lat` and `lon`, or `site`. Role: viewer."""
        answer: SiteList = self._transport.ask("GET", ("sites",))
        return answer

    def stream(self, *, topics: str) -> Iterator[ServerEvent]:
        """Changed objects, about once a second. `topics`, comma-separated: overview, devices, device:ID, rollouts,
        rollout:ID, events. A caller with roles for groups gets those of their devices and rollouts, and no overview.
        Role: viewer."""
        query = {"topics": topics}
        return self._transport.events("GET", ("stream",), query=query)

    def list_version_shares(
        self,
        *,
        since_at: float | None = None,
        until_at: float | None = None,
        points_max: int | None = None,
    ) -> VersionHistory:
        """Number of devices by version over time (default: the last seven days). Role: viewer."""
        query = {"since_at": since_at, "until_at": until_at, "points_max": points_max}
        answer: VersionHistory = self._transport.ask("GET", ("version-shares",), query=query)
        return answer
