"""Installs a third-party package as `pip` would: a module and a distribution with entry points, also for child processes."""

from __future__ import annotations

import os
import sys
import textwrap
from collections.abc import Mapping
from pathlib import Path

import pytest


def install_plug_in(
    folder: Path, patch: pytest.MonkeyPatch, module: str, text: str, points: Mapping[str, Mapping[str, str]]
) -> None:
    """Makes `module` with the source `text` known by its entry points: group (without `edgefleet.`) to name to attribute."""
    (folder / f"{module}.py").write_text(textwrap.dedent(text), encoding="utf-8")
    about = folder / f"{module}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module.replace('_', '-')}\nVersion: 1.0\n")
    sections = [
        f"[edgefleet.{group}]\n" + "".join(f"{name} = {module}:{attribute}\n" for name, attribute in rows.items())
        for group, rows in points.items()
    ]
    (about / "entry_points.txt").write_text("".join(sections))
    patch.syspath_prepend(str(folder))
    patch.setenv("PYTHONPATH", os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])]))
    patch.delitem(sys.modules, module, raising=False)
