"""State of the device for the local API. Written by pipelines' threads, read by clients'; whole values are replaced."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from edgefleet_agent.core import plugins
from edgefleet_agent.pipeline.metrics import Totals, sees
from edgefleet_agent.sources.reconnect_state import ReconnectState
from edgefleet_agent.sources.redact import redact
from edgefleet_contract.encoding.codec import to_plain
from edgefleet_contract.pipeline.spec import EVENTS, PipelineSpec
from edgefleet_contract.wire.messages import Event, EventPhase, PipelineGauges

KINDS_MAX = 1000
"""Limit for counted combinations of pipeline, rule and label."""
_WITH_PICTURES = (ReconnectState.RUNNING.value, "off")
"""States of a camera that sends; `off`: without detection."""


class LocalApiState:
    """State of one device. device, version: names of the device and of its agent's version. `disk_faults`: the faults of its
    stores on disk, by store; `connection_fault`: the reason for which it cannot connect to its server; `home_connected`: whether
    the broker of home automation takes messages, None without one. All are set before the first request."""

    def __init__(self, device: str, version: str) -> None:
        self.device = device
        self.version = version
        self.specs: dict[str, PipelineSpec] = {}
        self.gauges: Mapping[str, PipelineGauges] = {}
        self.totals: Mapping[str, Totals] = {}
        self._started_s = time.monotonic()
        self._without_picture = frozenset({*plugins.names("sensors"), EVENTS})
        self._lock = threading.Lock()
        self._events_started: Counter[tuple[str, str, str]] = Counter()
        self._faults: dict[tuple[str, str], str] = {}  # by pipeline and part
        self.disk_faults: Callable[[], dict[str, str]] = dict
        self.connection_fault: Callable[[], str] = str
        self.home_connected: Callable[[], bool] | None = None

    def pipelines(self, specs: Sequence[PipelineSpec]) -> None:
        """Set the running pipelines."""
        self.specs = {spec.name: spec for spec in specs}
        with self._lock:
            self._faults = {key: text for key, text in self._faults.items() if not key[0] or key[0] in self.specs}

    def measured(self, gauges: Mapping[str, PipelineGauges], totals: Mapping[str, Totals]) -> None:
        """Set the gauges of the last window, and the totals since the start."""
        self.gauges, self.totals = gauges, totals

    def event(self, event: Event) -> None:
        """Count events when they start; a crossing starts and ends at once."""
        if event.kind != "count" and (event.phase is EventPhase.NEW or event.kind == "line"):
            with self._lock:
                if len(self._events_started) < KINDS_MAX:
                    self._events_started[event.pipeline, event.rule, event.label] += 1

    def fault(self, pipeline: str, text: str, over: bool, part: str = "") -> None:
        """Store a fault of a part of a pipeline until it is over."""
        with self._lock:
            if over:
                self._faults.pop((pipeline, part), None)
            else:
                self._faults[pipeline, part] = redact(text)[:1000]

    def lost(self, pipeline: str) -> str:
        """The reason for which a pipeline gives no pictures now; empty if it is not known to give none."""
        gauges = self.gauges.get(pipeline)
        if gauges is None or gauges.state in ("", *_WITH_PICTURES):
            return ""
        return f"No picture from {pipeline} ({gauges.state})" + (f": {gauges.reason}" if gauges.reason else "")

    def events_started(self) -> dict[tuple[str, str, str], int]:
        """Number of started events, by pipeline, rule and label."""
        with self._lock:
            return dict(self._events_started)

    def status(self) -> dict[str, Any]:
        """Status of the device for the page and for programs."""
        connection = self.connection_fault()
        with self._lock:
            faults = dict(self._faults)
            started = Counter[str]()
            for (pipeline, _, _), number in self._events_started.items():
                started[pipeline] += number
        return {
            "device": self.device,
            "version": self.version,
            "uptime_s": round(time.monotonic() - self._started_s, 1),
            "faults": [
                *({"pipeline": name, "text": one.reason} for name, one in self.gauges.items() if one.reason),
                *({"pipeline": name, "text": text} for (name, _), text in faults.items()),
                *([{"pipeline": "", "text": connection}] if connection else []),
                *({"pipeline": "", "store": store, "text": text} for store, text in self.disk_faults().items()),
            ],
            "pipelines": [
                {
                    "name": name,
                    "source": spec.source.kind,
                    "camera": spec.source.kind not in self._without_picture,
                    "rules": [{"name": rule.name, "kind": rule.kind} for rule in spec.rules],
                    "zones": [zone.name for zone in spec.zones],
                    "events_total": started[name],
                    "seen": name in self.gauges and sees(self.gauges[name]),
                    "gauges": _known(self.gauges[name]) if name in self.gauges else {"state": "starting"},
                }
                for name, spec in self.specs.items()
            ],
        }

    def stats(self) -> dict[str, Any]:
        """Rates by camera, with the names that Frigate users have in their templates."""
        names = ("camera_fps", "process_fps", "skipped_fps", "detection_fps")
        cameras = {
            name: {rate: getattr(gauges, rate) for rate in names} | {"state": gauges.state, "reason": gauges.reason}
            for name, gauges in self.gauges.items()
        }
        invoke = {
            gauges.model: {"inference_speed": gauges.latency["invoke"].p50_ms}
            for gauges in self.gauges.values()
            if gauges.model and gauges.detection_fps and "invoke" in gauges.latency
        }
        uptime_s = round(time.monotonic() - self._started_s)
        return {
            "cameras": cameras,
            "detectors": invoke,
            "detection_fps": round(sum(gauges.detection_fps for gauges in self.gauges.values()), 2),
            "service": {"version": self.version, "uptime": uptime_s},
        }


def _known(gauges: PipelineGauges) -> dict[str, Any]:
    """The gauges as plain data; values about the scene are None if the pipeline did not analyse it."""
    plain: dict[str, Any] = to_plain(gauges)
    return plain if sees(gauges) else {**plain, "detections_per_frame": None, "frame_age_ms": None, "latency": {}}
