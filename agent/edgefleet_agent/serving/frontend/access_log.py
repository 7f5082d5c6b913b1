"""Access log, one JSON line a request: `at`, `protocol`, `peer`, `request`, `status`, `bytes`, `ms`.

A thread writes the log, so that no request waits for the disk. If the disk is too slow, lines are dropped, and a line counts
them. A full file is rotated: there are at most two files.
"""

from __future__ import annotations

import contextlib
import queue
import sys
import threading
import time
from pathlib import Path
from typing import BinaryIO

import msgspec

from edgefleet_contract.core.errors import InputError

FILE_BYTES_MAX = 64 * 1024 * 1024
PENDING_MAX = 10_000
REQUEST_CHARS_MAX = 300
CLOSE_S_MAX = 5.0
BATCH_MAX = 500


class AccessLog:
    """Writes lines to a file, or to stderr (`-`).

    Raises:
        InputError: the file cannot be written.
    """

    def __init__(self, target: str, bytes_max: int = FILE_BYTES_MAX) -> None:
        self._path = None if target == "-" else Path(target)
        self._bytes_max = bytes_max
        self._lines: queue.Queue[bytes | None] = queue.Queue(PENDING_MAX)
        self._lost = 0
        self._file = self._open()
        self._thread = threading.Thread(target=self._run, name="serve:access", daemon=True)
        self._thread.start()

    def note(self, protocol: str, peer: str, request_line: bytes, status: int, size: int, began_s: float) -> None:
        """Log an answered request. began_s: monotonic time of its arrival. Any thread."""
        line = {
            "at": round(time.time(), 3),
            "protocol": protocol,
            "peer": peer,
            "request": request_line[:REQUEST_CHARS_MAX].decode(errors="replace"),
            "status": status,
            "bytes": size,
            "ms": round((time.monotonic() - began_s) * 1e3, 3),
        }
        try:
            self._lines.put_nowait(msgspec.json.encode(line))
        except queue.Full:
            self._lost += 1

    def close(self) -> None:
        """Write the queued lines."""
        with contextlib.suppress(queue.Full):
            self._lines.put(None, timeout=CLOSE_S_MAX)
        self._thread.join(CLOSE_S_MAX)

    def _open(self) -> BinaryIO:
        if self._path is None:
            return sys.stderr.buffer
        try:
            return self._path.open("ab")
        except OSError as cause:
            raise InputError(f"{self._path}: the access log cannot be written: {cause.strerror}") from cause

    def _run(self) -> None:
        ended = False
        while not ended:
            line = self._lines.get()
            batch: list[bytes] = []
            while line is not None:
                batch.append(line)
                if len(batch) >= BATCH_MAX:
                    break
                try:
                    line = self._lines.get_nowait()
                except queue.Empty:
                    break
            ended = line is None
            if self._lost:
                batch.append(msgspec.json.encode({"at": round(time.time(), 3), "lost": self._lost}))
                self._lost = 0
            with contextlib.suppress(OSError):  # a full disk stops the log, not the server
                self._file.write(b"".join(each + b"\n" for each in batch))
                self._file.flush()
                if self._path is not None and self._file.tell() > self._bytes_max:
                    self._file.close()
                    self._path.replace(self._path.with_name(f"{self._path.name}.1"))
                    self._file = self._open()
        if self._path is not None:
            self._file.close()
