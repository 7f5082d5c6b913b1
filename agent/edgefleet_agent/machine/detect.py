"""Detects the profile of a machine: /proc, /sys and /dev against the requirements of each profile.

Words of a profile's `[match]`; a `|` separates alternatives, `*` and `?` stand for any text:

    machine       the architecture as printed by `uname -m`
    device_tree   one of the names in /proc/device-tree/compatible
    usb, pci      vendor:device of a connected device, four hexadecimal digits each
    display       vendor of a graphics device on PCI
    module        a kernel module that is loaded
    tegra         the release in /etc/nv_tegra_release, such as R35
    file          a path that exists
"""

from __future__ import annotations

import platform
import re
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path

from edgefleet_contract.package.profile import Profile

WORDS = ("machine", "device_tree", "usb", "pci", "display", "module", "tegra", "file")
_TEXT_BYTES_MAX = 64 * 1024
_ENTRIES_MAX = 1024
_DISPLAY_CLASS = "0x03"


@dataclass(frozen=True, slots=True)
class HardwareFacts:
    """Hardware identifiers found, by kind. Files that a profile names are searched below `root`."""

    root: Path
    seen: dict[str, tuple[str, ...]]

    def proof(self, word: str, patterns: str) -> str:
        """The identifier of this machine that matches `patterns`; "" if none does."""
        for pattern in patterns.split("|"):
            if word == "file":
                if next(self.root.glob(pattern.lstrip("/")), None) is not None:
                    return pattern
                continue
            for value in self.seen.get(word, ()):
                if fnmatchcase(value, pattern):
                    return value
        return ""


@dataclass(frozen=True, slots=True)
class ProfileMatch:
    """The match of a machine with a profile: proofs by word, and missing evidence."""

    profile: Profile
    proofs: dict[str, str] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)

    @property
    def fits(self) -> bool:
        """Whether every condition holds."""
        return not self.missing


def gather(root: Path = Path("/")) -> HardwareFacts:
    """Collect facts about the machine under `root`. Reads small files only; starts no process, loads no library."""
    sys = root / "sys"
    seen = {
        "machine": _machine(root),
        "device_tree": tuple(part for part in _text(root / "proc/device-tree/compatible").split("\0") if part),
        "usb": _ids(sys / "bus/usb/devices", "idVendor", "idProduct"),
        "pci": _ids(sys / "bus/pci/devices", "vendor", "device"),
        "display": _displays(sys / "bus/pci/devices"),
        "module": tuple(path.name for path in _entries(sys / "module")),
        "tegra": tuple(re.findall(r"^# (R\d+)", _text(root / "etc/nv_tegra_release"))),
    }
    return HardwareFacts(root, seen)


def matches(hardware: HardwareFacts, profiles: list[Profile]) -> list[ProfileMatch]:
    """Matches every profile with the hardware; those that fit come first, the highest rank first."""
    found = []
    for profile in profiles:
        proofs = {word: hardware.proof(word, patterns) for word, patterns in profile.match.items()}
        missing = {word: profile.match[word] for word, proof in proofs.items() if not proof}
        found.append(ProfileMatch(profile, {word: proof for word, proof in proofs.items() if proof}, missing))
    return sorted(found, key=lambda match: (not match.fits, -match.profile.rank, match.profile.name))


def _machine(root: Path) -> tuple[str, ...]:
    arch = _text(root / "proc/sys/kernel/arch").strip()  # since Linux 6.1; a recorded tree always has it
    return (arch or (platform.machine() if root == Path("/") else ""),)


def _ids(folder: Path, vendor: str, device: str) -> tuple[str, ...]:
    pairs = ((_text(entry / vendor), _text(entry / device)) for entry in _entries(folder))
    return tuple(f"{_hex(first)}:{_hex(second)}" for first, second in pairs if first and second)


def _displays(folder: Path) -> tuple[str, ...]:
    devices = (entry for entry in _entries(folder) if _text(entry / "class").startswith(_DISPLAY_CLASS))
    return tuple(_hex(_text(entry / "vendor")) for entry in devices)


def _hex(text: str) -> str:
    return text.strip().lower().removeprefix("0x")


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())[:_ENTRIES_MAX]
    except OSError:  # this kind of machine has no such bus
        return []


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(_TEXT_BYTES_MAX).decode(errors="replace")
    except OSError:  # another kind of machine, or a file that only root may read
        return ""
