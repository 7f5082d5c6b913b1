"""Paho's client with a network loop that uses `poll` and always says when it ends.

Paho's own loop uses `select`, which takes no file descriptor from 1024 on: in a process with that many open connections no new
connection to the broker would work. It also ends without `on_disconnect` where a callback raises, or where the socket was closed.
"""

from __future__ import annotations

import contextlib
import select
from collections.abc import Callable

import paho.mqtt.client as paho
from paho.mqtt.enums import MQTTErrorCode


class PollingClient(paho.Client):
    """For `loop_start`, without reconnecting. `ended` is called once, when the loop has ended for whatever reason."""

    ended: Callable[[], None] = staticmethod(lambda: None)

    def loop_forever(self, timeout: float = 1.0, retry_first_connection: bool = False) -> MQTTErrorCode:  # noqa: ARG002
        """Process packets until the connection ends or `loop_stop`. timeout: seconds to wait for a packet at most."""
        try:
            while (code := self._turn(timeout)) == MQTTErrorCode.MQTT_ERR_SUCCESS:
                if self._thread_terminate and not self._out_packet and not self._out_messages:
                    break
            return code
        finally:
            self.ended()

    def _turn(self, timeout_s: float) -> MQTTErrorCode:
        line, waker = self._sock, self._sockpairR
        if line is None or line.fileno() < 0:
            return MQTTErrorCode.MQTT_ERR_CONN_LOST
        pending = line.pending() if hasattr(line, "pending") else 0
        poller = select.poll()
        poller.register(line.fileno(), select.POLLIN | (select.POLLOUT if self.want_write() else 0))
        if waker is not None:
            poller.register(waker.fileno(), select.POLLIN)
        ready = dict(poller.poll(0 if pending else timeout_s * 1000))
        found = ready.get(line.fileno(), 0)
        if (pending or found & ~select.POLLOUT) and ((code := self.loop_read()) or self._sock is None):
            return code
        if waker is not None and waker.fileno() in ready:
            found |= select.POLLOUT  # another thread has queued a packet
            with contextlib.suppress(BlockingIOError):
                waker.recv(10_000)
        if found & select.POLLOUT and ((code := self.loop_write()) or self._sock is None):
            return code
        return self.loop_misc()
