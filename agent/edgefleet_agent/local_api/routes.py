"""Routes of the local API. Bodies are a stable interface: `docs/local-web-ui.md` describes them.

/                              the status page             /api/status       pipelines, their figures, faults
/api/events?label=person       search                      /api/stats        the same figures in Frigate's shape
/api/events/ID                 one event                   /metrics          Prometheus
/api/events/ID/snapshot.jpg    its best view               /api/NAME/latest.jpg    a pipeline's picture of now
/api/events/ID/clip.mp4        its clip                    /live/NAME.mjpg         the same, moving
/api/NAME/SWITCH?on=0          POST: switch                /api/NAME/trigger?seconds=10    POST: look at everything
"""

from __future__ import annotations

import contextlib
import re
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from edgefleet_agent.local_api import metrics
from edgefleet_agent.local_api.controls import Controls, parse_seconds
from edgefleet_agent.local_api.http_server import HttpRequest, HttpResponse
from edgefleet_agent.local_api.live_view import FPS_MAX, LiveView, as_jpeg
from edgefleet_agent.local_api.overlay import draw_notice
from edgefleet_agent.local_api.state import LocalApiState
from edgefleet_agent.recording.event_store import LIMIT_MAX, QUERY_FIELDS, EventStore, Query, StoredEvent, moment_at
from edgefleet_agent.sources.camera_switches import SWITCHES
from edgefleet_contract.core.errors import InputError
from edgefleet_contract.encoding.codec import to_plain
from edgefleet_contract.encoding.metrics_text import TEXT_TYPE

PAGE = Path(__file__).with_name("page")
VIEWERS_MAX = 12
"""Limit for live pictures and waits for one, at once."""
PICTURE_S_MAX = 5.0
"""Limit for the wait for a picture: a camera that is offline gives none."""
NOTICE_S = 1.0
"""Interval of the pictures that say why a camera has none."""
BOUNDARY = b"--edgefleet\r\n"
_PAGES = {
    "/": ("index.html", "text/html; charset=utf-8"),
    "/page.css": ("page.css", "text/css; charset=utf-8"),
    "/page.js": ("page.js", "text/javascript; charset=utf-8"),
    "/icon.svg": ("icon.svg", "image/svg+xml"),
}
_FLAGS = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}
_EVENT = re.compile(r"^/api/events/([A-Za-z0-9_.-]{1,160})(?:/(snapshot\.jpg|clip\.mp4))?$")
_PICTURE = re.compile(r"^/api/([a-z0-9][a-z0-9_-]{0,63})/latest\.jpg$")
_COMMAND = re.compile(r"^/api/([a-z0-9][a-z0-9_-]{0,63})/([a-z]{1,20})$")
_MOVING = re.compile(r"^/live/([a-z0-9][a-z0-9_-]{0,63})\.mjpg$")


@dataclass(slots=True)
class Routes:
    """Answers requests. evidence: the folder of snapshots and clips, store: the events; None if the device stores none."""

    state: LocalApiState
    live: LiveView
    evidence: Path | None
    controls: Controls
    store: EventStore | None = None
    viewers: int = 0
    _counting: threading.Lock = field(default_factory=threading.Lock)

    def handle(self, request: HttpRequest) -> HttpResponse:
        """Handle one request.

        Raises:
            InputError: an invalid parameter. StoreError: the events cannot be read.
        """
        path = request.path
        if request.method == "POST":
            return self._command(path, request.query)
        if path in _PAGES:
            name, kind = _PAGES[path]
            return HttpResponse((PAGE / name).read_bytes(), kind, headers={"Cache-Control": "no-cache"})
        if path == "/api/status":
            return HttpResponse.of(self._status())
        if path == "/api/stats":
            return HttpResponse.of(self.state.stats())
        if path == "/metrics":
            return HttpResponse(self._metrics(), TEXT_TYPE)
        if path == "/api/events":
            return self._search(request.query)
        if match := _EVENT.match(path):
            return self._event(match[1], match[2])
        if match := _PICTURE.match(path):
            return self._picture(match[1], overlays=_flag({"overlays": "1", **request.query}, "overlays"))
        if match := _MOVING.match(path):
            return self._moving(match[1], request.query)
        return HttpResponse.error(404, "not found; use / for the page, or /api/status, /api/events and /metrics for programs")

    def _status(self) -> dict[str, Any]:
        status = self.state.status()
        for pipeline in status["pipelines"]:
            with contextlib.suppress(InputError):  # a sensor has no switches
                pipeline["switches"] = self.controls.switches(pipeline["name"])
        return status

    def _command(self, path: str, query: dict[str, str]) -> HttpResponse:
        match = _COMMAND.match(path)
        if match is None:
            return HttpResponse.error(
                405, f"unknown command; POST /api/NAME/trigger?seconds=10, or /api/NAME/SWITCH?on=0 ({', '.join(SWITCHES)})"
            )
        pipeline, name = match[1], match[2]
        if name == "trigger":
            _check_names(query, "seconds")
            self.controls.trigger(pipeline, parse_seconds(query.get("seconds", "10")))
        else:
            _check_names(query, "on")
            if "on" not in query:
                raise InputError(f"parameter 'on' is missing; use /api/{pipeline}/{name}?on=0 or ?on=1")
            self.controls.switch(pipeline, name, _flag(query, "on"))
        return HttpResponse.of(self.controls.switches(pipeline))

    def _metrics(self) -> bytes:
        state = self.state
        home = state.home_connected() if state.home_connected is not None else None
        events, stores = state.events_started(), state.disk_faults()
        return metrics.render_metrics(state.gauges, state.totals, events, self.viewers, stores, home).encode()

    def _search(self, parameters: dict[str, str]) -> HttpResponse:
        unknown = next((name for name in parameters if name not in QUERY_FIELDS), None)
        if unknown is not None:
            raise InputError(f"unknown parameter {unknown!r}; must be one of {', '.join(QUERY_FIELDS)}")
        texts = {name: value for name, value in parameters.items() if name not in ("since_at", "before_at", "limit")}
        query = Query(
            **texts,
            since_at=moment_at(parameters["since_at"], time.time()) if "since_at" in parameters else None,
            before_at=moment_at(parameters["before_at"], time.time()) if "before_at" in parameters else None,
            limit=_limit(parameters.get("limit", "50")),
        )
        events = self.store.search(query) if self.store is not None else []
        return HttpResponse.of({"events": [event_json(one, self.evidence) for one in events if self.evidence is not None]})

    def _event(self, event_id: str, part: str | None) -> HttpResponse:
        stored = self.store.find(event_id) if self.store is not None else None
        if stored is None or self.evidence is None:
            return HttpResponse.error(404, f"event {event_id} not found; retention may have removed it")
        if part is None:
            return HttpResponse.of(event_json(stored, self.evidence))
        key, kind = ("snapshot", "image/jpeg") if part == "snapshot.jpg" else ("clip", "video/mp4")
        path = evidence_path(self.evidence, stored.event.data.get(key))
        if path is None:
            return HttpResponse.error(404, f"event {event_id} has no {key}")
        # A snapshot may be replaced by a better one while the event lasts.
        return HttpResponse(
            kind=kind, file=path, headers={"Cache-Control": "no-cache" if stored.open else "private, max-age=86400"}
        )

    def _picture(self, pipeline: str, *, overlays: bool) -> HttpResponse:
        if (refused := self._refusal(pipeline)) is not None:
            return refused
        try:
            with self._viewer(), self.live.watch(pipeline):
                shot = self.live.next(pipeline, 0, PICTURE_S_MAX)
        except KeyError:
            shot = None  # the pipeline was removed meanwhile
        if shot is None:
            return HttpResponse.error(503, f"no frame from {pipeline}; see /api/status for the reason")
        return HttpResponse(shot.jpeg(overlays=overlays), "image/jpeg", headers={"Cache-Control": "no-store"})

    def _moving(self, pipeline: str, query: dict[str, str]) -> HttpResponse:
        overlays, fps = _flag({"overlays": "1", **query}, "overlays"), _fps(query.get("fps", "5"))
        if (refused := self._refusal(pipeline)) is not None:
            return refused
        kind = "multipart/x-mixed-replace; boundary=edgefleet"
        return HttpResponse(kind=kind, parts=self._pictures(pipeline, overlays, 1 / fps), headers={"Cache-Control": "no-store"})

    def _refusal(self, pipeline: str) -> HttpResponse | None:
        """Error response if `pipeline` cannot be viewed; else None."""
        if pipeline not in self.state.specs:
            available = ", ".join(sorted(self.state.specs)) or "none"
            return HttpResponse.error(404, f"pipeline {pipeline!r} not found; available: {available}")
        if self.viewers >= VIEWERS_MAX:
            return HttpResponse.error(503, f"limit of {VIEWERS_MAX} live viewers reached; close one")
        return None

    @contextlib.contextmanager
    def _viewer(self) -> Iterator[None]:
        """Count a viewer for the block."""
        with self._counting:
            self.viewers += 1
        try:
            yield
        finally:
            with self._counting:
                self.viewers -= 1

    def _pictures(self, pipeline: str, overlays: bool, period_s: float) -> Iterator[bytes]:
        """Stream until the client or the pipeline is gone. While a camera is lost its pictures say why."""
        number = 0
        try:
            with self._viewer(), self.live.watch(pipeline):
                while pipeline in self.state.specs:
                    began_s = time.monotonic()
                    shot = self.live.next(pipeline, number, NOTICE_S if self.state.lost(pipeline) else PICTURE_S_MAX)
                    if shot is not None:
                        number = shot.number
                        yield _part(shot.jpeg(overlays=overlays))
                    elif reason := self.state.lost(pipeline):
                        yield _part(as_jpeg(draw_notice(reason)))
                    else:
                        yield b"\r\n"  # detects a closed connection
                    time.sleep(max(0.0, period_s - (time.monotonic() - began_s)))
        except KeyError:
            return  # the pipeline was removed before the first picture


def _part(jpeg: bytes) -> bytes:
    return BOUNDARY + b"Content-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n%b\r\n" % (len(jpeg), jpeg)


def event_json(stored: StoredEvent, evidence: Path | None) -> dict[str, Any]:
    """An event as plain data for the REST API, with the existing evidence files."""
    plain: dict[str, Any] = to_plain(stored.event)
    plain |= {"began_at": round(stored.began_at, 3), "open": stored.open}
    for key in ("snapshot", "clip"):
        plain[f"has_{key}"] = evidence is not None and evidence_path(evidence, stored.event.data.get(key)) is not None
    return plain


def evidence_path(folder: Path, name: object) -> Path | None:
    """The file of that name in the evidence folder, if it exists. The name comes from a record: other paths are refused."""
    if not isinstance(name, str) or not re.match(r"^[a-z0-9][a-z0-9_-]{0,63}/[A-Za-z0-9_-]{1,160}\.(jpg|mp4)$", name):
        return None
    path = folder / name
    return path if path.is_file() else None


def _flag(query: dict[str, str], name: str) -> bool:
    """The value of a switch.

    Raises:
        InputError: it is neither on nor off.
    """
    text = query[name]
    on = _FLAGS.get(text.lower())
    if on is None:
        raise InputError(f"{name} {text[:40]!r}: must be one of {', '.join(_FLAGS)}")
    return on


def _check_names(query: dict[str, str], known: str) -> None:
    """Refuse other parameters than `known`.

    Raises:
        InputError: the text has the name that is allowed.
    """
    unknown = next((name for name in query if name != known), None)
    if unknown is not None:
        raise InputError(f"unknown parameter {unknown[:40]!r}; must be {known!r}")


def _fps(text: str) -> float:
    try:
        return min(max(float(text), 0.2), FPS_MAX)
    except ValueError as cause:
        raise InputError(f"fps {text!r}: must be a number between 0.2 and {FPS_MAX:g}") from cause


def _limit(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= LIMIT_MAX:
        raise InputError(f"limit {text!r}: must be an integer between 1 and {LIMIT_MAX}")
    return int(text)
