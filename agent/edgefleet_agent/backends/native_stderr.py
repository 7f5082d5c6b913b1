"""Hides lines that a vendor's native code writes to standard error at every load.

Hidden lines are selected by their beginning; everything else written meanwhile, by any thread, is written afterwards.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

STANDARD_ERROR = 2

_one_at_a_time = threading.Lock()


@contextmanager
def without_lines(*beginnings: bytes) -> Iterator[None]:
    """Drop lines on standard error with these beginnings while the block runs. Native code writes to the file descriptor, so the
    descriptor itself is redirected. If the process dies meanwhile its output is lost: not for loads that may abort."""
    with _one_at_a_time, os.fdopen(os.memfd_create("stderr"), "r+b") as aside:
        saved = os.dup(STANDARD_ERROR)
        os.dup2(aside.fileno(), STANDARD_ERROR)
        try:
            yield
        finally:
            os.dup2(saved, STANDARD_ERROR)
            os.close(saved)
            aside.seek(0)
            for line in aside:
                if not line.startswith(beginnings):
                    os.write(STANDARD_ERROR, line)
