"""A session in another process: a crash of the runtime is an error of one run, after which the process starts again (see
`backends.restart_pause`). Outputs are views of the shared memory, valid until the next run, unless the session makes copies.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from edgefleet_agent.backends.base import Array, LoadOptions, Placement, check_inputs
from edgefleet_agent.backends.contained import RUN_S_MAX, RuntimeFaultError
from edgefleet_agent.backends.isolated.child_process import ChildProcess, LostProcessError, leave_process, take_process
from edgefleet_agent.backends.isolated.connection import Connection
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
    ToProcess,
    from_message,
    read_tensors,
)
from edgefleet_agent.backends.isolated.run_limit import FixedLimit, LearnedLimit, RunLimit
from edgefleet_agent.backends.restarting_session import RestartingSession
from edgefleet_agent.core.clock import Clock
from edgefleet_contract.core.errors import MissingError, ModelError

LOAD_S_MAX = 300.0
"""Limit of a load: some accelerators compile for minutes."""
RUN_S_LIMIT = 3600.0


@dataclass(frozen=True, slots=True)
class Isolation:
    """Terms of a session in another process. key: sessions with the same one share a process; empty for a process of its own.
    prompt_restarts: restarts in a row without a pause. copies: outputs are new arrays at every run.
    """

    limit: RunLimit
    key: str = ""
    load_s_max: float = LOAD_S_MAX
    prompt_restarts: int = 1
    copies: bool = False


def open_isolated(runtime: str, files: tuple[Path, ...], options: LoadOptions, run_s_max: object) -> IsolatedSession:
    """Load a model in a new process. run_s_max: time limit of a run; a process that exceeds it is ended.

    Raises:
        ModelError: the runtime refuses the file, its process ends, or the limit is not valid. MissingError: the runtime or, if
            strict, the device is missing.
    """
    if isinstance(run_s_max, bool) or not isinstance(run_s_max, (int, float)) or not 0 < run_s_max <= RUN_S_LIMIT:
        raise ModelError(f"option {RUN_S_MAX} = {run_s_max!r}: must be a number of seconds up to {RUN_S_LIMIT:g}")
    return IsolatedSession(open_message(runtime, files, options), Isolation(FixedLimit(run_s_max)))


def open_apart(runtime: str, files: tuple[Path, ...], options: LoadOptions, run_s_max: object) -> IsolatedSession:  # noqa: ARG001
    """`open_on_device` by the name of the device, which learns its own limit of a run."""
    return open_on_device(runtime, files, options, options.device)


def open_on_device(
    runtime: str,
    files: tuple[Path, ...],
    options: LoadOptions,
    place: str,
    load_s_max: float = LOAD_S_MAX,
    *,
    copies: bool = False,
) -> IsolatedSession:
    """Load a model in the process of a device, which all models on it share. A run that takes much longer than those before
    hangs (see `run_limit`): the process is ended and started again. place: where the device is, so that it has one process
    whatever its name is. copies: outputs are new arrays at every run.

    Raises:
        ModelError, MissingError: as `open_isolated`.
    """
    terms = Isolation(LearnedLimit(), f"{runtime}@{place}", load_s_max, prompt_restarts=2, copies=copies)
    return IsolatedSession(open_message(runtime, files, options), terms)


def open_message(runtime: str, files: tuple[Path, ...], options: LoadOptions) -> Open:
    """The message that loads a model."""
    return Open(
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


class IsolatedSession(RestartingSession[Opened]):
    """A model in another process, which is started again after its end."""

    def __init__(self, message: Open, terms: Isolation, clock: Clock | None = None) -> None:
        """Starts the process and loads the model; raises as `open_isolated`."""
        super().__init__(message.files[0], terms.prompt_restarts, clock)
        self._message = message
        self._terms = terms
        self._process: ChildProcess | None = None
        self._connection: Connection | None = None
        self._first = True
        opened = self._start()
        self.inputs = tuple(from_message(each) for each in opened.inputs)
        self.outputs = tuple(from_message(each) for each in opened.outputs)
        self.placement = Placement(*opened.placement)
        self.folded = opened.folded

    @property
    def _runs(self) -> bool:
        return self._connection is not None

    @property
    def pid(self) -> int:
        """The id of the model's process; 0 while there is none."""
        process = self._process
        return process.pid if process is not None else 0

    def infer(self, inputs: Mapping[str, Array]) -> Mapping[str, Array]:
        check_inputs(self.inputs, inputs)
        with self._lock:
            if self._connection is None:
                try:
                    self._restart()
                except MissingError as cause:
                    raise RuntimeFaultError(f"{self._name}: {cause}") from cause
            connection = self._connection
            assert connection is not None, "restarted, or raised"
            packed = PackedTensors(self.inputs, inputs)
            try:
                connection.given.grow(packed.size)
                packed.write(connection.given.memory)
                began_s = self._clock.monotonic()
                reply = self._run(connection, Run(packed.described))
                self._terms.limit.note(self._clock.monotonic() - began_s)
                self._first = False
                outputs = read_tensors(self.outputs, reply.tensors, connection.made.memory)
                return {name: array.copy() for name, array in outputs.items()} if self._terms.copies else outputs
            except LostProcessError as cause:
                self._lost(str(cause))
                raise
            except (ModelError, MissingError):
                raise
            except BaseException:  # Ctrl-C: the next message would get the reply to this one
                self._lost("was interrupted")
                raise

    def close(self) -> None:
        with self._lock:
            self._closed = True
            self._leave()

    def _run(self, connection: Connection, message: Run) -> Ran:
        limit_s = self._terms.limit.limit_s(first=self._first)
        reply = self._ask(connection, message, limit_s)
        if isinstance(reply, Grow):
            connection.made.grow(min(reply.size, BUFFER_BYTES_MAX))
            reply = self._ask(connection, Grown(), limit_s)
        process = self._process
        assert process is not None, "it has a connection"
        process.failed_runs = 0 if isinstance(reply, Ran) else process.failed_runs + 1
        if not isinstance(reply, Ran):
            raise _error(reply)
        return reply

    def _ask(self, connection: Connection, message: ToProcess, wait_s: float) -> FromProcess:
        """Send a message; returns the reply. Under the lock.

        Raises:
            LostProcessError: the process ended, or did not reply within `wait_s` and was ended.
        """
        assert self._process is not None, "it has a connection"
        try:
            reply = connection.ask(message, wait_s)
        except TimeoutError as cause:
            self._process.kill()
            raise LostProcessError(f"the model's process did not respond for {wait_s:.3g} s and was killed") from cause
        if reply is None:
            raise LostProcessError(f"the model's process {self._process.end()}")
        return reply

    def _start(self) -> Opened:
        """Start the process and load the model. Under the lock, or before any run."""
        self._process = take_process(self._terms.key)
        try:
            self._connection = self._process.connect()
            reply = self._ask(self._connection, self._message, self._terms.load_s_max)
            if not isinstance(reply, Opened):
                raise _error(reply)
        except BaseException:
            self._leave()
            raise
        self._pause.started()
        self._first = True
        return reply

    def _leave(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        if self._process is not None:
            leave_process(self._process)
            self._process = None

    def _fits(self, opened: Opened) -> bool:
        return tuple(from_message(each) for each in (*opened.inputs, *opened.outputs)) == (*self.inputs, *self.outputs)


def placed(session: IsolatedSession, device: str) -> IsolatedSession:
    """The session, with the device's name as it was asked for."""
    session.placement = replace(session.placement, device=device)
    return session


def _error(reply: FromProcess) -> ModelError | MissingError:
    if not isinstance(reply, Failed):
        return RuntimeFaultError(f"the model's process sent {type(reply).__name__} out of order")
    if reply.kind == "missing":
        return MissingError(reply.text)
    return RuntimeFaultError(reply.text) if reply.kind == "fault" else ModelError(reply.text)
