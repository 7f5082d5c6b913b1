"""Decides at receipt whether a message of a device is taken: quotas, windows, request rates, restrictions. Thread-safe and quick,
because the threads of the connections call it for every message."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping

from edgefleet_server.domain.policy.device_conduct import (
    DeviceConduct,
    Offence,
    Restriction,
    RestrictionState,
    offences_of,
)
from edgefleet_server.domain.policy.device_quota import (
    REQUEST_RATES,
    DeviceQuota,
    QuotaMeter,
    RequestMeter,
    WindowMeter,
    batches_in,
)


class DeviceGuard:
    """Quotas and conduct of all devices. `restricted` is called with each new restriction, `came_back` with a disconnected
    device that sends, and what `listen` was given with one that is disconnected from now on: all on the thread that noticed it.
    They hand over and return."""

    def __init__(self, quota: DeviceQuota, restricted: Callable[[Restriction], None] = lambda _restriction: None) -> None:
        self._lock = threading.Lock()
        self._meter = QuotaMeter(quota)
        self._windows = WindowMeter()
        self._requests = RequestMeter()
        self._conduct = DeviceConduct()
        self.restricted = restricted
        self.came_back: Callable[[str], None] = lambda _device: None
        self._listeners: tuple[Callable[[str], None], ...] = ()
        self.dropped_total = 0

    def listen(self, discard: Callable[[str], None]) -> Callable[[], None]:
        """Call `discard` with each device that is disconnected from now on: nothing of it that waits need be processed. Returns
        what ends that."""
        self._listeners = (*self._listeners, discard)

        def end() -> None:
            self._listeners = tuple(each for each in self._listeners if each is not discard)

        return end

    def restore(self, restrictions: list[Restriction]) -> None:
        """Continue with the restrictions stored before a restart."""
        with self._lock:
            self._conduct.restore(restrictions)

    def soften(self, device: str) -> Restriction | None:
        """Throttle a disconnected device instead; returns its new restriction."""
        with self._lock:
            return self._conduct.soften(device, time.time())

    def admit(self, device: str, kind: str, length: int) -> bool:
        """Whether to take a message of `length` bytes on `up/{kind}`; False: it is too much, or the device is disconnected. A
        batch of records (a kind without `device_quota.REQUEST_RATES`) counts as under way until `answered`."""
        now = time.monotonic()
        with self._lock:
            if not self._conduct.is_disconnected(device, time.time()):
                offence = self._offence(device, kind, length, now)
                if offence is None:
                    return True
            else:
                offence = None
            self.dropped_total += 1
        self._dropped(device, offence, batches_in(length) if offence is Offence.WINDOW else offences_of(length))
        return False

    def answered(self, device: str, batches: int) -> None:
        """Count batches of a device (`device_quota.batches_in` of each message) as no longer under way: acknowledged, refused or
        dropped."""
        with self._lock:
            self._windows.answer(device, batches)

    def admit_request(self, device: str, kind: str, length: int) -> bool:
        """Whether to take a request of `kind` (a key of `device_quota.REQUEST_RATES`) and `length` bytes."""
        offence = None
        with self._lock:
            if not self._conduct.is_disconnected(device, time.time()):
                if self._requests.admit(device, kind, length, time.monotonic()):
                    return True
                offence = Offence.REQUESTS
            self.dropped_total += 1
        self._dropped(device, offence, offences_of(length))
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
        if restriction is None:
            return
        self.restricted(restriction)
        if restriction.state is RestrictionState.DISCONNECTED:
            for discard in self._listeners:
                discard(device)

    def _offence(self, device: str, kind: str, length: int, now: float) -> Offence | None:
        """Count a message in all meters, or say why it is not taken."""
        if kind in REQUEST_RATES:
            if not self._requests.admit(device, kind, length, now):
                return Offence.OVER_QUOTA
        elif not self._windows.admit(device, batches_in(length)):
            return Offence.WINDOW
        if self._meter.admit(device, length, now):
            return None
        if kind not in REQUEST_RATES:
            self._windows.answer(device, batches_in(length))
        return Offence.OVER_QUOTA

    def _dropped(self, device: str, offence: Offence | None, count: int) -> None:
        if offence is not None:
            self.offend(device, offence, count)
        else:
            self.came_back(device)
