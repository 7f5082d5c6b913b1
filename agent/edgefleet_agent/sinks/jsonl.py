"""Writes events to a file of JSON lines, flushed line by line and rotated by size."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

from edgefleet_agent.sinks.base import Sink
from edgefleet_contract.core.errors import StoreError
from edgefleet_contract.encoding.codec import encode
from edgefleet_contract.wire.messages import Event

BYTES_MAX = 16 * 1024 * 1024
FILES_MAX = 4


class JsonLinesSink(Sink):
    """Kind `jsonl`. A file that would exceed `bytes_max` is renamed to `NAME.1`, that one to `NAME.2`, up to `files_max` in all.

    A line is written with one call, so that readers see it whole. Nothing is buffered.

    Raises:
        StoreError: the file cannot be opened.
    """

    def __init__(self, path: Path, *, bytes_max: int = BYTES_MAX, files_max: int = FILES_MAX) -> None:
        self._path = path
        self._bytes_max = bytes_max
        self._files_max = max(1, files_max)
        self._file: BinaryIO | None = self._open()

    def write(self, event: Event) -> None:
        line = encode(event) + b"\n"
        try:
            if self._file is not None and self._file.tell() and self._file.tell() + len(line) > self._bytes_max:
                self._rotate()
            if self._file is None:
                self._file = self._open()
            self._file.write(line)
        except OSError as cause:
            raise StoreError(f"{self._path}: cannot write event: {cause.strerror}; free some space") from cause

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def _open(self) -> BinaryIO:
        try:
            return self._path.open("ab", buffering=0)
        except OSError as cause:
            raise StoreError(f"{self._path}: cannot open for writing: {cause.strerror}") from cause

    def _rotate(self) -> None:
        self.close()
        names = [self._path, *(self._path.with_name(f"{self._path.name}.{number}") for number in range(1, self._files_max))]
        for older, newer in zip(reversed(names), reversed(names[:-1]), strict=False):
            if newer.exists():
                newer.replace(older)
        if self._files_max == 1:
            self._path.unlink(missing_ok=True)
