"""The import path of programs that tests start."""

from __future__ import annotations

import os
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[1]


def import_path() -> str:
    """The value of PYTHONPATH: this checkout, then what the tests themselves were started with."""
    return os.pathsep.join([str(_ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
