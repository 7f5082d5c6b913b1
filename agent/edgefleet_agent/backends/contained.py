"""Contains the faults of runtimes and plug-ins: whatever they raise, callers see `ModelError`, `MissingError` or
`UnavailableError`.

`edgefleet_agent.backends.installed.find_backend` returns backends in this form, so that no exception of a plug-in (a `SystemExit`
included) reaches the thread that runs it. The wrapper also enforces the arrays' part of the contract of `backends.base`.
"""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from traceback import extract_tb

import numpy as np

from edgefleet_agent.backends.base import Array, Backend, LoadOptions, Session, one_line
from edgefleet_agent.core import plugins
from edgefleet_agent.vision.heads.base import TensorSpec
from edgefleet_contract.core.errors import EdgefleetError, MissingError, ModelError, UnavailableError
from edgefleet_contract.core.fault_text import fault_text

log = logging.getLogger(__name__)

EXPECTED = (ModelError, MissingError, UnavailableError)
"""What a backend may raise."""
ISOLATION = "isolation"
"""Option of every runtime: `process` runs the model in a process of its own, `device` in one that all models on the device
share (see `backends.isolated`), `none` does not."""
RUN_S_MAX = "isolation_run_s_max"
"""Option of every runtime: time limit of a run of an isolated model."""
RUN_S_USUAL = 30.0


class RuntimeFaultError(ModelError):
    """A runtime failed in a way that its contract excludes: an exception of another kind, a wrong output, a lost process.

    lost: the process of the model ended; the session needs to recover.
    """

    lost = False


def is_for_the_program(cause: BaseException) -> bool:
    """True for Ctrl-C, which only the main thread gets."""
    return isinstance(cause, KeyboardInterrupt) and threading.current_thread() is threading.main_thread()


def fault_with_place(cause: BaseException) -> str:
    """The text and place of an exception, in one line."""
    places = extract_tb(cause.__traceback__)
    where = f" ({Path(places[-1].filename).name}, line {places[-1].lineno})" if places else ""
    text = one_line(cause) if isinstance(cause, RuntimeError) else fault_text(cause)
    return f"{text}{where}"


@contextlib.contextmanager
def as_runtime_fault(subject: str) -> Iterator[None]:
    """Raise any unexpected exception of this block as a `RuntimeFaultError` whose text begins with `subject`.

    Raises:
        RuntimeFaultError: for every exception that is no `EdgefleetError`; those are unchanged.
    """
    try:
        yield
    except EdgefleetError:
        raise
    except BaseException as cause:
        if is_for_the_program(cause):
            raise
        log.error("%s: unexpected exception", subject, exc_info=cause)
        raise RuntimeFaultError(f"{subject}: {fault_with_place(cause)}") from cause


class ContainedSession(Session):
    """A session whose faults are errors of a run. Inputs that are not aligned are copied; outputs are checked."""

    def __init__(self, inner: Session) -> None:
        """Raises RuntimeFaultError for a session without tensors or placement of the right types."""
        self.placement = inner.placement
        self.inputs, self.outputs = tuple(inner.inputs), tuple(inner.outputs)
        self.parallel, self.folded = inner.parallel, inner.folded
        self._inner = inner
        self._runtime = inner.placement.runtime
        self._expected = [(spec.name, spec.dtype) for spec in self.outputs]
        if not all(isinstance(spec, TensorSpec) for spec in (*self.inputs, *self.outputs)):
            raise RuntimeFaultError(f"runtime {self._runtime}: inputs and outputs must be TensorSpec objects")

    def infer(self, inputs: Mapping[str, Array]) -> Mapping[str, Array]:
        try:
            return self._checked(self._inner.infer(_aligned(inputs)))
        except EXPECTED:
            raise
        except BaseException as cause:
            if is_for_the_program(cause):
                raise
            raise self._fault(cause) from cause

    def infer_all(self, rows: Iterable[Mapping[str, Array]]) -> Iterator[Mapping[str, Array]]:
        foreign: list[BaseException] = []  # an exception of `rows` is its maker's, not the runtime's

        def aligned() -> Iterator[Mapping[str, Array]]:
            try:
                for row in rows:
                    yield _aligned(row)
            except GeneratorExit:
                raise
            except BaseException as cause:
                foreign.append(cause)
                raise

        following: Iterator[Mapping[str, Array]] | None = None
        while True:
            try:
                if following is None:
                    following = iter(self._inner.infer_all(aligned()))
                found = self._checked(next(following))
            except StopIteration:
                return
            except EXPECTED:
                raise
            except BaseException as cause:
                if is_for_the_program(cause) or any(cause is each for each in foreign):
                    raise
                raise self._fault(cause) from cause
            yield found

    def recover(self, stopping: Callable[[], bool]) -> None:
        try:
            self._inner.recover(stopping)
        except BaseException as cause:
            if is_for_the_program(cause):
                raise
            log.error("runtime %s: a session did not recover", self._runtime, exc_info=cause)

    def close(self) -> None:
        """Close the session; an exception is logged, because its caller can do nothing about it."""
        try:
            self._inner.close()
        except BaseException as cause:
            if is_for_the_program(cause):
                raise
            log.error("runtime %s: a session was not closed", self._runtime, exc_info=cause)

    def _checked(self, outputs: Mapping[str, Array]) -> Mapping[str, Array]:
        for name, dtype in self._expected:
            if outputs[name].dtype != dtype:
                raise RuntimeFaultError(f"runtime {self._runtime}: output '{name}' is {outputs[name].dtype}, declared is {dtype}")
        return outputs

    def _fault(self, cause: BaseException) -> RuntimeFaultError:
        log.error("runtime %s: unexpected exception in a run", self._runtime, exc_info=cause)
        return RuntimeFaultError(f"runtime {self._runtime} failed: {fault_with_place(cause)}")


class ContainedBackend(Backend):
    """A backend whose faults are a `RuntimeFaultError`. It gives every runtime the option `isolation`."""

    def __init__(self, inner: Backend) -> None:
        self.name, self.needs, self.formats, self.own_processes = inner.name, inner.needs, inner.formats, inner.own_processes
        self._inner = inner

    def installed(self) -> bool:
        """True when the runtime can be imported; a plug-in that fails to answer is not installed."""
        try:
            with as_runtime_fault(f"runtime {self.name}"):
                return self._inner.installed()
        except RuntimeFaultError as cause:
            log.warning("%s; it is not used", cause)
            return False

    def devices(self) -> list[str]:
        with as_runtime_fault(f"runtime {self.name} cannot list its devices"):
            return self._inner.devices()

    def also_tested(self) -> list[str]:
        with as_runtime_fault(f"runtime {self.name} cannot list its devices"):
            return self._inner.also_tested()

    def trial_model(self, folder: Path) -> Path | None:
        with as_runtime_fault(f"runtime {self.name} cannot write its trial model"):
            return self._inner.trial_model(folder)

    def probe(self, device: str) -> str:
        with as_runtime_fault(f"runtime {self.name} cannot look for {device}"):
            return self._inner.probe(device)

    def load(self, files: tuple[Path, ...], options: LoadOptions) -> Session:
        own = dict(options.options)
        isolation, run_s_max = own.pop(ISOLATION, "none"), own.pop(RUN_S_MAX, RUN_S_USUAL)
        if isolation == "none" and options.apart and options.device != "cpu" and not self.own_processes:
            isolation = "device"
        options = replace(options, options=own)
        if isolation != "none":
            open_isolated = plugins.load("isolation", str(isolation), ModelError)
            return ContainedSession(open_isolated(self.name, files, options, run_s_max))
        with as_runtime_fault(f"{files[0].name}: runtime {self.name} failed"):
            session = self._inner.load(files, options)
            try:
                return ContainedSession(session)
            except BaseException:
                session.close()
                raise


def _aligned(inputs: Mapping[str, Array]) -> Mapping[str, Array]:
    """The inputs, with copies of those that are not aligned: runtimes use aligned instructions."""
    for array in inputs.values():
        if not array.flags.aligned:
            return {name: each if each.flags.aligned else np.array(each) for name, each in inputs.items()}
    return inputs
