"""Download tickets: short-lived authorization of one device to fetch one blob over HTTPS.

A device is authenticated at the broker, by its certificate, but not over HTTP. So it requests a ticket over the broker and
presents it over HTTP: a token that contains device, blob and expiry with an HMAC of the server (RFC 2104, SHA-256). Tickets are
granted only for blobs that the device is entitled to, and each use is checked against the database again: a blocked device
cannot use its tickets.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import re
import secrets
from pathlib import Path
from typing import Final

from edgefleet_contract.core.atomic_files import read_if_there
from edgefleet_contract.encoding.names import DEVICE_PATTERN
from edgefleet_contract.wire.download_tickets import DownloadTicket
from edgefleet_server.core.errors import DeniedError
from edgefleet_server.db.backend.engine import Database, raw
from edgefleet_server.registry.identity.entitlements import Entitlements, check_standing
from edgefleet_server.registry.signing.keys import write_secret

LIFE_S: Final = 900.0
KEY_BYTES: Final = 32

log = logging.getLogger(__name__)

_TOKEN: Final = re.compile(rf"(?P<device>{DEVICE_PATTERN.strip('^$')})\.(?P<ends>[0-9]{{1,12}})\.(?P<mac>[0-9a-f]{{64}})")


class DownloadTickets:
    """Grants and checks tickets. `key_file` keeps the secret over restarts. Thread-safe; `now` is wall time.

    Raises:
        StoreError: the secret can be neither read nor created.
    """

    def __init__(self, database: Database, entitlements: Entitlements, key_file: Path) -> None:
        self._database = database
        self._entitlements = entitlements
        self._key = _key(key_file)

    def grant(self, device: str, blob: str, now: float) -> DownloadTicket:
        """A ticket for a blob of the desired packages of `device`.

        Raises:
            DeniedError: the device is blocked, or the blob is not one of its packages'.
        """
        self._entitlements.check(device, blob, now)
        ends = int(now + LIFE_S)
        return DownloadTicket(blob=blob, token=f"{device}.{ends}.{self._mac(device, blob, ends)}", life_s=LIFE_S)

    def check(self, token: str, blob: str, now: float) -> str:
        """Check a token for `blob`; returns its device.

        Raises:
            DeniedError: it was not granted by this server for this blob, has expired, or its device has been blocked since.
        """
        found = _TOKEN.fullmatch(token)
        if found is None:
            raise DeniedError("a download ticket is required; agents request one over MQTT")
        device, ends = found["device"], int(found["ends"])
        if not hmac.compare_digest(found["mac"], self._mac(device, blob, ends)):
            raise DeniedError("the download ticket is for another blob or another server")
        if now >= ends:
            raise DeniedError("the download ticket has expired; request another")
        with self._database.read() as connection:
            check_standing(raw(connection), device, now)
        return device

    def _mac(self, device: str, blob: str, ends: int) -> str:
        return hmac.new(self._key, f"{device}\n{blob}\n{ends}".encode(), hashlib.sha256).hexdigest()


def _key(file: Path) -> bytes:
    """The secret. A damaged one is replaced: tickets live for minutes, and devices request new ones."""
    key = read_if_there(file, KEY_BYTES)
    if key is not None and len(key) == KEY_BYTES:
        return key
    if file.exists():
        log.warning("%s is damaged and is replaced; devices request new download tickets", file)
    key = secrets.token_bytes(KEY_BYTES)
    write_secret(file, key)
    return key
