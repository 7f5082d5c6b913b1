"""Host memory that CUDA may read and write directly: a copy to or from other memory takes two to four times as long.

https://docs.nvidia.com/cuda/cuda-runtime-api/group__CUDART__MEMORY.html, `cudaHostRegister`.
"""

from __future__ import annotations

import ctypes
import math
import mmap
import re
import weakref
from pathlib import Path
from typing import Any

import numpy as np

from edgefleet_agent.backends.base import Array

_LIBRARY = re.compile(r"/\S*/libcudart\.so\S*$", re.MULTILINE)
_PORTABLE = 1
"""`cudaHostRegisterPortable`: for all devices."""


class PinnedMemory:
    """Makes arrays in pinned memory, by the CUDA runtime that this process has loaded."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self._library = library
        library.cudaHostRegister.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_uint]
        library.cudaHostUnregister.argtypes = [ctypes.c_void_p]

    def array(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
        """A new array of pages of its own. They are released when no array uses them; where CUDA cannot pin them (older boards
        with memory that processor and GPU share), they are ordinary ones."""
        count = math.prod(shape)
        pages = mmap.mmap(-1, max(1, count * dtype.itemsize))
        array = np.frombuffer(pages, dtype, count).reshape(shape)
        if self._library.cudaHostRegister(array.ctypes.data, len(pages), _PORTABLE) == 0:
            weakref.finalize(pages, self._library.cudaHostUnregister, array.ctypes.data).atexit = False
        return array


def pinned_memory() -> PinnedMemory | None:
    """The pinned memory of this process; None: no CUDA runtime is loaded."""
    maps = Path("/proc/self/maps")
    found = _LIBRARY.search(maps.read_text(encoding="utf-8", errors="replace")) if maps.is_file() else None
    return PinnedMemory(ctypes.CDLL(found[0])) if found else None
