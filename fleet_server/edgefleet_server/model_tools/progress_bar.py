"""Progress of a long command on stderr: a bar on a terminal, elsewhere a line now and then."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TextIO

WIDTH = 28
REDRAW_S = 0.1
LINE_S = 10.0
"""Period of the lines where there is no terminal: a short command prints none."""


class Progress:
    """`with Progress("calibrating", 40) as bar: bar.to(7, "a.jpg")`. total 0: unknown. quiet: shows nothing, for output that
    programs read."""

    def __init__(
        self, label: str, total: int, *, is_bytes: bool = False, quiet: bool = False, stream: TextIO | None = None
    ) -> None:
        self._label = label
        self._total = total
        self._bytes = is_bytes
        self._stream = stream or sys.stderr
        self._quiet = quiet
        self._is_bar = self._stream.isatty() and not quiet
        self._drawn_s = -1.0 if self._is_bar else time.monotonic()
        self._done = 0

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._is_bar:
            self._stream.write("\r\033[K" if kind is None else "\n")
            self._stream.flush()

    def to(self, done: int, detail: str = "", *, total: int | None = None) -> None:
        """Show `done` of the total, which may become known only now."""
        self._done = done
        self._total = self._total if total is None else total
        now_s = time.monotonic()
        if not self._is_bar:
            self._print(now_s)
            return
        if now_s - self._drawn_s < REDRAW_S and done != self._total:
            return
        self._drawn_s = now_s
        part = min(1.0, done / self._total) if self._total else 0.0
        bar = "#" * round(part * WIDTH) + "." * (WIDTH - round(part * WIDTH))
        self._stream.write(f"\r\033[K{self._label} [{bar}] {self._count(done)} {detail}"[:200])
        self._stream.flush()

    def _print(self, now_s: float) -> None:
        if not self._quiet and now_s - self._drawn_s >= LINE_S:
            self._drawn_s = now_s
            print(f"{self._label}: {self._count(self._done)}", file=self._stream, flush=True)

    def step(self, detail: str = "") -> None:
        """Advance by one."""
        self.to(self._done + 1, detail)

    def _count(self, done: int) -> str:
        if self._bytes:
            return f"{done / 1e6:.1f} of {self._total / 1e6:.1f} MB" if self._total else f"{done / 1e6:.1f} MB"
        return f"{done}/{self._total}" if self._total else str(done)
