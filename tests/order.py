"""The order in which files of tests are given to workers."""

from __future__ import annotations

import pytest

SLOW = {"system", "browser"}
"""Markers of tests that start processes, and take seconds to minutes."""


def mix_files(items: list[pytest.Item]) -> None:
    """Let files that start processes alternate with others, in proportion and each kind in its own order.

    The former wait most of the time, the latter compute: beside each other they fill the machine. The former end a little
    earlier, because short files at the end leave no worker alone with a long one.
    """
    slow = {item.path for item in items if not SLOW.isdisjoint(marker.name for marker in item.iter_markers())}
    files = list(dict.fromkeys(item.path for item in items))
    places = {}
    for kind, share in (([path for path in files if path in slow], 0.8), ([path for path in files if path not in slow], 1.0)):
        places.update({path: (number + 0.5) / len(kind) * share for number, path in enumerate(kind)})
    items.sort(key=lambda item: places[item.path])
