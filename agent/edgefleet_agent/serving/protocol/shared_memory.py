"""System shared memory: callers on this machine pass tensors in POSIX shared-memory objects instead of the request.

Off by default: a caller that registers a region makes the agent read and write memory of other programs. Regions are read with
`pread` and written with `pwrite`, not mapped: truncating a mapped object would kill the process (SIGBUS); here the caller gets an
error. The price is one copy, as with a socket.
"""

from __future__ import annotations

import os
import re
import stat
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from edgefleet_agent.serving.protocol.errors import CallError, Code, invalid

FOLDER = Path("/dev/shm")  # noqa: S108 - where the C library keeps POSIX shared memory on Linux
REGIONS_MAX = 128
"""Each region holds an open file; a process may have a thousand by default."""
NAME_CHARS_MAX = 256
TENSOR_BYTES_MAX = 64 * 1024 * 1024
"""Largest tensor that is read from a region: the default limit of a body."""
_KEY = re.compile(r"/?[A-Za-z0-9_.-]{1,254}")
_SIZE_MAX = 2**63


class Region:
    """A registered part of a shared-memory object. Its file stays open until the last `RegionSlice` of it is dropped."""

    def __init__(self, name: str, key: str, offset: int, byte_size: int) -> None:
        self.name, self.key, self.offset, self.byte_size = name, key, offset, byte_size
        self._file = _open(name, key)
        info = os.fstat(self._file)
        if not stat.S_ISREG(info.st_mode):
            raise _refused(name, f"'{key}' is not a shared-memory object")
        if offset + byte_size > info.st_size:
            raise _refused(name, f"'{key}' has {info.st_size} bytes, offset {offset} and {byte_size} bytes do not fit into it")

    def __del__(self) -> None:
        if hasattr(self, "_file"):
            os.close(self._file)

    def to_json(self) -> dict[str, Any]:
        """The region in the form of the status endpoints."""
        return {"name": self.name, "key": self.key, "offset": self.offset, "byte_size": self.byte_size}

    def read(self, offset: int, count: int) -> memoryview:
        """Read `count` bytes from `offset` of the region.

        Raises:
            CallError: the object was truncated.
        """
        buffer = memoryview(bytearray(count))
        done = 0
        while done < count:
            got = os.preadv(self._file, [buffer[done:]], self.offset + offset + done)
            if not got:
                raise invalid(f"shared memory region '{self.name}' is smaller than when it was registered")
            done += got
        return buffer

    def write(self, offset: int, data: bytes) -> None:
        """Write at `offset` of the region.

        Raises:
            CallError: the object cannot be written.
        """
        view = memoryview(data)
        try:
            while view:
                done = os.pwrite(self._file, view, self.offset + offset)
                view, offset = view[done:], offset + done
        except OSError as cause:
            raise invalid(f"shared memory region '{self.name}' cannot be written: {cause.strerror}") from cause


@dataclass(frozen=True, slots=True)
class RegionSlice:
    """The part of a region that holds one tensor."""

    region: Region
    offset: int
    byte_size: int

    def read(self) -> memoryview:
        """The bytes of the slice. Raises CallError if the object was truncated."""
        return self.region.read(self.offset, self.byte_size)

    def write(self, name: str, data: bytes) -> None:
        """Write the output `name`.

        Raises:
            CallError: the output is longer than the slice, or cannot be written.
        """
        if len(data) > self.byte_size:
            raise invalid(
                f"shared memory size specified with the request for output '{name}' ({self.byte_size} bytes) should be at least "
                f"{len(data)} bytes to hold the results"
            )
        self.region.write(self.offset, data)


class SharedMemoryRegions:
    """The registered regions of this server; any thread."""

    def __init__(self, *, allowed: bool = False) -> None:
        self.allowed = allowed
        self._regions: dict[str, Region] = {}
        self._lock = threading.Lock()

    def register(self, name: str, key: object, offset: object, byte_size: object) -> None:
        """Register a part of the object `key` as `name`.

        Raises:
            CallError: shared memory is not allowed, the name is in use, or the object has no such part.
        """
        self._check_allowed()
        if not 0 < len(name) <= NAME_CHARS_MAX:
            raise _refused(name, f"the name must have 1 to {NAME_CHARS_MAX} characters")
        if not isinstance(key, str) or not _KEY.fullmatch(key) or not key.strip("/."):
            raise _refused(name, "the key must be the name of a shared-memory object such as '/frames'")
        numbers = (offset, byte_size)
        if any(type(each) is not int or not 0 <= each < _SIZE_MAX for each in numbers) or not byte_size:
            raise _refused(name, "offset and byte_size must be whole numbers, byte_size above 0")
        assert isinstance(offset, int)
        assert isinstance(byte_size, int)
        with self._lock:
            if name in self._regions:
                raise _refused(name, "a region of this name is already registered; unregister it first")
            if len(self._regions) >= REGIONS_MAX:
                raise CallError(Code.UNAVAILABLE, f"limit of {REGIONS_MAX} shared memory regions reached; unregister some")
            self._regions[name] = Region(name, key, offset, byte_size)

    def unregister(self, name: str) -> None:
        """Unregister a region, or all if `name` is empty. Running requests keep their slices; unknown names are no error."""
        self._check_allowed()
        with self._lock:
            if name:
                self._regions.pop(name, None)
            else:
                self._regions.clear()

    def to_json(self, name: str) -> list[dict[str, Any]]:
        """The status of a region, or of all regions.

        Raises:
            CallError: shared memory is not allowed, or there is no such region.
        """
        self._check_allowed()
        with self._lock:
            if name and name not in self._regions:
                raise CallError(Code.NOT_FOUND, f"Unable to find system shared memory region: '{name}'")
            return [region.to_json() for region in self._regions.values() if name in ("", region.name)]

    def slice_of(self, tensor: str, parameters: Mapping[str, Any]) -> RegionSlice:
        """The slice that the parameters of a tensor refer to.

        Raises:
            CallError: shared memory is not allowed, there is no such region, or the slice is outside it.
        """
        self._check_allowed()
        name = parameters.get("shared_memory_region")
        offset, byte_size = parameters.get("shared_memory_offset", 0), parameters.get("shared_memory_byte_size")
        with self._lock:
            region = self._regions.get(name) if isinstance(name, str) else None
        if region is None:
            raise CallError(Code.NOT_FOUND, f"Unable to find shared memory region: '{str(name)[:64]}'")
        if type(offset) is not int or type(byte_size) is not int or offset < 0 or byte_size < 0:
            raise invalid(f"'{tensor}': shared_memory_offset and shared_memory_byte_size must be whole numbers of 0 or more")
        if byte_size > TENSOR_BYTES_MAX:
            raise CallError(Code.TOO_LARGE, f"'{tensor}': {byte_size} bytes of shared memory; the limit is {TENSOR_BYTES_MAX}")
        if offset + byte_size > region.byte_size:
            raise invalid(f"'{tensor}': Invalid offset + byte size for shared memory region: '{region.name}'")
        return RegionSlice(region, offset, byte_size)

    def _check_allowed(self) -> None:
        if not self.allowed:
            raise CallError(Code.UNSUPPORTED, "shared memory is not allowed here; start the agent with --allow-client-shm")


def _open(name: str, key: str) -> int:
    try:
        return os.open(FOLDER / key.lstrip("/"), os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError as cause:
        raise _refused(name, f"Unable to open shared memory region '{key}': {cause.strerror}") from cause


def _refused(name: str, why: str) -> CallError:
    return invalid(f"failed to register shared memory region '{name[:64]}': {why}")
