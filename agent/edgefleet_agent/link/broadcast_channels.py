"""Broadcasts of blocks that this device receives: those in the clear (signed metadata, servers before 0.3.0), and sealed ones
with the keys of its desired document.

A block that the key does not open is a fault of the transfer: after `FAULTS_MAX` of them the channel is left, and the device gets
copies of its own.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from edgefleet_contract.core.errors import MessageError
from edgefleet_contract.wire import topics
from edgefleet_contract.wire.sealed_block import channel_of, unseal

FAULTS_MAX = 3
FAULT = "broadcast_undecryptable"
"""Name of the fault."""

log = logging.getLogger(__name__)


class SubscribingLink(Protocol):
    """The part of the connection that subscribes."""

    def listen(self, topic_filter: str, qos: int = 0) -> None: ...

    def unlisten(self, topic_filter: str) -> None: ...


@dataclass(slots=True)
class _Channel:
    blob: str
    key: str
    faults: int = 0


class BroadcastChannels:
    """The subscriptions of the blobs that are being fetched. Used from one thread."""

    def __init__(self, line: SubscribingLink) -> None:
        self._line = line
        self._muted = False
        self._keys: dict[str, str] = {}
        self._blobs: dict[str, str] = {}
        self._channels: dict[str, _Channel] = {}
        self._faults: dict[str, str] = {}

    def learn(self, keys: Mapping[str, str]) -> None:
        """Take the keys of the newest document, by blob."""
        changed = [blob for blob in self._blobs if keys.get(blob) != self._keys.get(blob)]
        for blob in changed:
            self._unsubscribe(blob)
            self._faults.pop(blob, None)
        self._keys = dict(keys)
        for blob in changed:
            self._subscribe(blob)

    def listen(self, blob: str) -> None:
        """Receive the broadcasts of a blob."""
        self._blobs[blob] = ""
        self._faults.pop(blob, None)
        self._subscribe(blob)

    def unlisten(self, blob: str) -> None:
        """End that."""
        self._unsubscribe(blob)
        self._blobs.pop(blob, None)
        self._faults.pop(blob, None)

    def mute(self, *, muted: bool) -> None:
        """Receive no broadcasts for now, or receive them again."""
        if muted != self._muted:
            for blob in self._blobs:
                self._unsubscribe(blob)
            self._muted = muted
            for blob in self._blobs:
                self._subscribe(blob)

    def channel(self, blob: str) -> str:
        """The channel on which sealed blocks of a blob are received; empty if on none."""
        return self._blobs.get(blob, "")

    def fault(self, blob: str) -> str:
        """The fault for which the blob's channel was left; empty if there is none."""
        return self._faults.get(blob, "")

    def open_block(self, channel: str, index: int, sealed: bytes) -> tuple[str, bytes | None] | None:
        """(blob, block) of a sealed block; no block if the key does not open it, None if the channel is not listened to."""
        found = self._channels.get(channel)
        if found is None:
            return None
        try:
            return found.blob, unseal(found.key, found.blob, index, sealed)
        except MessageError as error:
            found.faults += 1
            if found.faults >= FAULTS_MAX:
                self._faults[found.blob] = f"{FAULT}: {error}; its blocks are requested instead"
                log.warning("%s", self._faults[found.blob])
                self._leave(channel)
            return found.blob, None

    def _subscribe(self, blob: str) -> None:
        if self._muted:
            return
        self._line.listen(topics.all_broadcast_blocks(blob))
        key = self._keys.get(blob, "")
        if key and blob not in self._faults:
            channel = self._blobs[blob] = channel_of(key)
            self._channels[channel] = _Channel(blob, key)
            self._line.listen(topics.all_sealed_blocks(channel))

    def _unsubscribe(self, blob: str) -> None:
        if not self._muted and blob in self._blobs:
            self._line.unlisten(topics.all_broadcast_blocks(blob))
            self._leave(self._blobs[blob])

    def _leave(self, channel: str) -> None:
        found = self._channels.pop(channel, None)
        if found is not None:
            self._blobs[found.blob] = ""
            self._line.unlisten(topics.all_sealed_blocks(channel))
