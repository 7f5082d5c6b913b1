"""The journal of found events: those that the worker has found, and that may not be in the supervisor's outbox yet.

The worker writes an event to its journal before anything else learns of it, so that the death of the worker, of the supervisor or
of both loses none. The supervisor reads what it has missed: from the journals of earlier workers, and from that of a worker whose
numbers have a gap. It stores the number that it has reached in the transaction that stores the events (`link.outbox`), so that
none comes twice. Files of taken events are removed by the worker. Nothing is flushed: a power cut may lose what was found in the
moment before it. Where the disk takes nothing, events get no number, and go to the supervisor all the same.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import threading
from collections import deque
from collections.abc import Iterator, Mapping
from pathlib import Path

from edgefleet_contract.core.atomic_files import make_folder
from edgefleet_contract.core.errors import MessageError, StoreError
from edgefleet_contract.encoding.codec import encode
from edgefleet_contract.wire.messages import Event
from edgefleet_contract.worker_process import EventFound, read_report

FILE_BYTES_MAX = 256 * 1024
BYTES_MAX = 4 * 1024 * 1024
"""Limit of a journal whose events are not taken; further ones are not written."""
LINE_BYTES_MAX = 256 * 1024
_PREFIX, _SUFFIX = "found-", ".jsonl"


class EventJournal:
    """The journal of one worker: files `found-NAME-NUMBER.jsonl` in `folder`, each named by the number of its first event.
    Thread-safe."""

    def __init__(self, folder: Path) -> None:
        self.name = secrets.token_hex(6)
        self._folder = folder
        self._lock = threading.Lock()
        self._number = 0
        self._file = -1
        self._size = 0
        self._full: deque[tuple[Path, int]] = deque()  # earlier files, each with its last number
        self._path = folder

    def note(self, event: Event) -> tuple[bytes, bool]:
        """Write an event. Returns the message for the supervisor, a line of JSON, and whether the disk has it."""
        with self._lock:
            line = encode(EventFound(event=event, journal=self.name, number=self._number + 1)) + b"\n"
            try:
                self._append(line)
            except (OSError, StoreError):
                self._end_file()
                return encode(EventFound(event=event)) + b"\n", False
            self._number += 1
            return line, True

    def taken(self, journal: str, number: int) -> None:
        """Remove what the supervisor has of this journal, or of one of an earlier worker."""
        with self._lock:
            if journal != self.name:
                _remove(self._folder, journal, number)
                return
            if number >= self._number and self._size > FILE_BYTES_MAX // 4:
                self._end_file()
            while self._full and self._full[0][1] <= number:
                with contextlib.suppress(OSError):  # it stays; `read_found` skips what is taken
                    self._full.popleft()[0].unlink(missing_ok=True)

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._end_file()

    def _append(self, line: bytes) -> None:
        if self._size + len(line) > FILE_BYTES_MAX:
            self._end_file()
        if len(self._full) * FILE_BYTES_MAX >= BYTES_MAX:
            raise StoreError(f"{self._folder}: the journal of events is full")
        if self._file < 0:
            make_folder(self._folder)
            self._path = self._folder / f"{_PREFIX}{self.name}-{self._number + 1:012}{_SUFFIX}"
            self._file = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        written = os.write(self._file, line)
        self._size += written
        if written < len(line):
            raise OSError(f"{written} of {len(line)} bytes were written")

    def _end_file(self) -> None:
        if self._file >= 0:
            os.close(self._file)
            if self._size:
                self._full.append((self._path, self._number))
            else:  # the disk took nothing
                with contextlib.suppress(OSError):
                    self._path.unlink(missing_ok=True)
        self._file, self._size = -1, 0


def journals(folder: Path) -> set[str]:
    """The names of the journals that have files in `folder`."""
    return {_name(path) for path in _files(folder)}


def read_found(folder: Path, taken: Mapping[str, int] | None = None) -> Iterator[EventFound]:
    """The events of all journals beyond the numbers `taken` of them, in the order of each journal. Lines that are damaged, or
    were being written when their worker died, are left out."""
    for path in _files(folder):
        after = (taken or {}).get(_name(path), 0)
        try:
            with path.open("rb") as lines:
                while line := lines.readline(LINE_BYTES_MAX):
                    with contextlib.suppress(MessageError):
                        found = read_report(line) if line.endswith(b"\n") else None
                        if isinstance(found, EventFound) and found.number > after and found.journal == _name(path):
                            yield found
        except OSError:  # removed meanwhile, or the disk fails
            continue


def _files(folder: Path) -> list[Path]:
    try:
        return sorted(folder.glob(f"{_PREFIX}*-*{_SUFFIX}"))
    except OSError:
        return []


def _name(path: Path) -> str:
    return path.name.removeprefix(_PREFIX).partition("-")[0]


def _remove(folder: Path, journal: str, number: int) -> None:
    left = {found.number for found in read_found(folder, {journal: number}) if found.journal == journal}
    if left:
        return
    for path in _files(folder):
        if _name(path) == journal:
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)
