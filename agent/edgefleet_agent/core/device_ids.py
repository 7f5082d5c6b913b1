"""The device ID of the settings, in which a mark of the machine may stand, as an image is the same for all devices:
`cam-{serial}`."""

from __future__ import annotations

import re
import socket
from collections.abc import Callable
from pathlib import Path

from edgefleet_contract.core.errors import InputError
from edgefleet_contract.encoding.names import DEVICE_PATTERN

PATTERN = r"^[a-z0-9_-]*(\{(serial|machine_id|mac|hostname)\}[a-z0-9_-]*)?$"
PATTERN_CHARS_MAX = 80
MARK_CHARS_MAX = 32
BYTES_MAX = 256
SERIALS = ("proc/device-tree/serial-number", "sys/class/dmi/id/product_serial", "sys/class/dmi/id/board_serial")
"""Of a Raspberry Pi or Jetson, and of a PC, where only root can read it."""
NO_SERIALS = frozenset({"", "0", "none", "default-string", "system-serial-number", "to-be-filled-by-o-e-m", "not-specified"})

_MARK = re.compile(r"\{([a-z_]+)\}")
_ROOT = Path("/")


def device_id(text: str, where: str, root: Path = _ROOT) -> str:
    """The ID with the mark of this machine in its place. where: of the setting, for errors. root: of its files.

    Raises:
        InputError: this machine has no such mark, or the ID is not valid with it.
    """
    found = _MARK.search(text)
    name = text
    if found is not None:
        mark = _plain(_MARKS[found[1]](root))
        if mark in NO_SERIALS:
            raise InputError(f"{where}: this machine has no {found[0]} that this user can read; use another, for example {{mac}}")
        name = text[: found.start()] + mark[:MARK_CHARS_MAX] + text[found.end() :]
    if re.match(DEVICE_PATTERN, name) is None:
        raise InputError(f"{where}: invalid device id {name[:80]!r}; use 1 to 64 characters of a-z, 0-9, _ and -")
    return name


def _plain(mark: str) -> str:
    return re.sub(r"[^a-z0-9_-]+", "-", mark.lower()).strip("-")


def _serial(root: Path) -> str:
    texts = (_read(root / path) for path in SERIALS)
    return next((text for text in texts if _plain(text) not in NO_SERIALS), "")


def _machine_id(root: Path) -> str:
    return _read(root / "etc/machine-id")[:12]


def _mac(root: Path) -> str:
    """The address of the first network interface of hardware."""
    folders = sorted(path.parent for path in (root / "sys/class/net").glob("*/device"))
    addresses = (_read(folder / "address").replace(":", "") for folder in folders)
    return next((address for address in addresses if address.strip("0")), "")


def _hostname(_root: Path) -> str:
    return socket.gethostname()


def _read(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(BYTES_MAX).decode("ascii", "replace").strip("\0 \n")
    except OSError:
        return ""


_MARKS: dict[str, Callable[[Path], str]] = {
    "serial": _serial,
    "machine_id": _machine_id,
    "mac": _mac,
    "hostname": _hostname,
}
