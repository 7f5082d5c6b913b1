"""Missing blocks of a package on a virtual device, and its next requests. Times are arguments; the blob cache verifies bytes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from edgefleet_contract.capabilities import built_in_capabilities
from edgefleet_contract.package.blob import ranges_of
from edgefleet_contract.package.manifest import FileEntry
from edgefleet_contract.wire import topics
from edgefleet_contract.wire.messages import BLOCKS_PER_REQUEST_MAX, BlockRequest, SlotTarget
from edgefleet_contract.wire.sealed_block import channel_of, unseal
from edgefleet_server.simulate.devices.blob_cache import BlobCache, blocks_of, descriptor_entry, files_for

STALL_S: Final = 5.0
STALL_S_MAX: Final = 60.0
RUNTIMES: Final = ["lite_rt", "onnx_runtime", "open_vino"]
CAPABILITIES: Final = built_in_capabilities()


@dataclass(slots=True)
class _File:
    entry: FileEntry
    to_ask: dict[int, None]
    in_flight: dict[int, None] = field(default_factory=dict)


class Fetch:
    """The transfer of one package to one device. Complete files survive a lost connection."""

    def __init__(self, target: SlotTarget, profile: str, shelf: BlobCache, window: int, stored: set[str]) -> None:
        """`stored`: hashes of files that the device has; those that complete are added.

        Raises:
            ManifestError: the package is not one that a virtual device takes.
        """
        self.target = target
        self._profile = profile
        self._shelf = shelf
        self._window = window
        self._stored = stored
        self._files: dict[str, _File] = {}
        self._patience_s = STALL_S
        self._moved_s = 0.0
        self.bytes_done = 0
        self.bytes_total = target.length
        self.fits = True
        self._begin(descriptor_entry(target))
        self._grow()

    @property
    def done(self) -> bool:
        """Whether every byte has arrived and is verified."""
        return not self._files

    @property
    def listening(self) -> list[str]:
        """Blobs with missing blocks."""
        return list(self._files)

    def channels(self, blobs: Iterable[str]) -> list[str]:
        """Filters of the broadcasts of these blobs: in the clear, and with the keys of the target."""
        filters = []
        for blob in blobs:
            filters.append(topics.all_broadcast_blocks(blob))
            if blob in self.target.keys:
                filters.append(topics.all_sealed_blocks(channel_of(self.target.keys[blob])))
        return filters

    def open_block(self, channel: str, index: int, sealed: bytes) -> tuple[str, bytes] | None:
        """(blob, block) of a sealed block of one of its blobs; None if it is of no other.

        Raises:
            MessageError: the key does not open it.
        """
        for blob in self._files:
            key = self.target.keys.get(blob)
            if key and channel_of(key) == channel:
                return blob, unseal(key, blob, index, sealed)
        return None

    def ask_again(self) -> None:
        """Request all missing blocks again, because none is in flight any more."""
        for file in self._files.values():
            file.to_ask = {**file.in_flight, **file.to_ask}
            file.in_flight = {}

    def wants(self, now: float) -> list[BlockRequest]:
        """Requests to send now; they count as requested. Half a window has to be free, so that one request carries several
        blocks."""
        flying = sum(len(file.in_flight) for file in self._files.values())
        if flying and now - self._moved_s > self._patience_s:
            self.ask_again()
            self._patience_s = min(self._patience_s * 2.0, STALL_S_MAX)
            flying = 0
        if flying * 2 > self._window:
            return []
        requests: list[BlockRequest] = []
        for sha256, file in self._files.items():
            indices = list(file.to_ask)[: min(self._window - flying, BLOCKS_PER_REQUEST_MAX)]
            if indices:
                for index in indices:
                    del file.to_ask[index]
                file.in_flight.update(dict.fromkeys(indices))
                flying += len(indices)
                missing = ranges_of([*file.in_flight, *file.to_ask])[:BLOCKS_PER_REQUEST_MAX]
                channel = channel_of(self.target.keys[sha256]) if sha256 in self.target.keys else ""
                request = BlockRequest(
                    blob=sha256, ranges=ranges_of(indices), missing=missing, reads_refusals=True, channel=channel
                )
                requests.append(request)
                self._moved_s = now
        return requests

    def take(self, sha256: str, index: int, data: memoryview, now: float) -> bool | None:
        """Handle a received block: True = new and valid, False = invalid, None = not missing.

        Raises:
            ManifestError: it completed a descriptor or a manifest that is malformed.
        """
        file = self._files.get(sha256)
        if file is None or not (index in file.in_flight or index in file.to_ask):
            return None
        self._moved_s = now
        if not self._shelf.is_right(file.entry, index, data):
            return False
        file.in_flight.pop(index, None)
        file.to_ask.pop(index, None)
        self.bytes_done += len(data)
        self._patience_s = STALL_S
        if not file.in_flight and not file.to_ask:
            del self._files[sha256]
            self._stored.add(sha256)
            if not self._files:
                self._grow()
        return True

    def _begin(self, entry: FileEntry) -> None:
        if entry.sha256 in self._stored or not entry.length:
            return
        self._files[entry.sha256] = _File(entry, dict.fromkeys(range(blocks_of(entry))))

    def _grow(self) -> None:
        """Add the files to fetch: the descriptor names them, and the manifest determines which of them this device needs."""
        while not self._files and self.target.digest in self._stored:
            contents = self._shelf.contents(self.target)
            if contents is None:  # verified long ago, and evicted from the cache
                self._stored.discard(self.target.digest)
                self._begin(descriptor_entry(self.target))
                return
            entries = files_for(contents, self._profile, RUNTIMES)
            if entries is None:
                self.fits = False
                return
            for entry in entries:
                if contents.manifest is None:
                    self._stored.discard(entry.sha256)
                self._begin(entry)
            if contents.manifest is not None:
                self.bytes_total = self.target.length + sum(entry.length for entry in entries)
                return
