"""The fixed list of checks that an operator runs from afar. Each gives rows: what was checked, whether it is as it should be, and
what to do if not. None takes text that a shell or a program would read as a command."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from edgefleet_agent.sources.redact import scrub
from edgefleet_agent.supervisor.diagnosis.child_output import ChildOutput, last_line
from edgefleet_agent.supervisor.diagnosis.long_command import COMMAND_ID, PICTURES, Answer, LongCommand
from edgefleet_agent.supervisor.worker.worker_client import WorkerClient
from edgefleet_contract.core.errors import InputError, UnavailableError
from edgefleet_contract.pipeline.spec import EVENTS, PipelineSpec
from edgefleet_contract.wire.messages import Command

CHILD_S_MAX = 120.0
SELFTEST_S_MAX = 240.0
CAMERA_S_MAX = 20.0
OUTPUT_BYTES_MAX = 256 * 1024
ROWS_MAX = 200
TEXT_CHARS_MAX = 400
CAMERAS, SELFTEST = "cameras", "selftest"


@dataclass(frozen=True, slots=True)
class CheckPlace:
    """Parts of the device that checks need. programs: command lines of those that run as a program, by name; folder: of a
    package, by its digest; evidence: where the frames of cameras are written."""

    worker: WorkerClient
    specs: Mapping[str, PipelineSpec]
    programs: Mapping[str, list[str]]
    folder: Callable[[str], Path]
    evidence: Path


def begin_check(place: CheckPlace, command: Command, now: float) -> LongCommand:
    """Start the check that the command names (`check`).

    Raises:
        InputError: there is no such check. UnavailableError: it cannot run now.
    """
    name = command.args.get("check")
    known = sorted({*place.programs, CAMERAS})
    if not isinstance(name, str) or name not in known:
        raise InputError(f"check: must be one of {', '.join(known)}")
    if name == CAMERAS:
        return CameraCheck(place, command, now)
    if name == SELFTEST:
        return SelfTests(place, now)
    return ProgramCheck(place.programs[name], now)


def row(what: object, detail: object, *, ok: bool, needed: bool = True, fix: object = "") -> dict[str, Any]:
    """One result, without secrets."""
    texts = {name: scrub(str(text))[:TEXT_CHARS_MAX] for name, text in (("what", what), ("detail", detail), ("fix", fix))}
    return {**texts, "ok": ok, "needed": needed}


def result(rows: list[dict[str, Any]]) -> Answer:
    """The answer with these rows."""
    return True, "", {"ok": all(each["ok"] for each in rows if each["needed"]), "checks": rows[:ROWS_MAX]}


class ProgramCheck:
    """A check that runs as a program of the agent, which prints its rows as JSON."""

    def __init__(self, command: list[str], now: float) -> None:
        self._child = ChildOutput(command, now, CHILD_S_MAX, OUTPUT_BYTES_MAX)

    def turn(self, now: float, _wall: float, /) -> Answer | None:
        done = self._child.turn(now)
        if done is None:
            return None
        code, text = done
        if code is None:
            return False, f"the check did not end within {CHILD_S_MAX:.0f} s", {}
        found = _object(text)
        checks = found.get("checks") if found is not None else None
        if not isinstance(checks, list):
            return False, _last_line(text, code), {}
        return result([_row_of(each) for each in checks if isinstance(each, dict)])

    def stage(self) -> str:
        return "the check is in progress"

    def stop(self) -> None:
        self._child.stop()


class SelfTests:
    """The self-test of each package that runs, one after the other: golden samples, latency, memory.

    Raises:
        UnavailableError: no model is running.
    """

    def __init__(self, place: CheckPlace, now: float) -> None:
        running = sorted(place.worker.running.items())
        self._waiting = [(slot, each, place.folder(each.digest)) for slot, each in running]
        if not self._waiting:
            raise UnavailableError("no model is running on this device")
        self._command = place.programs[SELFTEST]
        self._rows: list[dict[str, Any]] = []
        self._child = self._next(now)

    def turn(self, now: float, _wall: float, /) -> Answer | None:
        done = self._child.turn(now)
        if done is None:
            return None
        slot, running, _ = self._waiting.pop(0)
        self._rows.append(_verdict(f"{slot}: {running.package}@{running.version}", *done))
        if not self._waiting:
            return result(self._rows)
        self._child = self._next(now)
        return None

    def stage(self) -> str:
        return f"the self-test of slot {self._waiting[0][0]} is in progress" if self._waiting else "self-test in progress"

    def stop(self) -> None:
        self._child.stop()

    def _next(self, now: float) -> ChildOutput:
        return ChildOutput([*self._command, str(self._waiting[0][2])], now, SELFTEST_S_MAX, OUTPUT_BYTES_MAX)


class CameraCheck:
    """Whether each camera gives a frame now. The frames stay on the device, and are deleted.

    Raises:
        UnavailableError: no pipeline has a camera.
    """

    def __init__(self, place: CheckPlace, command: Command, now: float) -> None:
        if COMMAND_ID.match(command.id) is None:
            raise InputError("the command id is not valid as a file name")
        self._worker = place.worker
        self._ends_s = now + CAMERA_S_MAX
        self._rows: dict[str, dict[str, Any]] = {}
        self._waiting: dict[str, int] = {}
        self._files: list[Path] = []
        for name, spec in sorted(place.specs.items()):
            if spec.source.kind == EVENTS:
                continue
            file = place.evidence / PICTURES / f"{command.id}-{name}.jpg"
            self._files.append(file)
            self._waiting[name] = self._worker.take_picture(name, str(file), overlays=False)
        if not self._waiting:
            raise UnavailableError("no pipeline on this device has a camera")

    def turn(self, now: float, wall: float, /) -> Answer | None:
        for name, request in list(self._waiting.items()):
            taken = self._worker.pictures.answer(request)
            if taken is None and now < self._ends_s:
                continue
            del self._waiting[name]
            if taken is None:
                self._rows[name] = row(
                    name, f"no frame within {CAMERA_S_MAX:.0f} s", ok=False, fix="check its power, cable and address"
                )
            elif taken.ok:
                age_s = max(0.0, wall - taken.taken_at)
                self._rows[name] = row(name, f"{taken.width} x {taken.height} pixels, {age_s:.1f} s old", ok=True)
            else:
                self._rows[name] = row(name, taken.detail, ok=False)
        if self._waiting:
            return None
        self.stop()
        return result([self._rows[name] for name in sorted(self._rows)])

    def stage(self) -> str:
        return f"{', '.join(self._waiting)} gave no frame yet"

    def stop(self) -> None:
        """Delete the frames; one that comes later is deleted by retention."""
        for file in self._files:
            file.unlink(missing_ok=True)


def _row_of(each: dict[str, Any]) -> dict[str, Any]:
    needed = each.get("needed", True) is not False
    return row(each.get("what", ""), each.get("detail", ""), ok=each.get("ok") is True, needed=needed, fix=each.get("fix", ""))


def _verdict(what: str, code: int | None, text: str) -> dict[str, Any]:
    found = _object(text)
    if code is None:
        return row(what, f"the self-test did not end within {SELFTEST_S_MAX:.0f} s", ok=False)
    if found is None:
        return row(what, _last_line(text, code), ok=False)
    if found.get("ok") is True:
        measured = (
            f"{float(found.get('latency_ms') or 0.0):.1f} ms per frame on {found.get('runtime', '')}, {found.get('device', '')}"
        )
        return row(what, f"passed: {measured}", ok=True)
    return row(what, f"{found.get('reason', 'refused')}: {found.get('detail', '')}", ok=False)


def _object(text: str) -> dict[str, Any] | None:
    """The JSON object of an output, which may have lines of libraries before it."""
    begin = 0 if text.startswith("{") else text.find("\n{") + 1
    try:
        found = msgspec.json.decode(text[begin:])
    except msgspec.DecodeError:
        return None
    return found if isinstance(found, dict) else None


def _last_line(text: str, code: int) -> str:
    return scrub(last_line(text, f"the check exited with code {code} and no output"))[:TEXT_CHARS_MAX]
