"""A connection to the process of an isolated model: messages with a time limit, and two shared buffers for tensors."""

from __future__ import annotations

import contextlib
import socket

import msgspec

from edgefleet_agent.backends.isolated.messages import FROM_PROCESS, MESSAGE_BYTES_MAX, FromProcess, ToProcess, encode
from edgefleet_agent.backends.isolated.shared_buffer import SharedBuffer


class Connection:
    """One model's connection. One request at a time.

    Raises:
        OSError: there is no memory or no descriptor left, or the process has ended.
    """

    def __init__(self, control: socket.socket) -> None:
        """control: the socket on which the process takes new connections."""
        with contextlib.ExitStack() as opened:
            self._line, theirs = packet_sockets()
            opened.callback(self._line.close)
            opened.enter_context(theirs)
            self.given, self.made = SharedBuffer(), SharedBuffer()
            opened.callback(self.given.close)
            opened.callback(self.made.close)
            socket.send_fds(control, [b"connect"], [theirs.fileno(), self.given.descriptor, self.made.descriptor])
            self._resources = opened.pop_all()
            theirs.close()

    def ask(self, message: ToProcess, wait_s: float) -> FromProcess | None:
        """Send a message; returns the reply, None if the process ended.

        Raises:
            TimeoutError: there was no reply within `wait_s`.
        """
        try:
            self._line.settimeout(wait_s)
            self._line.send(encode(message))
            data = self._line.recv(MESSAGE_BYTES_MAX)
            reply: FromProcess | None = FROM_PROCESS.decode(data) if data else None
        except TimeoutError:
            raise
        except (OSError, msgspec.DecodeError):
            return None
        return reply

    def close(self) -> None:
        """Close the connection and free its buffers. The process closes the model."""
        self._resources.close()


def packet_sockets() -> tuple[socket.socket, socket.socket]:
    """Two connected sockets that keep messages apart, each of up to `MESSAGE_BYTES_MAX`."""
    pair = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    for each in pair:
        each.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, MESSAGE_BYTES_MAX)
    return pair
