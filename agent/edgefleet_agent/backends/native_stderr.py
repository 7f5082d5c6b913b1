"""Lines that a vendor's native code writes to standard error on every load, kept from the eyes of people.

What is hidden is named by its beginning; everything else that was written meanwhile, by any thread, is written afterwards.
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
    """While it lasts, lines on standard error that begin so are dropped. Native code writes to the descriptor itself, which is
    why the descriptor is what is turned aside. A process that dies meanwhile takes its words with it: not for loads that may."""
    with _one_at_a_time, os.fdopen(os.memfd_create("stderr"), "r+b") as aside:
        kept = os.dup(STANDARD_ERROR)
        os.dup2(aside.fileno(), STANDARD_ERROR)
        try:
            yield
        finally:
            os.dup2(kept, STANDARD_ERROR)
            os.close(kept)
            aside.seek(0)
            for line in aside:
                if not line.startswith(beginnings):
                    os.write(STANDARD_ERROR, line)
