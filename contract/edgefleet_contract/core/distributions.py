"""Installed distributions, as far as the names of their folders and their entry points go.

`importlib.metadata` reads the same with a parser for mail, archives and tables behind it: some 60 ms of a start, most of all of a
process that serves one model. It is imported where these folders say that it has something to find.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

_SUFFIXES = (".dist-info", ".egg-info")
_ENTRY_POINTS = "entry_points.txt"
_SEPARATORS = re.compile(r"[-_.]+")


def declares(section: str) -> bool:
    """Whether an installed distribution may have entry points in groups that begin with `section`."""
    start = f"[{section}".encode()
    for folder in _folders():
        if folder.is_file():  # an archive on the search path
            return True
        try:
            if start in (folder / _ENTRY_POINTS).read_bytes():
                return True
        except OSError:
            continue
    return False


def version_of(distribution: str) -> str:
    """The version of an installed distribution; empty if there is none of this name."""
    start = f"{distribution.replace('-', '_')}-"
    for folder in _folders():
        if folder.name.startswith(start) and folder.name.endswith(".dist-info"):
            return folder.name.removeprefix(start).removesuffix(".dist-info")
    return ""


def installed() -> Iterator[tuple[str, str]]:
    """Canonical name and version of each installed distribution; of one name, the first on the search path."""
    seen: set[str] = set()
    for folder in _folders():
        name, version = _name_and_version(folder)
        name = _SEPARATORS.sub("-", name).lower()
        if name and name not in seen:
            seen.add(name)
            yield name, version


def _name_and_version(folder: Path) -> tuple[str, str]:
    """The name of the folder has both; what older tools installed is read."""
    if folder.name.endswith(_SUFFIXES[0]):
        name, _, version = folder.name.removesuffix(_SUFFIXES[0]).partition("-")
        return name, version
    if not folder.name.endswith(_SUFFIXES[1]):
        return "", ""  # an archive
    from importlib.metadata import PathDistribution

    found = PathDistribution(folder).metadata if folder.is_dir() else None
    if found is not None:
        return found["Name"] or "", found["Version"] or ""
    name, _, rest = folder.name.removesuffix(_SUFFIXES[1]).partition("-")
    return name, rest.partition("-py")[0]


def with_prefix(prefix: str) -> dict[str, Path]:
    """The installed distributions whose name begins with `prefix`: their names with hyphens, as an index has them, and their
    folders. The first on the search path wins, as in an import."""
    found: dict[str, Path] = {}
    for folder in _folders():
        name = _SEPARATORS.sub("-", folder.name.partition("-")[0]).lower()
        if name.startswith(prefix) and folder.is_dir():
            found.setdefault(name, folder)
    return found


def _folders() -> Iterator[Path]:
    """The folders of distributions on the search path, and its archives."""
    for each in sys.path:
        place = Path(each)
        if place.is_file():
            yield place
            continue
        try:
            yield from (entry for entry in place.iterdir() if entry.name.endswith(_SUFFIXES))
        except OSError:
            continue
