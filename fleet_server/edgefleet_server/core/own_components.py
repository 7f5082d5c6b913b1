"""The components of this server itself: its Python distributions, the Python and the system below."""

from __future__ import annotations

import platform
from functools import lru_cache

from edgefleet_contract.core.distributions import installed


@lru_cache(maxsize=1)
def own_components() -> tuple[tuple[str, str, str], ...]:
    """Kind, name and version of each, in order; they do not change while the process runs."""
    found = {("library", name, version) for name, version in installed()}
    found |= {("runtime", "python", platform.python_version()), ("kernel", "linux", platform.release())}
    try:
        release = platform.freedesktop_os_release()
    except OSError:
        release = {}
    if release.get("ID") and release.get("VERSION_ID"):
        found.add(("system", release["ID"].lower(), release["VERSION_ID"]))
    return tuple(sorted(found))
