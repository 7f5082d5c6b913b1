"""The folders of models and signed metadata under a running server: a deleted or read-only one is found before the next push."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from edgefleet_server.registry.integrity.data_folder import RESTORE

LOST: Final = f"put it back, or {RESTORE}"
READ_ONLY: Final = "correct its owner and its mode, or mount its disk for writing"

log = logging.getLogger(__name__)


class StoredFolders:
    """Looks whether folders are there and writable; it keeps nothing but what it has logged. Thread-safe."""

    def __init__(self, needed: Mapping[str, Iterable[Path]]) -> None:
        """`needed`: what cannot be done without them -> folders, and files in them."""
        self._needed = {effect: tuple(paths) for effect, paths in needed.items()}
        self._logged: frozenset[str] = frozenset()

    def faults(self) -> list[str]:
        """Returns what is missing or cannot be written now, one line for each effect, with what to do."""
        found = ((effect, next(filter(None, map(_fault, paths)), "")) for effect, paths in self._needed.items())
        return [f"{fault}: {effect}; {LOST if fault.endswith('missing') else READ_ONLY}" for effect, fault in found if fault]

    def check(self) -> None:
        """Log what has changed since the last check. One caller at a time."""
        faults = frozenset(self.faults())
        for fault in sorted(faults - self._logged):
            log.critical("%s", fault)
        for fault in sorted(self._logged - faults):
            log.warning("%s is there and writable again", fault.partition(" ")[0])
        self._logged = faults


def _fault(path: Path) -> str:
    if not path.exists():
        return f"{path} is missing"
    return "" if os.access(path, os.W_OK) else f"{path} cannot be written"
