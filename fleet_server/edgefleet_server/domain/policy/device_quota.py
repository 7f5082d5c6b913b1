"""Quotas of devices at ingest: messages, bytes and records per second, with a reserve for a device that was offline. Pure.

A device that has used its reserve is slowed down: its acknowledgements are delayed until it is within its quota again, and a
device that obeys its window sends no faster than it gets them. A device that continues regardless reaches a debt of one more
reserve; from there on its messages are dropped.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

RESERVE_S: Final = 20.0
"""The reserve: what the quota allows in this time."""
PAUSE_S_MAX: Final = 10.0
"""Longest delay of an acknowledgement: below the time after which a device sends again (30 s)."""
UNDER_WAY_MAX: Final = 16
"""Batches of one device that wait for their acknowledgement. A device has at most eight under way, four of each stream, and
repeats them in a new connection."""
BATCH_BYTES: Final = 80 * 1024
"""A longer message counts as `LONG_BATCHES`, or `LONG_REQUESTS`, more for each of these. Batches of devices end after 64 KiB, and
blocks too; reports have no such end."""
LONG_BATCHES: Final = 15
LONG_REQUESTS: Final = 4
DEVICES_MAX: Final = 100_000


@dataclass(frozen=True, slots=True)
class DeviceQuota:
    """The average that one device may send in a second."""

    messages: float = 20.0
    bytes: float = 512 * 1024.0
    records: float = 500.0


@dataclass(slots=True)
class _Used:
    """Use of a device that time has not paid back yet; never below 0."""

    messages: float
    bytes: float
    records: float
    at: float


class QuotaMeter:
    """Measures the use of all devices. Not for several threads at once: the owner locks. `now`: monotonic seconds."""

    def __init__(self, quota: DeviceQuota) -> None:
        self._quota = quota
        self._used: OrderedDict[str, _Used] = OrderedDict()

    def admit(self, device: str, length: int, now: float) -> bool:
        """Count a message of `length` bytes; False, and nothing is counted, if the device is in debt by its whole reserve."""
        used = self._paid(device, now)
        if self._seconds(used) >= 2 * RESERVE_S:
            return False
        used.messages += 1
        used.bytes += length
        return True

    def charge(self, device: str, records: int, now: float) -> None:
        """Count the records of a message, known once it is decoded."""
        self._paid(device, now).records += records

    def pause_s(self, device: str, now: float) -> float:
        """Time until the device is within its quota and reserve again, at most `PAUSE_S_MAX`; 0 if it is."""
        return min(PAUSE_S_MAX, max(0.0, self._seconds(self._paid(device, now)) - RESERVE_S))

    def _seconds(self, used: _Used) -> float:
        """Time in which the quota pays for what was used."""
        quota = self._quota
        return max(used.messages / quota.messages, used.bytes / quota.bytes, used.records / quota.records)

    def _paid(self, device: str, now: float) -> _Used:
        used = self._used.get(device)
        if used is None:
            used = self._used[device] = _Used(0.0, 0.0, 0.0, now)
            if len(self._used) > DEVICES_MAX:
                self._used.popitem(last=False)
            return used
        passed_s = now - used.at
        if passed_s > 0:
            quota = self._quota
            used.messages = max(0.0, used.messages - passed_s * quota.messages)
            used.bytes = max(0.0, used.bytes - passed_s * quota.bytes)
            used.records = max(0.0, used.records - passed_s * quota.records)
            used.at = now
            self._used.move_to_end(device)
        return used


@dataclass(frozen=True, slots=True)
class RequestRate:
    """Requests of one kind that a device may send: on average per second, and at once."""

    per_s: float
    at_once: float


REQUEST_RATES: Final[Mapping[str, RequestRate]] = {
    "presence": RequestRate(20.0, 100.0),
    "reported": RequestRate(10.0, 100.0),
    "reply": RequestRate(20.0, 200.0),
    "blocks": RequestRate(1_000.0, 2_000.0),
    "ticket": RequestRate(5.0, 40.0),
    "renew": RequestRate(0.1, 10.0),
    "upload": RequestRate(5.0, 100.0),
    "upload_block": RequestRate(200.0, 128.0),
}
"""By kind of message, without batches of records. A device that follows the protocol stays far below: it reports at most once a
second and in each connection, answers commands, of which 100 may wait, repeats requests after seconds, and has at most 64
blocks of uploads under way."""


def batches_in(length: int) -> int:
    """Number of batches that a message of `length` bytes counts as."""
    return 1 + LONG_BATCHES * (length // BATCH_BYTES)


def requests_in(length: int) -> int:
    """Number of requests that a message of `length` bytes counts as."""
    return 1 + LONG_REQUESTS * (length // BATCH_BYTES)


class WindowMeter:
    """Batches of each device that are received and not acknowledged yet. Not for several threads at once: the owner locks."""

    def __init__(self) -> None:
        self._under_way: dict[str, int] = {}

    def admit(self, device: str, count: int = 1) -> bool:
        """Count `count` batches; False, and they are not counted, if there are too many."""
        before = self._under_way.get(device, 0)
        if before >= UNDER_WAY_MAX:
            return False
        self._under_way[device] = before + count
        return True

    def answer(self, device: str, count: int) -> None:
        """Take back `count` batches, which were acknowledged, refused or dropped."""
        left = self._under_way.get(device, 0) - count
        if left > 0:
            self._under_way[device] = left
        else:
            self._under_way.pop(device, None)


class RequestMeter:
    """Requests of devices. Not for several threads at once: the owner locks. `now`: monotonic seconds."""

    def __init__(self) -> None:
        self._used: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()

    def admit(self, device: str, kind: str, length: int, now: float) -> bool:
        """Count a request of `kind` (a key of `REQUEST_RATES`) and `length` bytes; False if there were too many. A long one
        counts as several, like a batch."""
        rate = REQUEST_RATES[kind]
        used, at = self._used.pop((device, kind), (0.0, now))
        used = max(0.0, used - max(0.0, now - at) * rate.per_s)
        admitted = used + 1 <= rate.at_once
        self._used[device, kind] = (used + requests_in(length) * admitted, now)
        while len(self._used) > DEVICES_MAX:
            self._used.popitem(last=False)
        return admitted
