"""A progress line on stderr, for people at a terminal."""

from __future__ import annotations

import contextlib
import sys
import threading
import time


class ProgressLine:
    """Shown only if it is enabled and stderr is a terminal. `clear` removes it before other text; safe to use from several
    threads."""

    def __init__(self, *, enabled: bool = True) -> None:
        self.shown = enabled and sys.stderr is not None and sys.stderr.isatty()
        self._began_s = time.monotonic()
        self._lock = threading.Lock()

    def show(self, done: int, total: int) -> None:
        """Show that `done` of `total` frames are done; total 0: unknown."""
        if not self.shown:
            return
        rate = done / max(1e-6, time.monotonic() - self._began_s)
        part = f"{'#' * min(30, 30 * done // total):30}] {min(100, 100 * done // total):3}%" if total else ""
        with self._lock, contextlib.suppress(OSError):
            print(f"\r[{part} {done}/{total or '?'} frames, {rate:.1f}/s ", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Remove the line."""
        if self.shown:
            with self._lock, contextlib.suppress(OSError):
                print("\r\x1b[K", end="", file=sys.stderr, flush=True)
