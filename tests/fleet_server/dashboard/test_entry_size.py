"""The size of the files that a browser loads before it can show anything."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import edgefleet_server

BYTES_MAX = 180_000
"""Of scripts, compressed."""


def test_the_entry_is_small() -> None:
    ui = Path(edgefleet_server.__file__).parent / "ui"
    scripts = set(re.findall(r'(?:src|href)="/(assets/[^"]+\.js)"', (ui / "index.html").read_text(encoding="utf-8")))
    sizes = {name: len(gzip.compress((ui / name).read_bytes(), 6)) for name in scripts}
    assert len(sizes) >= 2
    assert sum(sizes.values()) <= BYTES_MAX, sizes
