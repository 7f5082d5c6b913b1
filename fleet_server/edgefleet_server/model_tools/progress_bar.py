"""Progress bar of a long command, on a terminal only."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TextIO

WIDTH = 28
REDRAW_S = 0.1


class Progress:
    """`with Progress("calibrating", 40) as bar: bar.to(7, "a.jpg")`. total 0: unknown."""

    def __init__(self, label: str, total: int, *, is_bytes: bool = False, stream: TextIO | None = None) -> None:
        self._label = label
        self._total = total
        self._bytes = is_bytes
        self._stream = stream or sys.stderr
        self._shown = self._stream.isatty()
        self._drawn_s = -1.0
        self._done = 0

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._shown:
            self._stream.write("\r\033[K" if kind is None else "\n")
            self._stream.flush()

    def to(self, done: int, detail: str = "") -> None:
        """Show `done` of the total."""
        self._done = done
        now_s = time.monotonic()
        if not self._shown or (now_s - self._drawn_s < REDRAW_S and done != self._total):
            return
        self._drawn_s = now_s
        part = min(1.0, done / self._total) if self._total else 0.0
        bar = "#" * round(part * WIDTH) + "." * (WIDTH - round(part * WIDTH))
        self._stream.write(f"\r\033[K{self._label} [{bar}] {self._count(done)} {detail}"[:200])
        self._stream.flush()

    def step(self, detail: str = "") -> None:
        """Advance by one."""
        self.to(self._done + 1, detail)

    def _count(self, done: int) -> str:
        if self._bytes:
            return f"{done / 1e6:.1f} of {self._total / 1e6:.1f} MB" if self._total else f"{done / 1e6:.1f} MB"
        return f"{done}/{self._total}" if self._total else str(done)
