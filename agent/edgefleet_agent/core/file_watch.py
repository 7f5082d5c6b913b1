"""Whether a file that a library has open is still the one at its path."""

from __future__ import annotations

import contextlib
import os
from enum import Enum
from pathlib import Path


class Presence(Enum):
    """State of the path of an open file.

    SAME: the file. OTHER: by its number another one; some file systems number a file anew while it is open. REMOVED: nothing, or
    the file has no name any more: what is written to it is lost once it is closed.
    """

    SAME = "same"
    OTHER = "other"
    REMOVED = "removed"


class FileWatch:
    """The file at `path` as it is now; a missing one is never missed.

    Its descriptor names the file without opening it (`O_PATH`): to close any other descriptor of a file would release the locks
    that SQLite holds on it in this process.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor = -1
        with contextlib.suppress(OSError):
            self._descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)

    def presence(self) -> Presence:
        """State of the path now; SAME while the disk does not answer."""
        if self._descriptor < 0:
            return Presence.SAME
        try:
            held = os.fstat(self._descriptor)
            here = self._path.stat()
        except (FileNotFoundError, NotADirectoryError):
            return Presence.REMOVED
        except OSError:
            return Presence.SAME
        if held.st_nlink == 0:
            return Presence.REMOVED
        return Presence.SAME if os.path.samestat(held, here) else Presence.OTHER

    def close(self) -> None:
        """End the watch."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1
