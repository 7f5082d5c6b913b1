"""A session in a process of its own: a crash of the runtime is an error of one run, after which the process starts again.

The first restart follows at once, each further one after a pause that doubles; a process that lived for `STABLE_S` starts the row
anew. Outputs are views of the shared memory, valid until the next run.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from pathlib import Path

from edgefleet_agent.backends.base import Array, LoadOptions, Placement, Session, check_inputs
from edgefleet_agent.backends.contained import RUN_S_MAX, RuntimeFaultError
from edgefleet_agent.backends.isolated.child_process import ChildProcess
from edgefleet_agent.backends.isolated.messages import (
    BUFFER_BYTES_MAX,
    Failed,
    FromProcess,
    Grow,
    Grown,
    Open,
    Opened,
    PackedTensors,
    Ran,
    Run,
    from_message,
    read_tensors,
)
from edgefleet_agent.core.clock import Clock, SystemClock
from edgefleet_contract.core.errors import MissingError, ModelError
from edgefleet_contract.wire.backoff import full_jitter

log = logging.getLogger(__name__)

LOAD_S_MAX = 300.0
"""Limit of a load: some accelerators compile for minutes."""
RUN_S_LIMIT = 3600.0
PAUSE_S_MIN = 1.0
PAUSE_S_MAX = 60.0
STABLE_S = 60.0
_WAIT_S = 0.1


def open_isolated(runtime: str, files: tuple[Path, ...], options: LoadOptions, run_s_max: object) -> IsolatedSession:
    """Load a model in a new process. run_s_max: time limit of a run; a process that exceeds it is ended.

    Raises:
        ModelError: the runtime refuses the file, its process ends, or the limit is not valid. MissingError: the runtime or, if
            strict, the device is missing.
    """
    if isinstance(run_s_max, bool) or not isinstance(run_s_max, (int, float)) or not 0 < run_s_max <= RUN_S_LIMIT:
        raise ModelError(f"option {RUN_S_MAX} = {run_s_max!r}: must be a number of seconds up to {RUN_S_LIMIT:g}")
    message = Open(
        runtime,
        [str(file.absolute()) for file in files],
        options.device,
        options.threads,
        options.strict,
        str(options.cache_dir.absolute()) if options.cache_dir is not None else "",
        dict(options.options),
        options.picture,
        options.deterministic,
    )
    return IsolatedSession(message, run_s_max)


class IsolatedSession(Session):
    """A model in a process of its own, which is started again after its end."""

    def __init__(self, message: Open, run_s_max: float, clock: Clock | None = None) -> None:
        """Starts the process and loads the model; raises as `open_isolated`."""
        self._message = message
        self._run_s_max = run_s_max
        self._clock = clock or SystemClock()
        self._name = Path(message.files[0]).name
        self._lock = threading.Lock()
        self._closed = False
        self._process: ChildProcess | None = None
        self._losses = 0
        self._due_s = self._started_s = 0.0
        opened = self._start()
        self.inputs = tuple(from_message(each) for each in opened.inputs)
        self.outputs = tuple(from_message(each) for each in opened.outputs)
        self.placement = Placement(*opened.placement)
        self.folded = opened.folded

    @property
    def pid(self) -> int:
        """The id of the model's process; 0 while there is none."""
        process = self._process
        return process.pid if process is not None else 0

    def infer(self, inputs: Mapping[str, Array]) -> Mapping[str, Array]:
        check_inputs(self.inputs, inputs)
        with self._lock:
            if self._process is None:
                self._restart()
            process = self._process
            assert process is not None, "restarted, or raised"
            packed = PackedTensors(self.inputs, inputs)
            try:
                process.given.grow(packed.size)
                packed.write(process.given.memory)
                reply = self._ask(process, Run(packed.described))
                return read_tensors(self.outputs, reply.tensors, process.made.memory)
            finally:
                if process.lost:
                    self._lost()

    def recover(self, stopping: Callable[[], bool]) -> None:
        """Wait for the end of the pause after a lost process, and start the next one; again until it runs."""
        while self._process is None and not self._closed and not stopping():
            if (wait_s := self._due_s - self._clock.monotonic()) > 0:
                self._clock.sleep(min(wait_s, _WAIT_S))
                continue
            with self._lock:
                try:
                    self._restart()
                except (ModelError, MissingError) as cause:
                    log.warning("%s: its process could not be started again: %s", self._name, cause)

    def close(self) -> None:
        with self._lock:
            self._closed = True
            if self._process is not None:
                self._process.close()
                self._process = None

    def _ask(self, process: ChildProcess, message: Run) -> Ran:
        reply = process.ask(message, self._run_s_max)
        if isinstance(reply, Grow):
            process.made.grow(min(reply.size, BUFFER_BYTES_MAX))
            reply = process.ask(Grown(), self._run_s_max)
        if not isinstance(reply, Ran):
            raise _error(reply)
        return reply

    def _start(self) -> Opened:
        """Start the process and load the model. Under the lock, or before any run."""
        process = ChildProcess()
        reply = process.ask(self._message, LOAD_S_MAX)
        if not isinstance(reply, Opened):
            process.close()
            raise _error(reply)
        self._process = process
        self._started_s = self._clock.monotonic()
        return reply

    def _restart(self) -> None:
        """Start the process again, if its pause is over. Under the lock.

        Raises:
            RuntimeFaultError: it is not, or the session is closed. ModelError, MissingError: as `open_isolated`.
        """
        wait_s = self._due_s - self._clock.monotonic()
        if self._closed:
            raise RuntimeFaultError(f"{self._name}: the model was unloaded")
        if wait_s > 0:
            raise RuntimeFaultError(f"{self._name}: its process was lost {self._losses} times; it starts again in {wait_s:.0f} s")
        try:
            opened = self._start()
        except (ModelError, MissingError):
            self._lost()
            raise
        if tuple(from_message(each) for each in (*opened.inputs, *opened.outputs)) != (*self.inputs, *self.outputs):
            assert self._process is not None, "just started"
            self._process.close()
            self._lost()
            raise RuntimeFaultError(f"{self._name}: the file changed; load the model again")

    def _lost(self) -> None:
        """Count a lost process and choose the pause before the next one. Under the lock."""
        now_s = self._clock.monotonic()
        if self._process is not None and now_s - self._started_s >= STABLE_S:
            self._losses = 0
        self._process = None
        pause_s = full_jitter(self._losses - 1, PAUSE_S_MIN, PAUSE_S_MAX, 1.0) if self._losses else 0.0
        self._losses += 1
        self._due_s = now_s + pause_s
        log.warning("%s: its process ended (%d times); it starts again in %.0f s", self._name, self._losses, pause_s)


def _error(reply: FromProcess) -> ModelError | MissingError:
    if not isinstance(reply, Failed):
        return RuntimeFaultError(f"the model's process sent {type(reply).__name__} out of order")
    if reply.kind == "missing":
        return MissingError(reply.text)
    return RuntimeFaultError(reply.text) if reply.kind == "fault" else ModelError(reply.text)
