"""Memory that the agent and the process of an isolated model share.

It is anonymous: the kernel frees it with the last of the two processes, however they end. It is sealed against shrinking: a
mapped page that vanished would kill the reader (SIGBUS).
"""

from __future__ import annotations

import fcntl
import mmap
import os

FIRST_BYTES = 64 * 1024
_F_ADD_SEALS = 1033
_F_GET_SEALS = 1034
_F_SEAL_SHRINK = 2


class SharedBuffer:
    """One direction of tensors. The agent creates and grows it, the process attaches to its descriptor."""

    def __init__(self, descriptor: int | None = None) -> None:
        """Raises OSError if there is no memory left, or `descriptor` can shrink."""
        if descriptor is None:
            descriptor = os.memfd_create("edgefleet-tensors", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
            os.ftruncate(descriptor, FIRST_BYTES)
            fcntl.fcntl(descriptor, _F_ADD_SEALS, _F_SEAL_SHRINK)
        elif not fcntl.fcntl(descriptor, _F_GET_SEALS) & _F_SEAL_SHRINK:
            raise OSError("the shared memory is not sealed")
        self.descriptor = descriptor
        self.memory = memoryview(b"")
        self.map()

    def grow(self, size: int) -> None:
        """Make room for `size` bytes; existing arrays keep the former mapping."""
        if size <= len(self.memory):
            return
        os.ftruncate(self.descriptor, 1 << (size - 1).bit_length())
        self.map()

    def map(self) -> None:
        """Map the whole buffer as large as it is now."""
        self.memory = memoryview(mmap.mmap(self.descriptor, os.fstat(self.descriptor).st_size))

    def close(self) -> None:
        """Close the descriptor. The memory is freed with the last array in it."""
        if self.descriptor >= 0:
            os.close(self.descriptor)
            self.descriptor = -1
            self.memory = memoryview(b"")
