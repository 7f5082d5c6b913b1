"""Operations about diagnostics.

Generated from docs/openapi.json by `python -m tools.write_client`.
"""

from __future__ import annotations

from typing import Literal

from edgefleet_client.schemas.diagnostics import DeviceLog, SupportBundleList, SupportBundleRow
from edgefleet_client.transport import Transport


class DiagnosticsOperations:
    """Operations about diagnostics."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

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
