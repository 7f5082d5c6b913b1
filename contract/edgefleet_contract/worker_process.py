"""What supervisor and worker say to each other: one JSON object a line over the worker's own socket pair.

The supervisor commands, the worker answers every request once (same `request`), and speaks unasked in `Heartbeat`, `Gauges`,
`EventSeen`, `Trouble`, `Moved`. Frames never cross this border; a picture that was asked for does, as a file.
"""

from __future__ import annotations

from typing import cast

import msgspec

from edgefleet_contract.core.errors import MessageError
from edgefleet_contract.encoding.codec import Wire, from_plain
from edgefleet_contract.encoding.names import Digest, Name
from edgefleet_contract.pipeline.spec import PipelineSpec
from edgefleet_contract.wire.messages import Event, PipelineGauges, Running, ShadowGauges
from edgefleet_contract.wire.reason_codes import Reason

HEARTBEAT_S = 0.5
"""How often a worker shows that it lives."""
SILENCE_S_MAX = 5.0
"""A worker silent for so long is killed and started again."""


class SetSlot(Wire, tag="set_slot"):
    """Load the package in `folder` beside the incumbent, then switch every pipeline of the slot between two frames.

    `threads` of the runtime; 0 = its own choice. `strict`: refuse the package where the profile's accelerator cannot be had.
    `cache`: folder for what a runtime compiles for an accelerator; none = nothing is kept.
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


class ClearSlot(Wire, tag="clear_slot"):
    """Give back what a slot holds; only of slots that no pipeline uses."""

    request: int
    slot: Name


class SetPipelines(Wire, tag="set_pipelines"):
    """Run exactly these pipelines; those unchanged go on undisturbed."""

    request: int
    pipelines: list[PipelineSpec]


class TakePicture(Wire, tag="take_picture"):
    """Write the next frame of a pipeline, its masks painted over, as a JPEG to `file`; `overlays`: with boxes, zones and lines.

    Answered by `PictureTaken`, out of turn: it waits for a frame, for which no other request should.
    """

    request: int
    pipeline: Name
    file: str
    overlays: bool = False


class Stop(Wire, tag="stop"):
    """End in good order: flush events, then exit 0."""

    request: int


ToWorker = SetSlot | ClearSlot | SetPipelines | TakePicture | Stop


class Done(Wire, tag="done"):
    """Answer to a request. For `SetSlot`: what runs now, and how long the switch kept frames waiting. For `SetPipelines`: those
    that were not taken, and why; each of them stays what it was."""

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
    """Answer to `TakePicture`: the file is there (size in pixels, `taken_at` wall time), or why not."""

    request: int
    ok: bool
    detail: str = ""
    width: int = 0
    height: int = 0
    taken_at: float = 0.0


class Heartbeat(Wire, tag="heartbeat"):
    """The worker lives. `frames_total` counts inferred frames by slot, for the trial's health check."""

    monotonic_s: float
    rss_bytes: int = 0
    frames_total: dict[Name, int] = msgspec.field(default_factory=dict)
    errors_total: dict[Name, int] = msgspec.field(default_factory=dict)


class Gauges(Wire, tag="gauges"):
    """One window of every pipeline, and of candidates beside incumbents, by the slot they are about."""

    window_s: float
    pipelines: dict[Name, PipelineGauges]
    shadows: dict[Name, ShadowGauges] = msgspec.field(default_factory=dict)


class EventFound(Wire, tag="event"):
    """A rule fired."""

    event: Event


class WorkerFault(Wire, tag="trouble"):
    """Something a person should read; one line, at the edge (when it starts and when it ends), never per frame."""

    pipeline: str
    text: str
    over: bool = False


class DeviceMoved(Wire, tag="moved"):
    """A slot was loaded again by the worker itself, because its accelerator is back or has failed: what runs now."""

    slot: Name
    running: Running
    detail: str = ""


FromWorker = Done | PictureTaken | Heartbeat | Gauges | EventFound | WorkerFault | DeviceMoved


def read_request(line: bytes) -> ToWorker:
    """One line of the supervisor.

    Raises:
        MessageError: not a request of the contract.
    """
    return cast("ToWorker", _read(line, (SetSlot, ClearSlot, SetPipelines, TakePicture, Stop)))


def read_word(line: bytes) -> FromWorker:
    """One line of the worker.

    Raises:
        MessageError: not something that a worker says.
    """
    return cast("FromWorker", _read(line, (Done, PictureTaken, Heartbeat, Gauges, EventFound, WorkerFault, DeviceMoved)))


def _read(line: bytes, kinds: tuple[type[Wire], ...]) -> Wire:
    try:
        plain = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise MessageError(f"not JSON: {error}") from error
    told = plain.get("type") if isinstance(plain, dict) else None
    for kind in kinds:
        if told == kind.__struct_config__.tag:
            return from_plain(plain, kind)
    known = ", ".join(str(kind.__struct_config__.tag) for kind in kinds)
    raise MessageError(f"not a message between supervisor and worker: {line[:100]!r}; known are {known}")
