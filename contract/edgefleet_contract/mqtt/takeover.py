"""Ends connections of other clients by having their client ids for a moment: a broker ends a connection whose id another client
uses (MQTT 3.1.1, 3.1.4), and publishes its will."""

from __future__ import annotations

import socket
import time
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Final

from edgefleet_contract.mqtt.address import BrokerAddress, Login
from edgefleet_contract.mqtt.packets import DISCONNECT, connect
from edgefleet_contract.mqtt.tls import TlsFiles, tls_context

PATIENCE_S: Final = 5.0
AT_ONCE: Final = 50
"""Connections opened together: the broker answers all in the time of one."""
_KEEPALIVE_S: Final = 10
_TAKEN: Final = b"\x20\x02\x00\x00"
"""CONNACK: accepted, no session present."""


def take_over(
    broker: BrokerAddress,
    client_ids: Sequence[str],
    login: Login,
    tls_files: TlsFiles | None = None,
    patience_s: float = PATIENCE_S,
) -> bool:
    """End whatever connections `client_ids` have. False: the broker did not accept each within `patience_s`."""
    deadline = time.monotonic() + patience_s
    found = True
    for start in range(0, len(client_ids), AT_ONCE):
        found = _take_over(broker, client_ids[start : start + AT_ONCE], login, tls_files, deadline) and found
    return found


def _take_over(
    broker: BrokerAddress, client_ids: Sequence[str], login: Login, tls_files: TlsFiles | None, deadline: float
) -> bool:
    with ExitStack() as open_lines:
        try:
            lines = []
            for client_id in client_ids:
                line = open_lines.enter_context(socket.create_connection((broker.host, broker.port), _left_s(deadline)))
                if broker.tls:
                    line = open_lines.enter_context(tls_context(tls_files).wrap_socket(line, server_hostname=broker.host))
                line.sendall(connect(client_id, _KEEPALIVE_S, user=login.user, password=login.password))
                lines.append(line)
            taken = [_is_taken(line, deadline) for line in lines]  # waits for each
        except OSError:
            return False
    return all(taken)


def _is_taken(line: socket.socket, deadline: float) -> bool:
    answer = b""
    while len(answer) < len(_TAKEN):
        line.settimeout(_left_s(deadline))
        more = line.recv(len(_TAKEN) - len(answer))
        if not more:
            return False
        answer += more
    line.sendall(DISCONNECT)
    return answer == _TAKEN


def _left_s(deadline: float) -> float:
    return max(0.01, deadline - time.monotonic())
