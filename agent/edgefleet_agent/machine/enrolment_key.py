"""The key of a device that waits for the approval of its enrolment: `enrolment.key` in the state folder, readable by its owner
only, until the device is enrolled or denied."""

from __future__ import annotations

from pathlib import Path

from edgefleet_agent.machine.identity import FILE_BYTES_MAX, SECRET
from edgefleet_contract.core.atomic_files import make_folder, read_if_there, remove_file, write_atomic

FILE = "enrolment.key"


def stored_key(state: Path) -> str:
    """The private key (PEM) with which this device has asked before; empty if it has not."""
    return (read_if_there(state / FILE, FILE_BYTES_MAX) or b"").decode("ascii", "replace")


def store_key(state: Path, key: str) -> None:
    """Keep the key, which the approval will be about.

    Raises:
        StoreError: the disk cannot be written.
    """
    make_folder(state)
    write_atomic(state / FILE, key.encode(), SECRET)


def forget_key(state: Path) -> None:
    """Remove the key.

    Raises:
        StoreError: the disk cannot be written.
    """
    if (state / FILE).exists():
        remove_file(state / FILE)
