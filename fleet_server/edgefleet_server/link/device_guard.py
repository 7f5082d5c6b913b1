"""Decides at receipt whether a message of a device is taken: quotas, request rates, restrictions. Thread-safe and quick, because
the threads of the connections call it for every message."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping

from edgefleet_server.domain.policy.device_conduct import DeviceConduct, Offence, Restriction
from edgefleet_server.domain.policy.device_quota import DeviceQuota, QuotaMeter, RequestMeter


class DeviceGuard:
    """Quotas and conduct of all devices. `restricted` is called with each new restriction, on the thread that noticed it: it
    hands over and returns."""

    def __init__(self, quota: DeviceQuota, restricted: Callable[[Restriction], None] = lambda _restriction: None) -> None:
        self._lock = threading.Lock()
        self._meter = QuotaMeter(quota)
        self._requests = RequestMeter()
        self._conduct = DeviceConduct()
        self.restricted = restricted
        self.dropped_total = 0

    def restore(self, restrictions: list[Restriction]) -> None:
        """Continue with the restrictions stored before a restart."""
        with self._lock:
            self._conduct.restore(restrictions)

    def soften(self, device: str) -> Restriction | None:
        """Throttle a disconnected device instead; returns its new restriction."""
        with self._lock:
            return self._conduct.soften(device, time.time())

    def admit(self, device: str, length: int) -> bool:
        """Whether to take a message of `length` bytes; False: it is over the quota, or the device is disconnected."""
        with self._lock:
            if not self._conduct.is_disconnected(device, time.time()) and self._meter.admit(device, length, time.monotonic()):
                return True
            self.dropped_total += 1
        self.offend(device, Offence.OVER_QUOTA)
        return False

    def admit_request(self, device: str, kind: str) -> bool:
        """Whether to take a request of `kind` (a key of `device_quota.REQUEST_RATES`)."""
        with self._lock:
            if not self._conduct.is_disconnected(device, time.time()) and self._requests.admit(device, kind, time.monotonic()):
                return True
            self.dropped_total += 1
        self.offend(device, Offence.REQUESTS)
        return False

    def charge(self, records: Mapping[str, int]) -> None:
        """Count the records of devices in a batch."""
        now = time.monotonic()
        with self._lock:
            for device, count in records.items():
                self._meter.charge(device, count, now)

    def pause_s(self, device: str) -> float:
        """Delay of the acknowledgements of a device."""
        with self._lock:
            return self._meter.pause_s(device, time.monotonic())

    def offend(self, device: str, offence: Offence, count: int = 1) -> None:
        """Count offences of a device."""
        with self._lock:
            restriction = self._conduct.offend(device, offence, count, time.time())
        if restriction is not None:
            self.restricted(restriction)
