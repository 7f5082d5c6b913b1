"""Watches a damaged identity: the device continues to run its packages, and connects again after a new enrolment."""

from __future__ import annotations

import logging
from pathlib import Path

from edgefleet_agent.machine.identity import Identity, read_identity
from edgefleet_contract.core.errors import InputError, StoreError

POLL_S = 2.0

log = logging.getLogger(__name__)


class IdentityWatch:
    """The identity under `state`. `fault`: the reason for which it cannot be used, and the remedy; there is no connection then.
    `now` is monotonic seconds."""

    def __init__(self, state: Path, device: str, now: float) -> None:
        self._state = state
        self._device = device
        self._polled_s = now
        self.fault = ""
        self.identity: Identity | None = None
        self._read()
        if self.fault:
            log.error("%s; until then the device works offline with its present models", self.fault)

    def mended(self, now: float) -> bool:
        """True once after the device was enrolled again: it may connect."""
        if not self.fault or now - self._polled_s < POLL_S:
            return False
        self._polled_s = now
        self._read()
        if not self.fault and self.identity is not None:
            log.info("this device was enrolled again")
            return True
        return False

    def _read(self) -> None:
        try:
            found = read_identity(self._state)
        except (InputError, StoreError) as error:
            server, here = f"edgefleet token create --device {self._device}", "edgefleet-agent enroll URL --token T"
            self.fault = f"{error}: on the server `{server}`, here `{here}`"
            return
        if found is not None and found.device != self._device:
            self.fault = (
                f"this device is enrolled as {found.device!r}, but the settings have device = {self._device!r}; enroll it again"
            )
            return
        self.fault, self.identity = "", found
