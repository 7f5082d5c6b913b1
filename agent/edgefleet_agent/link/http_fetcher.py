"""Fetches blocks by HTTPS Range requests, for sites where that is cheaper or faster than MQTT. Blobs and checks are the same.

Runs in its own thread and delivers blocks like MQTT messages. If the server refuses or does not answer, MQTT takes over for a
while. A fleet server requires a download ticket for each blob, which the device requests over MQTT; a mirror requires a token, or
nothing.
"""

from __future__ import annotations

import http.client
import logging
import queue
import ssl
import threading
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from edgefleet_agent.link.download_tickets import TicketCache
from edgefleet_contract.core.errors import InputError
from edgefleet_contract.core.fault_text import fault_text
from edgefleet_contract.core.https_trust import certificate_fault
from edgefleet_contract.mqtt.events import ReceivedMessage
from edgefleet_contract.wire import topics
from edgefleet_contract.wire.download_tickets import TICKET_PATH, TICKET_SCHEME
from edgefleet_contract.wire.messages import BLOCK_BYTES, BlockRequest

WAITING_MAX = 64
TIMEOUT_S = 20.0
PAUSE_S = 60.0
TOKEN_BYTES_MAX = 4096
BLOB_PATH = "/api/v1/blobs"
"""Path of blobs on a fleet server, for tokens of its API."""
LOOPBACK = ("127.0.0.1", "localhost", "::1")

log = logging.getLogger(__name__)


class HttpFetcher:
    """Fetches blocks from one server. `url` is a fleet server (`https://fleet.example`: with tickets), or a URL below which blobs
    have their SHA-256 as name (`https://mirror.example/blobs`: with `token`, if given). `deliver` is called on a thread.
    `authority` (PEM): trusted beside those of the system; asked for each connection, because a rotation replaces it.

    Raises:
        InputError: not such a URL.
    """

    def __init__(
        self,
        device: str,
        url: str,
        token: str,
        deliver: Callable[[ReceivedMessage], object],
        tickets: TicketCache,
        authority: Callable[[], str] = str,
    ) -> None:
        self._parts = urlsplit(url.rstrip("/"))
        host = self._parts.hostname or ""
        self._tickets = tickets if not self._parts.path and not token else None
        self._path = self._parts.path or (BLOB_PATH if token else TICKET_PATH)
        if self._parts.scheme not in ("http", "https") or not host:
            raise InputError(f"blobs {url!r}: must be https://HOST or https://HOST/PATH")
        if self._parts.scheme == "http" and host not in LOOPBACK:
            raise InputError(f"blobs {url}: a token requires an encrypted connection; use https")
        self._device = device
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._deliver = deliver
        self._authority = authority
        self._wants: queue.Queue[BlockRequest | None] = queue.Queue(WAITING_MAX)
        self._not_before_s = 0.0
        self._served = False
        self._connection: http.client.HTTPConnection | None = None
        self._thread = threading.Thread(target=self._run, name="http-blobs", daemon=True)
        self._thread.start()

    def take(self, want: BlockRequest) -> bool:
        """Fetch these blocks; False: use MQTT for now."""
        if time.monotonic() < self._not_before_s:
            return False
        try:
            self._wants.put_nowait(want)
        except queue.Full:
            return False
        return True

    def close(self) -> None:
        """End after the current request."""
        self._not_before_s = float("inf")
        with self._wants.mutex:
            self._wants.queue.clear()
        self._wants.put(None)
        self._thread.join(1.0)

    def _run(self) -> None:
        while (want := self._wants.get()) is not None:
            self._serve(want)
        if self._connection is not None:
            self._connection.close()

    def _serve(self, want: BlockRequest) -> None:
        try:
            for first, count in want.ranges:
                self._fetch(want.blob, first, count)
        except (OSError, http.client.HTTPException) as error:
            self._connection = None
            self._not_before_s = max(self._not_before_s, time.monotonic() + PAUSE_S)
            why = certificate_fault(error) or error
            log.warning("blobs from %s: %s; fetching over MQTT for %.0f s", self._parts.netloc, why, PAUSE_S)

    def _fetch(self, blob: str, first: int, count: int) -> None:
        connection = self._connection = self._connection or self._connect()
        ends = (first + count) * BLOCK_BYTES - 1
        headers = {**self._right(blob), "Range": f"bytes={first * BLOCK_BYTES}-{ends}"}
        connection.request("GET", f"{self._path}/{blob}", headers=headers)
        answer = connection.getresponse()
        if answer.status == http.client.NOT_FOUND:
            answer.read(BLOCK_BYTES)
            self._deliver(ReceivedMessage(topics.block(self._device, blob, first), b"", False))
            return
        if answer.status == http.client.FORBIDDEN and self._tickets is not None:
            self._tickets.drop(blob)
        if answer.status != http.client.PARTIAL_CONTENT:
            raise http.client.HTTPException(f"unexpected response {answer.status} {answer.reason}, expected 206")
        if not self._served:
            self._served = True
            log.info("fetching models from %s over HTTP", self._parts.netloc)
        for index in range(first, first + count):
            data = answer.read(BLOCK_BYTES)
            if data:
                self._deliver(ReceivedMessage(topics.block(self._device, blob, index), data, False))
        if answer.read(1):
            raise http.client.HTTPException("response is longer than the requested range")

    def _right(self, blob: str) -> dict[str, str]:
        if self._tickets is None:
            return self._headers
        token = self._tickets.find(blob)
        if not token:
            raise http.client.HTTPException("no download ticket from the server")
        return {"Authorization": f"{TICKET_SCHEME} {token}"}

    def _connect(self) -> http.client.HTTPConnection:
        host, port = self._parts.hostname or "", self._parts.port
        if self._parts.scheme == "http":
            return http.client.HTTPConnection(host, port, timeout=TIMEOUT_S)
        context = ssl.create_default_context()
        if authority := self._authority():
            context.load_verify_locations(cadata=authority)
            context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
        return http.client.HTTPSConnection(host, port, timeout=TIMEOUT_S, context=context)


def read_token(path: str) -> str:
    """Read the token from a file, without its end of line.

    Raises:
        InputError: it cannot be read.
    """
    try:
        with Path(path).open("rb") as file:
            return file.read(TOKEN_BYTES_MAX).decode("ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"token file {path}: {fault_text(error)}; create a token with `edgefleet user token create`, mode 0600"
        ) from error
