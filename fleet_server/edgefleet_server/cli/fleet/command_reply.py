"""Sends commands to devices and waits for their replies."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from typing import Any, Final

from edgefleet_server.cli.client import Client
from edgefleet_server.core.errors import UnavailableError

POLL_S: Final = 0.3


def send(client: Client, device: str, op: str, args: Mapping[str, Any], deadline_s: float) -> Any:
    """Send a command; returns its record."""
    return client.devices.send_command(device, {"op": op, "args": dict(args), "deadline_s": deadline_s})


def wait_for_reply(client: Client, device: str, sent: Any, wait_s: float = math.inf) -> Any:
    """Wait until the device has replied or the command has expired, at most `wait_s`; returns its record. `sent`: the record that
    `send` returned."""
    command, ends_s = sent, time.monotonic() + wait_s
    while command["state"] == "pending" and time.monotonic() < ends_s:
        time.sleep(POLL_S)
        command = client.devices.get_command(device, command["id"])
    return command


def check_in_time(device: str, command: Any, deadline_s: float) -> None:
    """Check that the device has replied.

    Raises:
        UnavailableError: it has not.
    """
    if command["state"] in ("pending", "expired"):
        raise UnavailableError(
            f"{device} did not respond within {deadline_s:g} s; `edgefleet device show {device}` shows its status"
        )
