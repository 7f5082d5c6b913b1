"""The trace extension: time stamps of one in `trace_rate` requests, in the format of Triton's trace files.

Settings are global or of one model, which overrides the global ones; they apply from the next request on. Traces go to the file
that the agent was started with (a caller cannot change it), or to the log if there is none.
"""

from __future__ import annotations

import itertools
import logging
import queue
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from edgefleet_agent.serving.protocol.errors import CallError, Code, invalid
from edgefleet_agent.serving.protocol.tensors import Array, datatype_of, text_of
from edgefleet_contract.tracing.traceparent import Parent

log = logging.getLogger(__name__)

LEVELS = ("OFF", "TIMESTAMPS", "TENSORS")
FILE_BYTES_MAX = 64 * 1024 * 1024
"""Size limit of a trace file; later traces are dropped."""
PENDING_MAX = 1000
"""Traces queued for the disk; more are dropped."""
MODELS_MAX = 1000
ELEMENTS_LOGGED_MAX = 1024
"""Elements of a tensor in a trace."""
_NUMBERS = {"trace_rate": (1, 2**31 - 1), "trace_count": (-1, 2**31 - 1), "log_frequency": (0, 2**31 - 1)}
_USUAL: dict[str, Any] = {"trace_level": ["OFF"], "trace_rate": "1000", "trace_count": "-1", "log_frequency": "0"}


@dataclass(slots=True)
class Trace:
    """One traced request. stamps: name, wall-clock nanoseconds. `began` is on the monotonic clock, like the stamps of a batch."""

    id: int
    model: str
    version: str
    request_id: str
    levels: tuple[str, ...]
    stamps: list[tuple[str, int]] = field(default_factory=list)
    tensors: list[dict[str, Any]] = field(default_factory=list)
    protocol: str = ""
    parent: Parent | None = None
    """The caller's span, if the request is exported to OpenTelemetry."""
    wall_offset_ns: int = field(default_factory=lambda: time.time_ns() - time.monotonic_ns())
    """Wall clock minus monotonic clock, read once: stamps keep their order and distances when the wall clock is set."""

    def stamp(self, name: str, monotonic_ns: int = 0) -> None:
        """Record a time stamp, of now or of `monotonic_ns`."""
        self.stamps.append((name, self.wall_offset_ns + (monotonic_ns or time.monotonic_ns())))

    def computed(self, arrived_ns: int, began_ns: int, ready_ns: int, computed_ns: int) -> None:
        """Record the stamps of a computed batch (monotonic clock): queued, gathering started, inference started and ended."""
        self.stamp("QUEUE_START", arrived_ns)
        self.stamp("COMPUTE_START", began_ns)
        self.stamp("COMPUTE_INPUT_END", ready_ns)
        self.stamp("COMPUTE_OUTPUT_START", computed_ns)

    def carry(self, activity: str, tensors: Mapping[str, Array]) -> None:
        """Record tensors, if the trace level includes them."""
        if "TENSORS" not in self.levels:
            return
        for name, array in tensors.items():
            first = array.ravel()[:ELEMENTS_LOGGED_MAX].tolist()
            data = ",".join(text_of(each).decode(errors="replace") if array.dtype.kind == "O" else str(each) for each in first)
            shape = ",".join(map(str, array.shape))
            record = {"name": name, "data": data, "shape": shape, "dtype": datatype_of(array.dtype)}
            self.tensors.append({"id": self.id, "activity": activity, "tensor": record})

    def records(self) -> list[dict[str, Any]]:
        """The records of the trace file."""
        version: Any = int(self.version) if self.version.isdecimal() else self.version
        head = {"id": self.id, "model_name": self.model, "model_version": version, "request_id": self.request_id}
        stamps = [{"name": name, "ns": ns} for name, ns in self.stamps] if "TIMESTAMPS" in self.levels else []
        return [head, *([{"id": self.id, "timestamps": stamps}] if stamps else []), *self.tensors]


class Traces:
    """Settings and destination of traces. Settings change under a lock; `begin` is called for every request, cheap if off."""

    def __init__(self, file: Path | None = None) -> None:
        self.file = file
        self.on = False
        self._global = dict(_USUAL)
        self._models: dict[str, dict[str, Any]] = {}
        self._seen: dict[str, int] = {}
        self._left: dict[str, int] = {}
        self._ids = itertools.count(1)
        self._lock = threading.Lock()
        self._writer: _Writer | None = None

    def settings(self, model: str = "") -> dict[str, Any]:
        """The settings of a model, or the global ones."""
        with self._lock:
            record = self._of(model)
        return {**record, "trace_file": str(self.file or ""), "trace_mode": "triton"}

    def update(self, model: str, changes: Mapping[str, Any]) -> dict[str, Any]:
        """Change some settings: all, or none if one is not valid. None resets a setting to the global or default value.

        Raises:
            CallError: an unknown setting, or a value that is not valid.
        """
        checked = {name: _checked(name, value) for name, value in changes.items()}
        with self._lock:
            if model and model not in self._models and len(self._models) >= MODELS_MAX:
                raise invalid(f"{MODELS_MAX} models have trace settings of their own")
            own = self._models.setdefault(model, {}) if model else self._global
            for name, value in checked.items():
                if value is not None:
                    own[name] = value
                elif model:
                    own.pop(name, None)
                else:
                    own[name] = _USUAL[name]
            self._seen.clear()
            self._left = {each: int(self._of(each)["trace_count"]) for each in ("", *self._models)}
            self.on = any(self._of(each)["trace_level"] != ["OFF"] for each in ("", *self._models))
        return self.settings(model)

    def begin(self, model: str, version: str, request_id: str) -> Trace | None:
        """The trace of this request; None if it is not sampled."""
        with self._lock:
            key = model if model in self._models else ""
            settings = self._of(key)
            if settings["trace_level"] == ["OFF"] or self._left.get(key) == 0:
                return None
            self._seen[key] = self._seen.get(key, -1) + 1
            if self._seen[key] % int(settings["trace_rate"]):
                return None
            if self._left.get(key, -1) > 0:
                self._left[key] -= 1
            return Trace(next(self._ids), model, version, request_id, tuple(settings["trace_level"]))

    def finish(self, trace: Trace) -> None:
        """Write the trace of an answered request."""
        if self.file is None:
            log.info("trace %s", msgspec.json.encode(trace.records()).decode())
            return
        with self._lock:
            if self._writer is None:
                self._writer = _Writer(self.file)
            frequency = int(self._of(trace.model)["log_frequency"])
        self._writer.put(trace, frequency)

    def close(self) -> None:
        """Write queued traces."""
        if self._writer is not None:
            self._writer.close()

    def _of(self, model: str) -> dict[str, Any]:
        return {**self._global, **self._models.get(model, {})}


class _Writer:
    """Appends traces to a file that is a valid JSON array after each of them. A thread writes, so that callers never wait."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._traces: queue.Queue[tuple[Trace, int] | None] = queue.Queue(PENDING_MAX)
        self._written = 0
        self._thread = threading.Thread(target=self._run, name="serve:traces", daemon=True)
        self._thread.start()

    def put(self, trace: Trace, frequency: int) -> None:
        try:
            self._traces.put_nowait((trace, frequency))
        except queue.Full:
            log.warning("trace dropped: the disk is too slow; raise trace_rate")

    def close(self) -> None:
        self._traces.put(None)
        self._thread.join(5.0)

    def _run(self) -> None:
        while (item := self._traces.get()) is not None:
            trace, frequency = item
            # With a frequency, a file for each so many traces, numbered as Triton numbers them.
            file = self._file.with_name(f"{self._file.name}.{self._written // frequency}") if frequency else self._file
            try:
                _append(file, trace.records())
            except OSError as cause:
                log.warning("%s: a trace cannot be written: %s", file, cause.strerror)
            self._written += 1


def _append(file: Path, records: list[dict[str, Any]]) -> None:
    text = ",\n".join(msgspec.json.encode(record).decode() for record in records)
    file.touch()
    with file.open("r+b") as stream:
        length = stream.seek(0, 2)
        if length > FILE_BYTES_MAX:
            return
        if length:
            stream.seek(length - 2)  # over the end of the array
        stream.write((",\n" if length else "[\n").encode() + text.encode() + b"]\n")


def _checked(name: str, value: Any) -> Any:
    if name == "trace_file":
        raise CallError(Code.UNSUPPORTED, "trace file location can not be updated through network protocol")
    if name not in _USUAL:
        raise invalid(f"unknown trace setting '{name[:64]}'")
    if value is None:
        return None
    if name == "trace_level":
        levels = [value] if isinstance(value, str) else value
        if not isinstance(levels, list) or not levels or any(level not in LEVELS for level in levels):
            raise invalid(f"trace_level must be one of {', '.join(LEVELS)}")
        if "OFF" in levels and len(levels) > 1:
            raise invalid("trace_level OFF cannot be combined with other levels")
        return sorted(set(levels), key=LEVELS.index)
    low, high = _NUMBERS[name]
    value = value[0] if isinstance(value, list) and len(value) == 1 else value
    text = str(value).removeprefix("-")
    if isinstance(value, bool) or not text.isdecimal() or len(text) > 10 or not low <= int(value) <= high:
        raise invalid(f"{name} must be a whole number from {low} to {high}")
    return str(int(value))
