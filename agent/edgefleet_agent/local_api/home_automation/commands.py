"""Commands of the broker to cameras: switches and triggers. There is no response, so a command without a meaning is logged."""

from __future__ import annotations

import logging

from edgefleet_agent.local_api.controls import Controls, parse_seconds
from edgefleet_contract.core.errors import InputError

ON, OFF = b"ON", b"OFF"
TRIGGER_S = 10.0
"""Duration of a trigger whose payload is only ON."""
LOGGED_MAX = 64
"""Limit of topics of which a wrong command is logged, each once."""

log = logging.getLogger(__name__)


class BrokerCommands:
    """For one thread."""

    def __init__(self, controls: Controls) -> None:
        self._controls = controls
        self._logged: set[str] = set()

    def obey(self, topic: str, camera: str, name: str, payload: bytes) -> None:
        """Run the command of `topic`: switch or `trigger` `name` of a camera of this device."""
        try:
            self._run(camera, name, payload.strip().upper())
        except InputError as error:
            if topic not in self._logged and len(self._logged) < LOGGED_MAX:
                self._logged.add(topic)
                log.warning("%s: %s; such commands are ignored", topic, error)

    def _run(self, camera: str, name: str, payload: bytes) -> None:
        if name == "trigger":
            text = {ON: str(TRIGGER_S), OFF: "0"}.get(payload) or payload.decode(errors="replace")
            self._controls.trigger(camera, parse_seconds(text))
        elif payload in (ON, OFF):
            self._controls.switch(camera, name, payload == ON)
        else:
            raise InputError(f"{payload[:40].decode(errors='replace')!r}: must be ON or OFF")
