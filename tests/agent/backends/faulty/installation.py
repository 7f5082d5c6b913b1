"""Installs the faulty runtime as `pip` would: a module and a distribution with an entry point, also for child processes."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest


def install(folder: Path, patch: pytest.MonkeyPatch) -> None:
    """Makes the runtime `faulty` known to this process and those it starts."""
    shutil.copyfile(Path(__file__).with_name("faulty_runtime.py"), folder / "faulty_runtime.py")
    about = folder / "faulty_runtime-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: faulty-runtime\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[edgefleet.backends]\nfaulty = faulty_runtime:FaultyBackend\n")
    patch.syspath_prepend(str(folder))
    patch.setenv("PYTHONPATH", os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])]))
    patch.delitem(sys.modules, "faulty_runtime", raising=False)
