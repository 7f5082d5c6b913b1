"""Receives snapshots and clips from devices, block by block, in a separate thread: a slow disk must not block the connection."""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final, Protocol

from edgefleet_contract.encoding.codec import decode, encode
from edgefleet_contract.mqtt.client import MqttClient
from edgefleet_contract.mqtt.events import Outgoing
from edgefleet_contract.wire import topics
from edgefleet_contract.wire.evidence_upload import BLOCK_BYTES, WINDOW, Upload, UploadState, parse_block
from edgefleet_server.core.errors import EdgefleetError, InputError, MessageError, StoreError
from edgefleet_server.domain.delivery.fair_queue import QueueLimits
from edgefleet_server.link.fair_mailbox import FairMailbox

WAITING: Final = QueueLimits(device_items=64, device_bytes=4 * 1024**2, total_bytes=32 * 1024**2)
"""Messages queued between connection and disk; above the limits they are dropped, and the device sends them again."""
OFFERS_OF_DEVICE: Final = 8
DEVICES_MAX: Final = 50_000
"""Uploads in progress of a device, usually one, and devices with uploads; above a limit the oldest are forgotten, and their
devices offer them again."""
TIDY_S: Final = 3600.0

log = logging.getLogger(__name__)


class EvidenceFiles(Protocol):
    """Sink of received files. Methods raise InputError for a refused upload or block, StoreError if the disk refuses."""

    def begin(self, upload: Upload) -> int | None:
        """Number of whole blocks that are stored; None if the file is complete."""
        ...

    def append(self, upload: Upload, number: int, data: bytes) -> int:
        """Store a block if it is the next one; returns the number of stored blocks."""
        ...

    def finish(self, upload: Upload) -> None:
        """Complete an upload whose blocks are all stored."""
        ...

    def tidy(self, now: float) -> int:
        """Delete files that are too old; returns their number."""
        ...


class EvidenceReceiver:
    """The thread that passes received blocks to the store and answers their devices. `refused` is called with the device and the
    length of each invalid message, and of each block of a file that the device has not offered."""

    def __init__(
        self,
        link: MqttClient,
        store: EvidenceFiles,
        refused: Callable[[str, int], None] = lambda _device, _length: None,
        retention_time: Callable[[float], float] = lambda now: now,
    ) -> None:
        """retention_time: the time by which files may be deleted, of that of the clock."""
        self._link = link
        self._store = store
        self._refused = refused
        self._retention_time = retention_time
        self._waiting: FairMailbox[tuple[str, str, bytes]] = FairMailbox(WAITING)
        self._offers: OrderedDict[str, OrderedDict[str, Upload]] = OrderedDict()
        """By device and SHA-256, those of the latest offers last."""
        self._tidied_s = 0.0
        self._thread = threading.Thread(target=self._run, name="uploads", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def close(self) -> None:
        """Stop after the current message."""
        self._waiting.close()
        if self._thread.is_alive():
            self._thread.join(5.0)

    def take(self, device: str, rest: str, payload: bytes) -> None:
        """Queue a message on `up/` + rest; never blocks."""
        if self._waiting.put(device, (device, rest, payload), len(payload)):
            log.debug("uploads: too many blocks at once; devices send them again")

    def discard(self, device: str) -> None:
        """Drop what waits from a device."""
        self._waiting.discard(device)

    def _run(self) -> None:
        while taken := self._waiting.take(1, 1):
            device, rest, payload = taken[0]
            try:
                self._handle(device, rest, payload)
                self._tidy()
            except MessageError as error:
                log.debug("upload of %s: %s", device, error)
                self._refused(device, len(payload))
            except StoreError as error:
                log.warning("evidence of %s: %s; its device sends it again", device, error)

    def _handle(self, device: str, rest: str, payload: bytes) -> None:
        block = parse_block(rest)
        if block is None:
            self._offered(device, payload)
            return
        digest, number = block
        own = self._offers.get(device)
        upload = own.get(digest) if own is not None else None
        if upload is None or len(payload) > BLOCK_BYTES:
            self._refused(device, len(payload))
            return  # offered before a restart of this server, or unknown: the device offers it again
        try:
            have = self._store.append(upload, number, payload)
            if have * BLOCK_BYTES < upload.length:
                if have % (WINDOW // 2) == 0 or have != number + 1:
                    self._answer(device, UploadState(digest=digest, blocks=have))
                return
            self._store.finish(upload)
        except InputError as error:
            self._refuse(device, digest, error)
            return
        self._stored(device, digest)

    def _offered(self, device: str, payload: bytes) -> None:
        try:
            upload = decode(payload, Upload)
        except EdgefleetError as error:
            raise MessageError(str(error)) from error
        if upload.device != device:
            raise MessageError(f"speaks for {upload.device!r}")
        try:
            have = self._store.begin(upload)
            if have is not None and have * BLOCK_BYTES >= upload.length:
                self._store.finish(upload)
                have = None
        except InputError as error:
            self._refuse(device, upload.digest, error)
            return
        except StoreError as error:
            self._forget(device, upload.digest)
            self._answer(device, UploadState(digest=upload.digest, window=1, waits=str(error)[:500]))
            raise
        if have is None:
            self._stored(device, upload.digest)
            return
        self._remember(upload)
        self._answer(device, UploadState(digest=upload.digest, blocks=have))

    def _remember(self, upload: Upload) -> None:
        """Remember an upload in progress, within the limits."""
        own = self._offers.setdefault(upload.device, OrderedDict())
        self._offers.move_to_end(upload.device)
        own[upload.digest] = upload
        own.move_to_end(upload.digest)
        while len(own) > OFFERS_OF_DEVICE:
            own.popitem(last=False)
        while len(self._offers) > DEVICES_MAX:
            self._offers.popitem(last=False)

    def _forget(self, device: str, digest: str) -> None:
        own = self._offers.get(device)
        if own is not None and own.pop(digest, None) is not None and not own:
            del self._offers[device]

    def _stored(self, device: str, digest: str) -> None:
        self._forget(device, digest)
        self._answer(device, UploadState(digest=digest, stored=True))

    def _refuse(self, device: str, digest: str, error: InputError) -> None:
        self._forget(device, digest)
        self._answer(device, UploadState(digest=digest, refused=str(error)[:500]))

    def _answer(self, device: str, state: UploadState) -> None:
        self._link.publish(Outgoing(topics.upload_state(device), encode(state)))

    def _tidy(self) -> None:
        if time.monotonic() - self._tidied_s > TIDY_S:
            self._tidied_s = time.monotonic()
            self._store.tidy(self._retention_time(time.time()))
