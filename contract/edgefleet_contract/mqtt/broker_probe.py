"""Whether a broker answers at all: its process may run and do nothing, and its port takes connections all the same."""

from __future__ import annotations

import contextlib
import socket
from typing import Final

from edgefleet_contract.mqtt.address import BrokerAddress, Login
from edgefleet_contract.mqtt.packets import DISCONNECT, connect

CLIENT: Final = "edgefleet-probe"
_KEEPALIVE_S: Final = 10
_ANSWER_BYTES: Final = 4


def is_answering(address: BrokerAddress, login: Login, patience_s: float) -> bool:
    """Whether the broker answers a new connection within `patience_s`; a refusal is an answer."""
    try:
        with socket.create_connection((address.host, address.port), patience_s) as line:
            line.sendall(connect(CLIENT, _KEEPALIVE_S, user=login.user, password=login.password))
            line.recv(_ANSWER_BYTES)
            with contextlib.suppress(OSError):
                line.sendall(DISCONNECT)
    except TimeoutError:
        return False
    except OSError:
        return True
    return True
