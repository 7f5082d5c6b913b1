"""A session in a host process, which is started again after its end (see `backends.restart_pause`)."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from edgefleet_agent.backends.base import Array, Placement, check_inputs
from edgefleet_agent.backends.contained import RuntimeFaultError
from edgefleet_agent.backends.hosted.host_process import HostedRuntime, HostProcess, leave_host, take_host
from edgefleet_agent.backends.isolated.child_process import LostProcessError
from edgefleet_agent.backends.isolated.run_limit import LearnedLimit, RunLimit
from edgefleet_agent.backends.restarting_session import RestartingSession
from edgefleet_agent.core.clock import Clock
from edgefleet_agent.vision.heads.base import TensorSpec
from edgefleet_contract.core.errors import MissingError, ModelError

PROMPT_RESTARTS = 2


class HostedSession(RestartingSession[dict[str, Any]]):
    """A model in a host process. Outputs are new arrays at every run.

    Raises:
        ModelError: the runtime refuses the file, or its process ends. MissingError: the runtime or the device is missing.
    """

    def __init__(
        self,
        runtime: HostedRuntime,
        files: tuple[Path, ...],
        device: str,
        options: Mapping[str, Any],
        limit: RunLimit | None = None,
        clock: Clock | None = None,
    ) -> None:
        super().__init__(files[0], PROMPT_RESTARTS, clock)
        self._runtime = runtime
        self._device = device
        paths = [str(file.resolve()) for file in files]
        self._request = {"op": "load", "files": paths, "device": device, "options": dict(options)}
        self._limit = limit or LearnedLimit()
        self._host: HostProcess | None = None
        self._model = 0
        self._first = True
        loaded = self._start()
        self.inputs, self.outputs = _specs(loaded["inputs"]), _specs(loaded["outputs"])
        self.placement = Placement(runtime.name, str(loaded["version"]), str(loaded["device"]))

    @property
    def _runs(self) -> bool:
        return self._host is not None

    @property
    def pid(self) -> int:
        """The id of the host process; 0 while there is none."""
        host = self._host
        return host.pid if host is not None else 0

    def infer(self, inputs: Mapping[str, Array]) -> Mapping[str, Array]:
        check_inputs(self.inputs, inputs)
        arrays = [inputs[spec.name] for spec in self.inputs]
        headers = [{"name": spec.name, "dtype": str(spec.dtype), "shape": list(inputs[spec.name].shape)} for spec in self.inputs]
        with self._lock:
            if self._host is not None and not self._host.lives():
                # It ended with the run of another model, or between two runs: none of this model's frames is lost to it.
                self._lost("its process ended")
            if self._host is None:
                try:
                    self._restart()
                except MissingError as cause:
                    raise RuntimeFaultError(f"{self._name}: {cause}") from cause
            assert self._host is not None, "restarted, or raised"
            try:
                with self._host.turn:
                    began_s = self._clock.monotonic()
                    request = {"op": "infer", "model": self._model, "arrays": headers}
                    reply, data = self._host.ask(request, arrays, self._limit.limit_s(first=self._first))
                    self._limit.note(self._clock.monotonic() - began_s)
            except LostProcessError as cause:
                self._lost(str(cause))
                raise
            except MissingError as cause:
                raise RuntimeFaultError(f"{self._name}: {cause}") from cause
            self._first = False
        return _unpacked(reply["arrays"], data)

    def close(self) -> None:
        with self._lock:
            self._closed = True
            if self._host is not None and self._host.lives() and self._host.users > 1:
                with contextlib.suppress(ModelError, MissingError), self._host.turn:
                    self._host.ask({"op": "unload", "model": self._model}, (), self._runtime.load_s_max)
            self._leave()

    def _start(self) -> dict[str, Any]:
        """Start the process, if there is none, and load the model. Under the lock, or before any run."""
        self._host = take_host(self._runtime, self._device)
        try:
            with self._host.turn:
                reply, _ = self._host.ask(self._request, (), self._runtime.load_s_max)
        except ModelError as cause:
            self._leave()
            text = f"{self._name}: {cause}"
            raise (LostProcessError(text) if isinstance(cause, LostProcessError) else ModelError(text)) from cause
        except BaseException:
            self._leave()
            raise
        self._model = int(reply["model"])
        self._pause.started()
        self._first = True
        return reply

    def _leave(self) -> None:
        if self._host is not None:
            leave_host(self._host)
            self._host = None

    def _fits(self, opened: dict[str, Any]) -> bool:
        return (_specs(opened["inputs"]), _specs(opened["outputs"])) == (self.inputs, self.outputs)


def _unpacked(headers: list[Mapping[str, Any]], data: bytes) -> dict[str, Array]:
    outputs, at = {}, 0
    for spec in _specs(headers):
        count = int(np.prod(spec.shape))
        outputs[spec.name] = np.frombuffer(data, spec.dtype, count, at).reshape(spec.shape)
        at += count * spec.dtype.itemsize
    return outputs


def _specs(tensors: list[Mapping[str, Any]]) -> tuple[TensorSpec, ...]:
    return tuple(
        TensorSpec(
            str(each["name"]),
            tuple(map(int, each["shape"])),
            np.dtype(each["dtype"]),
            float(each.get("scale", 0.0)),
            int(each.get("zero_point", 0)),
        )
        for each in tensors
    )
