"""Bare connections to a camera's server, for the reasons of faults, which FFmpeg's errors do not always tell."""

from __future__ import annotations

import socket
from urllib.parse import urlsplit

CONNECT_PROBE_TIMEOUT_S = 1.5
"""Time-out of a TCP connection attempt. Short, because a host that was just switched on answers only a new attempt; long enough
for one lost packet, which is sent again after 1 s."""


def closes_unanswered(url: str) -> bool:
    """Whether an RTSP server closes the connection at the first request. FFmpeg takes this for an answer that is no video."""
    parts = urlsplit(url)
    if parts.scheme != "rtsp" or parts.hostname is None:
        return False
    try:
        connection = socket.create_connection((parts.hostname, parts.port or 554), CONNECT_PROBE_TIMEOUT_S)
    except OSError:
        return False
    with connection:
        try:
            connection.sendall(b"OPTIONS * RTSP/1.0\r\nCSeq: 1\r\n\r\n")
            return not connection.recv(1)
        except ConnectionError:
            return True
        except OSError:
            return False
