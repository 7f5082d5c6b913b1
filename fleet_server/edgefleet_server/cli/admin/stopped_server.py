"""The lock on a data folder of a command that needs its server to be stopped."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from edgefleet_server.core.errors import StoreError, UnavailableError


def is_served(data: Path) -> bool:
    """Whether a server has locked the folder, also while it is starting."""
    try:
        descriptor = os.open(data / "lock", os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False


@contextmanager
def stopped_server(data: Path, consequence: str) -> Iterator[None]:
    """Lock the folder against servers. consequence: of a running one, for the error's text.

    Raises:
        StoreError: the folder cannot be locked. UnavailableError: a server uses it.
    """
    try:
        descriptor = os.open(data / "lock", os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise StoreError(f"data folder {data}: {error.strerror}; run this command as its owner") from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError as error:
        raise UnavailableError(f"a server is using {data}; stop it first, {consequence}") from error
    finally:
        os.close(descriptor)
