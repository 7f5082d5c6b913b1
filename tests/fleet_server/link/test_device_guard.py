"""The bytes that one device can put into the queue of the broker before it is disconnected are bounded, whatever it sends."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from edgefleet_contract.wire.evidence_upload import BLOCK_BYTES
from edgefleet_server.domain.policy.device_conduct import Offence, Restriction, RestrictionState, offences_of
from edgefleet_server.domain.policy.device_quota import DeviceQuota
from edgefleet_server.link.device_guard import DeviceGuard

BYTES_MAX = 20 * 1024**2
SIZES = (1_000, 40_000, BLOCK_BYTES, 125_000, 200_000, 256 * 1024)


def sent_until_disconnected(guard: DeviceGuard, send: Callable[[], object], length: int) -> int:
    """Bytes that a device sends until it is disconnected; each message is admitted, or an offence."""
    found: list[Restriction] = []
    guard.restricted = found.append
    sent = 0
    while not any(each.state is RestrictionState.DISCONNECTED for each in found):
        send()
        sent += length
        assert sent < 100 * BYTES_MAX, "never disconnected"
    return sent


@pytest.mark.parametrize("length", SIZES)
@pytest.mark.parametrize("kind", ["telemetry", "events", "reported", "presence", "reply"])
def test_messages_of_any_length(kind: str, length: int) -> None:
    guard = DeviceGuard(DeviceQuota())
    assert sent_until_disconnected(guard, lambda: guard.admit("d", kind, length), length) <= BYTES_MAX


@pytest.mark.parametrize("length", SIZES)
@pytest.mark.parametrize("kind", ["ticket", "renew", "upload", "upload_block"])
def test_requests_of_any_length(kind: str, length: int) -> None:
    guard = DeviceGuard(DeviceQuota())
    assert sent_until_disconnected(guard, lambda: guard.admit_request("d", kind, length), length) <= BYTES_MAX


@pytest.mark.parametrize("length", SIZES)
def test_retained_messages_of_any_length(length: int) -> None:
    guard = DeviceGuard(DeviceQuota())
    sent = sent_until_disconnected(guard, lambda: guard.offend("d", Offence.RETAINED, offences_of(length)), length)
    assert sent <= BYTES_MAX / 10


def test_uploads_with_the_largest_window_after_each_reconnect_are_taken() -> None:
    """A device sends the blocks of its window again in each connection."""
    guard = DeviceGuard(DeviceQuota())
    assert guard.admit_request("d", "upload", 300)
    assert all(guard.admit_request("d", "upload_block", BLOCK_BYTES) for _ in range(2 * 64))
