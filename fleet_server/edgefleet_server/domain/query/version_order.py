"""Order of versions in queries, that of Semantic Versioning; missing numbers are 0, so that `0.3` is `0.3.0`."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

_VERSION: Final = re.compile(r"(\d{1,9})(?:\.(\d{1,9}))?(?:\.(\d{1,9}))?(?:-([0-9A-Za-z.-]{1,32}))?(?:\+[0-9A-Za-z.-]{1,64})?")

Order = tuple[tuple[int, ...], bool, tuple[tuple[bool, int, str], ...]]


@lru_cache(maxsize=1024)
def order_of(version: str) -> Order | None:
    """A key that orders versions; None if the text is none. A pre-release comes before its release, and of the parts of two
    pre-releases numbers are compared as numbers, and come before words."""
    found = _VERSION.fullmatch(version)
    if found is None:
        return None
    major, minor, patch, before = found.groups()
    parts = before.split(".") if before else []
    ordered = tuple((not part.isdigit(), int(part) if part.isdigit() else 0, part) for part in parts)
    return (int(major), int(minor or 0), int(patch or 0)), not before, ordered
