"""Uploads in pieces that survive lost connections, also those of an earlier process: the server keeps what it has stored."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from typing import BinaryIO, Final

from edgefleet_client.errors import BusyError, ConflictError, ConnectionFailedError
from edgefleet_client.operations.all_operations import Operations
from edgefleet_client.schemas.models import ModelVersion

PIECE_BYTES: Final = 4 * 1024 * 1024
READ_BYTES: Final = 1024 * 1024
TRIES: Final = 8
"""Limit of consecutive tries without progress; the pauses between them grow, to a minute in total."""
WAIT_S: Final = 0.5
WAIT_S_MAX: Final = 15.0

Failures = tuple[type[Exception], ...]
INTERRUPTIONS: Final[Failures] = (ConnectionFailedError, BusyError, ConflictError)
"""Errors after which the upload continues at the server's offset."""


def push_package(
    client: Operations,
    archive: BinaryIO,
    progress: Callable[[int, int], None] | None = None,
    *,
    interruptions: Failures = INTERRUPTIONS,
    sleep: Callable[[float], None] = time.sleep,
) -> tuple[bool, ModelVersion]:
    """Upload the tar of a package, as `FleetClient.push_package` does. interruptions: errors after which it continues."""
    length, sha256 = _measured(archive)
    state = client.models.begin_upload({"length_bytes": length, "sha256": sha256})
    upload, piece = state["id"], min(PIECE_BYTES, state["piece_bytes_max"])
    offset, failures = state["offset_bytes"], 0
    while offset < length:
        if progress is not None:
            progress(offset, length)
        archive.seek(offset)
        try:
            offset = client.models.append_upload(upload, archive.read(piece), offset_bytes=offset)["offset_bytes"]
            failures = 0
        except interruptions:
            failures += 1
            if failures >= TRIES:
                raise
            sleep(min(WAIT_S * 2**failures, WAIT_S_MAX))
            before, offset = offset, _offset(client, upload, offset, interruptions)
            failures = 0 if offset > before else failures
    if progress is not None:
        progress(length, length)
    return client.models.finish_upload(upload)


def _measured(archive: BinaryIO) -> tuple[int, str]:
    digest = hashlib.sha256()
    archive.seek(0)
    while data := archive.read(READ_BYTES):
        digest.update(data)
    return archive.tell(), digest.hexdigest()


def _offset(client: Operations, upload: str, known: int, interruptions: Failures) -> int:
    try:
        return client.models.get_upload(upload)["offset_bytes"]
    except interruptions:
        return known
