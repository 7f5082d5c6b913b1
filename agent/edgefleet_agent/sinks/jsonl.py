"""Writes events to a file of JSON lines, flushed line by line and rotated by size."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Annotated, BinaryIO

import msgspec

from edgefleet_agent.sinks.base import Sink, SinkContext, parse_options
from edgefleet_contract.core.atomic_files import make_folder
from edgefleet_contract.core.errors import StoreError
from edgefleet_contract.encoding.codec import encode
from edgefleet_contract.wire.messages import Event

BYTES_MAX = 16 * 1024 * 1024
FILES_MAX = 4


class JsonLinesFile:
    """A file of events. One that would exceed `bytes_max` is renamed to `NAME.1`, that one to `NAME.2`, up to `files_max` in all.

    A line is written with one call, so that readers see it whole. Nothing is buffered.

    Raises:
        StoreError: the file cannot be opened.
    """

    def __init__(self, path: Path, *, bytes_max: int = BYTES_MAX, files_max: int = FILES_MAX) -> None:
        self._path = path
        self._bytes_max = bytes_max
        self._files_max = max(1, files_max)
        self._file: BinaryIO | None = self._open()

    def __enter__(self) -> JsonLinesFile:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def write(self, event: Event) -> None:
        """Write one event.

        Raises:
            StoreError: it cannot be written.
        """
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
        """Close the file."""
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


class JsonLinesOptions(msgspec.Struct):
    """Options of the kind `jsonl`. path: of the file; its folder is made. bytes_max: of one file. files_max: files kept."""

    path: Annotated[str, msgspec.Meta(min_length=1)]
    bytes_max: Annotated[int, msgspec.Meta(ge=1024, le=1_000_000_000_000)] = BYTES_MAX
    files_max: Annotated[int, msgspec.Meta(ge=1, le=1000)] = FILES_MAX


class JsonLinesSink(Sink):
    """Kind `jsonl`: a `JsonLinesFile` by `JsonLinesOptions`."""

    def __init__(self, context: SinkContext) -> None:
        super().__init__(context)
        self._options = parse_options(context, JsonLinesOptions)
        self._file: JsonLinesFile | None = None

    def start(self) -> None:
        path = self.context.folder / self._options.path
        make_folder(path.parent)
        self._file = JsonLinesFile(path, bytes_max=self._options.bytes_max, files_max=self._options.files_max)

    def put(self, event: Event) -> None:
        assert self._file is not None
        self._file.write(event)

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
