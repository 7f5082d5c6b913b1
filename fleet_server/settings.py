"""What a person may set about the server, checked once. A value: reading it from arguments is the command's work."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from fleet_server.errors import InputError

LOOPBACK_HOSTS: Final = ("127.0.0.1", "localhost", "::1")


def default_data_folder() -> Path:
    """`$EDGEFLEET_DATA`, or `edgefleet` in the user's folder for application state."""
    configured = os.environ.get("EDGEFLEET_DATA")
    if configured:
        return Path(configured)
    state = os.environ.get("XDG_STATE_HOME")
    return (Path(state) if state else Path.home() / ".local" / "state") / "edgefleet"


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything the server is started with.

    `broker_url` empty = run Mosquitto as a child: on `mqtt_port` for ourselves, and for devices on `mqtts_port` of the name or
    address `device_host` (ports: 0 = any free one, kept over restarts). `plain_devices`: devices without certificates may come
    over loopback. `certificate_days`: life of a device's certificate.
    """

    data: Path = field(default_factory=default_data_folder)
    host: str = "127.0.0.1"
    port: int = 8080
    mqtt_port: int = 1883
    mqtts_port: int = 8883
    device_host: str = "127.0.0.1"
    plain_devices: bool = False
    certificate_days: float = 90.0
    broker_url: str = ""
    telemetry_kept_s: float = 24 * 3600.0
    events_kept_s: float = 30 * 24 * 3600.0
    telemetry_rows_max: int = 20_000_000
    events_rows_max: int = 5_000_000
    block_bytes_per_s: float = 100e6
    upload_bytes_max: int = 1024**3
    devices_max: int = 100_000

    def __post_init__(self) -> None:
        """Raises InputError where a value cannot work."""
        if self.host not in LOOPBACK_HOSTS:
            raise InputError(
                f"--host {self.host}: this version has no sign-in and listens on loopback only; "
                "use 127.0.0.1, and an SSH tunnel or a reverse proxy with sign-in to reach it from elsewhere"
            )
        for name, port in (("--port", self.port), ("--mqtt-port", self.mqtt_port), ("--mqtts-port", self.mqtts_port)):
            if not 0 <= port <= 65535:
                raise InputError(f"{name} {port}: a port is a number from 0 (any free one) to 65535")
