"""Limits of a connection to a broker. The defaults are a device's."""

from __future__ import annotations

from dataclasses import dataclass

from edgefleet_contract.encoding.codec import MESSAGE_BYTES_MAX


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """Limits of one connection, and the delays between two.

    keepalive_s: silence, in seconds, after which we ask whether the broker is still there. queued_max: messages that wait to be
    sent. in_flight_max: messages sent that the broker has not confirmed. receive_max: messages that the broker may send before we
    confirm any (None: the broker's own limit). message_bytes_max: longer messages are dropped (None: none is). reconnect_min_s,
    reconnect_max_s: bounds of the delay before the next try, in seconds.
    """

    keepalive_s: int = 60
    queued_max: int = 200
    in_flight_max: int = 20
    receive_max: int | None = None
    message_bytes_max: int | None = MESSAGE_BYTES_MAX
    reconnect_min_s: float = 1.0
    reconnect_max_s: float = 120.0
