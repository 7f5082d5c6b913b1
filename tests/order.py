"""The order in which files of tests are given to workers."""

from __future__ import annotations

import pytest

SLOW = {"system", "browser"}
"""Markers of tests that start processes, and take seconds to minutes."""


def slow_files_first(items: list[pytest.Item]) -> None:
    """Move files that start processes to the front: short files at the end leave no worker alone with a long one.

    A file's own order stays, and so does the order of files otherwise.
    """
    slow = {item.path for item in items if not SLOW.isdisjoint(marker.name for marker in item.iter_markers())}
    items.sort(key=lambda item: item.path not in slow)
