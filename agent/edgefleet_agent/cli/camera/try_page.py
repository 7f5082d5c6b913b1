"""The page of `try`: the device's local web UI with live picture, boxes, events and clips, in a temporary folder."""

from __future__ import annotations

import contextlib
import secrets
import socket
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from edgefleet_agent.core.disk_faults import DiskFaults
from edgefleet_agent.core.host_check import is_loopback
from edgefleet_agent.local_api.http_server import LocalHttpServer
from edgefleet_agent.local_api.hub import LocalApiHub
from edgefleet_agent.local_api.routes import Routes
from edgefleet_agent.pipeline.scheduling.runner import Runner
from edgefleet_agent.recording.event_store import EventStore
from edgefleet_agent.recording.evidence_folder import EvidenceFolder
from edgefleet_agent.service.version import agent_version
from edgefleet_contract.core.errors import StoreError

ADDRESS = "127.0.0.1:8002"
KEEP_S = 86400.0
CLIPS_BYTES, EVENTS_BYTES = 500_000_000, 16_000_000
MEASURE_S = 1.0


@dataclass(slots=True)
class TryPage:
    """An open page. url: its address, with the key if other machines can reach it."""

    hub: LocalApiHub
    evidence: EvidenceFolder
    url: str
    _measured_s: float = 0.0

    def measure(self, runner: Runner) -> None:
        """Update the figures of the page, once a second."""
        now_s = time.monotonic()
        if now_s - self._measured_s >= MEASURE_S:
            window_s = min(now_s - self._measured_s, 10 * MEASURE_S) if self._measured_s else MEASURE_S
            self._measured_s = now_s
            self.hub.on_gauges(runner.gauges(window_s), runner.totals())


@contextlib.contextmanager
def open_page(address: str) -> Iterator[TryPage]:
    """The page while the block runs. Its folder is removed at the end.

    Raises:
        InputError: not an address. UnavailableError: it is in use. StoreError: no temporary folder can be made.
    """
    try:
        made = tempfile.TemporaryDirectory(prefix="edgefleet-try-", ignore_cleanup_errors=True)
    except OSError as cause:
        raise StoreError(f"--page needs a folder for temporary files: {cause.strerror}; set TMPDIR to another") from cause
    with made as name:
        folder, faults = Path(name), DiskFaults(logged=False)
        hub = LocalApiHub("try", agent_version())
        hub.state.disk_faults = faults.texts
        hub.store = EventStore(folder, KEEP_S, EVENTS_BYTES, faults, time.time)
        try:
            host, _, port = address.rpartition(":")
            key = "" if is_loopback(host.strip("[]")) else secrets.token_urlsafe(16)
            listener = LocalHttpServer(address, key, Routes(hub.state, hub.live, folder, hub, hub.store).handle)
            hub.listener = listener
            open_to_all = host in ("", "0.0.0.0", "[::]")  # noqa: S104 (a comparison)
            shown = f"{socket.gethostname()}:{listener.address.rpartition(':')[2]}" if open_to_all else listener.address
            del port
            url = f"http://{shown}/" + (f"?key={key}" if key else "")
            yield TryPage(hub, EvidenceFolder(folder, CLIPS_BYTES, KEEP_S, faults), url)
        finally:
            hub.close()
