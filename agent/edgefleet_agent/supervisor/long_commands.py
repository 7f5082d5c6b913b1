"""Commands of an operator that take a while: a picture, live video, the clip of an event, a measurement.

Each is polled once a turn until it has an answer. Its text at the deadline names the step that was not finished.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from edgefleet_agent.link.uplink import Uplink
from edgefleet_agent.recording.event_store import find
from edgefleet_agent.supervisor.device import Device
from edgefleet_agent.supervisor.diagnosis.child_output import ChildOutput, last_line
from edgefleet_agent.supervisor.diagnosis.long_command import COMMAND_ID, PICTURES, Answer
from edgefleet_agent.supervisor.pipeline_selection import PipelineSelection
from edgefleet_contract.core.errors import InputError, UnavailableError
from edgefleet_contract.encoding.codec import from_plain
from edgefleet_contract.wire.evidence_upload import EVENT_PATTERN, UploadKind
from edgefleet_contract.wire.live_video import VideoCommand
from edgefleet_contract.wire.messages import Command

BENCH_SECONDS_MAX = 60.0
BENCH_LOAD_S_MAX = 240.0
"""Additional time for loading the model: an accelerator may compile it first."""
BENCH_OUTPUT_BYTES_MAX = 64 * 1024


class Snapshot:
    """A picture of a pipeline as it is now, its masks painted over: taken by the worker, then uploaded before all else.

    Arguments of the command: `pipeline` (may be left out where there is one), `overlays` (false): with boxes, zones and lines.

    Raises:
        EdgefleetError: it cannot be; the text says why.
    """

    def __init__(self, device: Device, command: Command, evidence: Path) -> None:
        self._worker, self._id = device.processes.worker, command.id
        self._pipeline = _pipeline(device.pipelines, command.args.get("pipeline", ""))
        overlays = command.args.get("overlays", False)
        if not isinstance(overlays, bool):
            raise InputError("overlays: must be true or false")
        if COMMAND_ID.match(command.id) is None:
            raise InputError("the command id is not valid as a snapshot name")
        self._name = f"{PICTURES}/{command.id}.jpg"
        self._upload = Sending(device.link.uplink, command.id, "picture", self._name)
        self._request = self._worker.take_picture(self._pipeline, str(evidence / self._name), overlays=overlays)
        self._result: dict[str, Any] | None = None

    def turn(self, _now: float, wall: float, /) -> Answer | None:
        if self._result is None:
            taken = self._worker.pictures.answer(self._request)
            if taken is None:
                return None
            if not taken.ok:
                return False, taken.detail, {}
            size = {"width": taken.width, "height": taken.height, "taken_at": taken.taken_at}
            self._result = {"picture": self._id, "pipeline": self._pipeline, **size}
            self._upload.begin(wall)
        return self._upload.turn(self._result)

    def stage(self) -> str:
        return self._upload.stage() if self._result is not None else f"{self._pipeline} has delivered no frame yet"

    def stop(self) -> None:
        """The picture arrives later, or not at all; either is harmless."""


@dataclass(frozen=True, slots=True)
class VideoOffer:
    """Live video that a device allows: streams at once (0: none) and bytes an hour (0: no limit). url: in place of that of the
    command, empty: that. authority: returns the authority (PEM) of the server, empty: one of the system."""

    streams_max: int
    bytes_per_hour: int
    authority: Callable[[], str]
    url: str = ""


class LiveVideo:
    """Start live video of a camera. Arguments: see `VideoCommand`.

    Raises:
        EdgefleetError: it cannot be; the text says why.
    """

    def __init__(self, device: Device, command: Command, offer: VideoOffer) -> None:
        if not offer.streams_max:
            raise UnavailableError(
                "disabled on this device: [live_video] streams = 0 or [evidence] on_request = false in its settings"
            )
        args = from_plain(command.args, VideoCommand)
        if args.pipeline not in device.pipelines.specs():
            known = ", ".join(sorted(device.pipelines.specs())) or "none"
            raise InputError(f"no pipeline {args.pipeline!r}; known are {known}")
        self._pipeline, self._worker = args.pipeline, device.processes.worker
        url = offer.url or args.url
        self._request = self._worker.start_video(
            args.pipeline, url, args.ticket, offer.authority(), offer.streams_max, offer.bytes_per_hour
        )

    def turn(self, _now: float, _wall: float, /) -> Answer | None:
        started = self._worker.videos.answer(self._request)
        return None if started is None else (started.ok, started.detail, {})

    def stage(self) -> str:
        return f"{self._pipeline} is connecting to the server"

    def stop(self) -> None:
        """Nothing to stop: the stream ends without viewers."""


class Clip:
    """Upload the stored evidence of an event now. Arguments: `event`, its id; `kind` (clip).

    Raises:
        EdgefleetError: it cannot be; the text says why.
    """

    def __init__(self, uplink: Uplink, command: Command, evidence: Path) -> None:
        event, kind = command.args.get("event"), command.args.get("kind", "clip")
        if not isinstance(event, str) or re.match(EVENT_PATTERN, event) is None:
            raise InputError("event: must be the id of an event, as shown by `edgefleet event list`")
        if kind not in ("clip", "snapshot"):
            raise InputError("kind: must be clip or snapshot")
        stored = find(evidence, event)
        if stored is None:
            raise UnavailableError(f"no event {event} on this device; it may have been deleted to make room for newer ones")
        if stored.open and kind == "clip":
            raise UnavailableError(f"event {event} has not ended yet; its clip is written when it ends")
        name = stored.event.data.get(kind)
        if not isinstance(name, str) or re.match(r"^[a-z0-9][a-z0-9_-]*/[A-Za-z0-9_-]+\.(jpg|mp4)$", name) is None:
            raise UnavailableError(f"event {event} has no {kind}; see [evidence] of its pipeline for what is kept")
        self._result = {"event": event, "kind": kind}
        self._upload = Sending(uplink, event, kind, name)
        self._started = False

    def turn(self, _now: float, wall: float, /) -> Answer | None:
        if not self._started:
            self._upload.begin(wall)
            self._started = True
        return self._upload.turn(self._result)

    def stage(self) -> str:
        return self._upload.stage()

    def stop(self) -> None:
        """Nothing to stop: the upload continues and arrives later."""


@dataclass(slots=True)
class Sending:
    """The last step of a long command: a file is uploaded to the server."""

    uplink: Uplink
    event: str
    kind: UploadKind
    name: str

    def begin(self, wall: float) -> None:
        """
        Raises:
            EdgefleetError: it cannot be sent; the text says why.
        """
        uploads = self.uplink.uploads
        if uploads is None:
            raise UnavailableError("uploads are disabled on this device: [evidence] on_request = false in its settings")
        uploads.ask(self.event, self.kind, self.name, wall)

    def turn(self, result: dict[str, Any]) -> Answer | None:
        """The answer, once the server has the file or refuses it."""
        uploads = self.uplink.uploads
        fate = uploads.fate(self.event, self.kind) if uploads is not None else None
        if fate is None:
            return None
        return (False, fate, {}) if fate else (True, "", result)

    def stage(self) -> str:
        return f"the {self.kind} is being uploaded"


class Bench:
    """Measure the speed of a slot's package: `edgefleet-agent bench` in a child process, at low priority, one at a time.

    Arguments of the command: `slot` (may be left out where there is one) and what it runs, or `digest` of a package that is on
    the device; `seconds` (5, at most 60). Pipelines go on; where the model has the accelerator for itself, the answer says so.

    Raises:
        EdgefleetError: it cannot be; the text says why.
    """

    def __init__(self, device: Device, command: Command, bench: list[str], now: float) -> None:
        seconds = command.args.get("seconds", 5.0)
        if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0.1 <= seconds <= BENCH_SECONDS_MAX:
            raise InputError(f"seconds: must be a number from 0.1 to {BENCH_SECONDS_MAX:g}")
        self._about = _package(device, command.args)
        folder = device.stores.packages.folder(self._about["digest"])
        if not folder.is_dir():
            raise UnavailableError(f"package {self._about['digest'][:12]} is not on this device")
        options = ["--seconds", str(seconds), "--json", str(folder)]
        self._child = ChildOutput([*bench, *options], now, seconds + BENCH_LOAD_S_MAX, BENCH_OUTPUT_BYTES_MAX)

    def turn(self, now: float, _wall: float, /) -> Answer | None:
        done = self._child.turn(now)
        if done is None:
            return None
        code, text = done
        if code is None:
            return False, "the benchmark timed out", {}
        try:
            found = msgspec.json.decode(text) if code == 0 else None
        except msgspec.DecodeError:
            found = None
        if not isinstance(found, dict):
            return False, last_line(text, f"the benchmark exited with code {code} and no output")[:500], {}
        found["runtime_version"] = found.pop("version", "")
        return True, "", {**found, **self._about, "machine": os.uname().nodename[:120]}

    def stage(self) -> str:
        return "benchmark in progress"

    def stop(self) -> None:
        self._child.stop()


def _pipeline(pipelines: PipelineSelection, requested: object) -> str:
    names = sorted(pipelines.specs())
    if not requested and len(names) == 1:
        return names[0]
    if not isinstance(requested, str) or requested not in names:
        problem = "specify a pipeline" if not requested else f"no pipeline {str(requested)[:64]!r}"
        raise InputError(f"{problem}; known are {', '.join(names) or 'none'}")
    return requested


def _package(device: Device, args: dict[str, Any]) -> dict[str, Any]:
    """The package to measure: name, version, digest."""
    running = device.processes.worker.running
    digest, slot = args.get("digest"), args.get("slot")
    if digest is None:
        slot = slot or (next(iter(running)) if len(running) == 1 else "")
        if slot not in running:
            raise InputError(f"slot: must be one of {', '.join(sorted(running)) or 'none (no model is running)'}")
        about = running[slot]
    else:
        if not isinstance(digest, str) or re.match(r"^[0-9a-f]{64}$", digest) is None:
            raise InputError("digest: must be the SHA-256 of a package descriptor, as shown by `edgefleet model show`")
        about = device.stores.about(digest)
    return {
        "package": about.package,
        "version": about.version,
        "digest": about.digest,
        "profile": device.processes.worker.options.profile,
    }
