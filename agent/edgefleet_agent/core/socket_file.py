"""Files of Unix sockets: who removes them, and when."""

from __future__ import annotations

import contextlib
import errno
import os
import socket
from dataclasses import dataclass
from pathlib import Path

CONNECT_S_MAX = 1.0


def remove_stale(path: Path) -> None:
    """Remove the file of a socket without a listener, left by a process that was killed. Other files stay.

    Raises:
        OSError: a process listens there (EADDRINUSE), or the file cannot be removed.
    """
    if not path.is_socket():
        return
    with socket.socket(socket.AF_UNIX) as caller:
        caller.settimeout(CONNECT_S_MAX)
        try:
            caller.connect(str(path))
        except ConnectionRefusedError:
            path.unlink(missing_ok=True)
            return
        except FileNotFoundError:
            return
        except (TimeoutError, BlockingIOError):  # its queue is full
            pass
    raise OSError(errno.EADDRINUSE, os.strerror(errno.EADDRINUSE))


@dataclass(frozen=True, slots=True)
class SocketFile:
    """The file of an open socket. path: absolute. device, inode: of the file that was made."""

    path: Path
    device: int
    inode: int

    @classmethod
    def of(cls, listening: socket.socket) -> SocketFile | None:
        """The file of a socket that was bound now; None if it has none."""
        name = listening.getsockname() if listening.family == socket.AF_UNIX else ""
        if not isinstance(name, str) or not name or name.startswith("\0"):
            return None
        path = Path(name).absolute()
        try:
            found = path.lstat()
        except OSError:
            return None
        return cls(path, found.st_dev, found.st_ino)

    def remove(self) -> None:
        """Remove the file, unless another process has put its own in its place."""
        with contextlib.suppress(OSError):  # gone, or a read-only disk
            found = self.path.lstat()
            if (found.st_dev, found.st_ino) == (self.device, self.inode):
                self.path.unlink()
