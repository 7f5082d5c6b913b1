"""Watches the identity of the device: a damaged one is replaced by its copy.

Without a sound copy the device continues to run its packages, and connects again after a new enrolment.
"""

from __future__ import annotations

import contextlib
import logging
from pathlib import Path

from edgefleet_agent.core.disk_faults import DiskFaults, DiskState
from edgefleet_agent.machine.identity import Identity
from edgefleet_agent.machine.identity_copy import read_or_restore
from edgefleet_contract.core.errors import InputError, StoreError

POLL_S = 2.0
CHECK_S = 60.0
"""Time between two checks of a sound identity: a renewed certificate is copied, damage mended before the next connection."""

log = logging.getLogger(__name__)


class IdentityWatch:
    """The identity under `state`. `fault`: the reason for which it cannot be used, and the remedy; there is no connection then.
    `now` is monotonic seconds."""

    def __init__(self, state: Path, device: str, now: float, faults: DiskFaults | None = None) -> None:
        self._state = state
        self._device = device
        self._polled_s = now
        self._faults = faults or DiskFaults()
        self.fault = ""
        self.identity: Identity | None = None
        self._read()
        if self.fault:
            log.error("%s; until then the device works offline with its present models", self.fault)

    def mended(self, now: float) -> bool:
        """True once after a device without a usable identity got one: it may connect."""
        if now - self._polled_s < (POLL_S if self.fault else CHECK_S):
            return False
        self._polled_s = now
        if not self.fault:
            with contextlib.suppress(InputError, StoreError):  # the present connection goes on; the next start reports it
                self._sound()
            return False
        self._read()
        if not self.fault and self.identity is not None:
            log.info("this device has a usable identity again")
            return True
        return False

    def _read(self) -> None:
        try:
            found = self._sound()
        except (InputError, StoreError) as error:
            server = f"edgefleet token create --device {self._device}"
            here = "edgefleet-agent enroll URL --token-file FILE --again"
            self.fault = f"{error}: on the server `{server}`, here `{here}`"
            return
        if found is not None and found.device != self._device:
            self.fault = (
                f"this device is enrolled as {found.device!r}, but the settings have device = {self._device!r}; enroll it again:"
                " `edgefleet-agent enroll URL --token-file FILE --again`"
            )
            return
        self.fault, self.identity = "", found

    def _sound(self) -> Identity | None:
        found, restored = read_or_restore(self._state)
        if restored:
            text = f"{self._state / 'identity'} was damaged; its copy is used"
            self._faults.set("identity", DiskState.DAMAGED, text)
        return found
