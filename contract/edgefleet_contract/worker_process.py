"""Messages between supervisor and worker: one JSON object a line over the worker's own socket pair.

The supervisor sends requests; the worker responds to each once (same `request`), and sends `Heartbeat`, `Gauges`, `EventFound`,
`WorkerFault` and `DeviceMoved` on its own. Frames never cross this boundary; a requested picture is passed as a file.
"""

from __future__ import annotations

from typing import Annotated, Final, cast

import msgspec
from msgspec import Meta

from edgefleet_contract.core.errors import MessageError
from edgefleet_contract.core.fault_text import fault_text
from edgefleet_contract.encoding.codec import Wire, from_plain
from edgefleet_contract.encoding.names import Digest, Name
from edgefleet_contract.pipeline.spec import PipelineSpec
from edgefleet_contract.wire.messages import Count, Event, PipelineGauges, Running, ShadowGauges
from edgefleet_contract.wire.reason_codes import Reason

HEARTBEAT_S = 0.5
"""Interval of the worker's heartbeats."""
SILENCE_S_MAX = 5.0
"""A worker without a message for this time is killed and restarted."""
MODEL_BUSY: Final = ("busy", "shared", "late")
"""Causes of dropped frames that came while the models were busy."""


class SetSlot(Wire, tag="set_slot"):
    """Load the package in `folder` beside the incumbent, then switch every pipeline of the slot between two frames.

    `threads` of the runtime; 0 = its own choice. `strict`: refuse the package if the profile's accelerator is not available.
    `cache`: folder for models compiled for an accelerator; empty = no cache. `apart`: use accelerators in processes of their own,
    because the worker has crashed.
    """

    request: int
    slot: Name
    package: Name
    version: str
    digest: Digest
    folder: str
    runtimes: list[str]
    profile: str = ""
    threads: int = 0
    strict: bool = False
    cache: str = ""
    apart: bool = False


class ClearSlot(Wire, tag="clear_slot"):
    """Unload a slot's model; only for slots that no pipeline uses."""

    request: int
    slot: Name


class SetPipelines(Wire, tag="set_pipelines"):
    """Run exactly these pipelines; unchanged ones continue without interruption."""

    request: int
    pipelines: list[PipelineSpec]


class TakePicture(Wire, tag="take_picture"):
    """Write the next frame of a pipeline, masked, as a JPEG to `file`; `overlays`: with boxes, zones and lines. The response
    `PictureTaken` may come out of order, because it waits for a frame.
    """

    request: int
    pipeline: Name
    file: str
    overlays: bool = False


class StartVideo(Wire, tag="start_video"):
    """Send live video of a pipeline's camera to the server at `url`, with the `ticket` of one connection and its `authority`
    (PEM; empty: one of the system). The response `VideoStarted` may come out of order, because it waits for the connection.
    """

    request: int
    pipeline: Name
    url: str
    ticket: str
    authority: str = ""
    streams_max: int = 1
    bytes_per_hour: int = 0


class Stop(Wire, tag="stop"):
    """Shut down: flush events, then exit 0."""

    request: int


class EventsTaken(Wire, tag="events_taken"):
    """The events of a journal up to `number` are on the supervisor's disk. Has no response."""

    journal: str
    number: int


ToWorker = SetSlot | ClearSlot | SetPipelines | TakePicture | StartVideo | Stop | EventsTaken


class Done(Wire, tag="done"):
    """Response to a request. For `SetSlot`: the running package, and the duration of the switch for frames. For `SetPipelines`:
    refused pipelines with reasons; they stay unchanged."""

    request: int
    ok: bool
    reason: Reason = Reason.NONE
    detail: str = ""
    running: Running | None = None
    load_ms: float = 0.0
    gap_ms: float = 0.0
    frames_lost: int = 0
    refused: dict[Name, str] = msgspec.field(default_factory=dict)


class PictureTaken(Wire, tag="picture_taken"):
    """Response to `TakePicture`: the file is written (size in pixels, `taken_at` wall time), or the reason for a failure."""

    request: int
    ok: bool
    detail: str = ""
    width: int = 0
    height: int = 0
    taken_at: float = 0.0


class VideoStarted(Wire, tag="video_started"):
    """Response to `StartVideo`: the server has accepted the connection, or the reason for a failure."""

    request: int
    ok: bool
    detail: str = ""


class Heartbeat(Wire, tag="heartbeat"):
    """A sign of life of the worker. `frames_total` counts inferred frames by slot, for the trial's health check. `private_bytes`:
    memory of its own, without files and shared memory; 0: not known. `skipped_total`: by slot, frames that came while its model
    was busy and were skipped (`MODEL_BUSY`)."""

    monotonic_s: float
    rss_bytes: int = 0
    frames_total: dict[Name, int] = msgspec.field(default_factory=dict)
    errors_total: dict[Name, int] = msgspec.field(default_factory=dict)
    private_bytes: int = 0
    skipped_total: dict[Name, int] = msgspec.field(default_factory=dict)


class Gauges(Wire, tag="gauges"):
    """One window of every pipeline, and of shadow candidates, by the slot that they belong to."""

    window_s: float
    pipelines: dict[Name, PipelineGauges]
    shadows: dict[Name, ShadowGauges] = msgspec.field(default_factory=dict)


class EventFound(Wire, tag="event"):
    """An event of a rule. `number`: its number in the worker's journal of events, which is named `journal`; 0: it is in none."""

    event: Event
    journal: str = ""
    number: int = 0


STORE_PREFIX = "disk:"
"""Begins the `pipeline` of a `WorkerFault` about a store on disk."""
PART_PREFIX = "part:"
"""Begins the `pipeline` of a `WorkerFault` about a part of the worker itself, which the status shows until it is over."""
HOME_PART = f"{PART_PREFIX}home_automation"


class WorkerFault(Wire, tag="fault"):
    """A fault or its end; one line, logged when it starts and when it ends, never per frame. `pipeline`: its name, or `disk:` and
    the name of a store on disk, with the state of the disk and the folder on it (empty: none)."""

    pipeline: str
    text: str
    over: bool = False
    disk_state: str = ""
    folder: str = ""
    waits: bool = False


class LoggedLine(Wire, tag="log"):
    """A record of the worker's log, without secrets. lost_before: lines that were lost before it, because there were too many."""

    at: float
    level: Annotated[int, Meta(ge=0, le=100)]
    logger: str
    text: Annotated[str, Meta(max_length=1000)]
    lost_before: Count = 0


class DeviceMoved(Wire, tag="device_moved"):
    """The worker reloaded a slot by itself, because its accelerator works again or has failed; contains the running package."""

    slot: Name
    running: Running
    detail: str = ""


FromWorker = Done | PictureTaken | VideoStarted | Heartbeat | Gauges | EventFound | WorkerFault | LoggedLine | DeviceMoved


def read_request(line: bytes) -> ToWorker:
    """Decode one line from the supervisor.

    Raises:
        MessageError: not a request of the contract.
    """
    return cast("ToWorker", _read(line, (SetSlot, ClearSlot, SetPipelines, TakePicture, StartVideo, Stop, EventsTaken)))


def read_report(line: bytes) -> FromWorker:
    """Decode one line from the worker.

    Raises:
        MessageError: not a message of a worker.
    """
    kinds = (Done, PictureTaken, VideoStarted, Heartbeat, Gauges, EventFound, WorkerFault, LoggedLine, DeviceMoved)
    return cast("FromWorker", _read(line, kinds))


def _read(line: bytes, kinds: tuple[type[Wire], ...]) -> Wire:
    try:
        plain = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise MessageError(f"not JSON: {fault_text(error)}") from error
    tag = plain.get("type") if isinstance(plain, dict) else None
    for kind in kinds:
        if tag == kind.__struct_config__.tag:
            return from_plain(plain, kind)
    known = ", ".join(str(kind.__struct_config__.tag) for kind in kinds)
    raise MessageError(f"not a message between supervisor and worker: {line[:100]!r}; known are {known}")
