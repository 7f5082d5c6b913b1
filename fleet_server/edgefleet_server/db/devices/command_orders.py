"""Creates commands, which are stored until the device has replied."""

from __future__ import annotations

import json
import uuid
from typing import Any, Final

from edgefleet_server.core.errors import InputError
from edgefleet_server.db.backend.engine import Connection
from edgefleet_server.db.devices import commands

ARGUMENTS_BYTES_MAX: Final = 64 * 1024


def command(
    connection: Connection, device: str, op: str, args: dict[str, Any], deadline_s: float, now: float, prefix: str = ""
) -> str:
    """Store a command for a device; returns its id, which starts with `prefix`.

    Raises:
        ConflictError: too many commands are pending for the device.
        InputError: its arguments are too long.
    """
    if len(json.dumps(args)) > ARGUMENTS_BYTES_MAX:
        raise InputError(f"args of {op!r} exceed {ARGUMENTS_BYTES_MAX} bytes")
    name = prefix + uuid.uuid4().hex
    record = {
        "id": name,
        "device": device,
        "op": op,
        "args": args,
        "state": "pending",
        "detail": "",
        "result": {},
        "created_at": now,
        "deadline_at": now + deadline_s,
    }
    commands.add(connection, record)
    return name
