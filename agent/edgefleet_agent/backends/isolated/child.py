"""The process of isolated models: loads each and computes its runs on a thread of its own, until the agent closes the socket or
ends.

    python -m edgefleet_agent.backends.isolated.child CONTROL LIFELINE

Both arguments are numbers of inherited descriptors: a socket over which the agent sends the three descriptors of a model (its
socket and two buffers), and the reading end of a pipe whose other end only the agent holds.
"""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import socket
import sys
import threading
from collections.abc import Mapping
from dataclasses import astuple
from pathlib import Path

from edgefleet_agent.backends.base import Array, LoadOptions, Session
from edgefleet_agent.backends.contained import RuntimeFaultError, as_runtime_fault
from edgefleet_agent.backends.installed import find_backend
from edgefleet_agent.backends.isolated import inside
from edgefleet_agent.backends.isolated.messages import (
    MESSAGE_BYTES_MAX,
    TO_PROCESS,
    Failed,
    FromProcess,
    Grow,
    Grown,
    Open,
    Opened,
    PackedTensors,
    Ran,
    Run,
    encode,
    read_tensors,
    to_message,
)
from edgefleet_agent.backends.isolated.shared_buffer import SharedBuffer
from edgefleet_agent.backends.process_end import end_with_parent
from edgefleet_contract.core.errors import EdgefleetError, MissingError


class ModelHost:
    """One model and its connection to the agent."""

    def __init__(self, line: socket.socket, given: SharedBuffer, made: SharedBuffer) -> None:
        self._line = line
        self._given, self._made = given, made
        self._session: Session | None = None

    def serve(self) -> None:
        """Answer messages until the socket is closed, then close the model."""
        with self._line, contextlib.suppress(OSError):  # the agent closed it in the middle
            self._answer_all()
        if self._session is not None:
            self._session.close()
        self._given.close()
        self._made.close()

    def _answer_all(self) -> None:
        while data := self._line.recv(MESSAGE_BYTES_MAX):
            reply: FromProcess
            try:
                with as_runtime_fault("the isolated process failed"):
                    reply = self._answer(TO_PROCESS.decode(data))
            except EdgefleetError as cause:
                fault, missing = isinstance(cause, RuntimeFaultError), isinstance(cause, MissingError)
                reply = Failed("fault" if fault else "missing" if missing else "model", str(cause))
            self._line.send(encode(reply))

    def _answer(self, message: Open | Run | Grown) -> FromProcess:
        if isinstance(message, Open):
            return self._open(message)
        assert isinstance(message, Run), "messages are in order"
        assert self._session is not None, "the model is open"
        if sum(size for _, size in message.tensors) > len(self._given.memory):
            self._given.map()
        outputs = self._session.infer(read_tensors(self._session.inputs, message.tensors, self._given.memory))
        return self._written(self._session, outputs)

    def _open(self, message: Open) -> Opened:
        options = LoadOptions(
            message.device,
            message.threads,
            message.strict,
            Path(message.cache_dir) if message.cache_dir else None,
            message.options,
            message.picture,
            message.deterministic,
        )
        session = find_backend(message.runtime).load(tuple(Path(file) for file in message.files), options)
        self._session = session
        inputs, outputs = [to_message(spec) for spec in session.inputs], [to_message(spec) for spec in session.outputs]
        return Opened(inputs, outputs, astuple(session.placement), session.folded)

    def _written(self, session: Session, outputs: Mapping[str, Array]) -> Ran:
        packed = PackedTensors(session.outputs, outputs)
        if packed.size > len(self._made.memory):
            self._line.send(encode(Grow(packed.size)))
            if not isinstance(TO_PROCESS.decode(self._line.recv(MESSAGE_BYTES_MAX)), Grown):
                raise RuntimeFaultError("messages are out of order")
            self._made.map()
        packed.write(self._made.memory)
        return Ran(packed.described)


def main(arguments: list[str]) -> None:
    """Serve the models that the socket of the first argument brings."""
    control, lifeline = (int(each) for each in arguments)
    end_with_parent(lifeline)
    inside.mark()
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, signal.SIG_IGN)  # the agent ends this process when its own requests are answered
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))  # aborts in a row fill a disk
    with socket.socket(fileno=control) as connections:
        while (received := socket.recv_fds(connections, 16, 3))[0]:
            line, given, made = received[1]
            host = ModelHost(socket.socket(fileno=line), SharedBuffer(given), SharedBuffer(made))
            threading.Thread(target=host.serve, name="model", daemon=True).start()
    os._exit(0)  # not by the destructors of a vendor library


if __name__ == "__main__":
    main(sys.argv[1:])
