"""`python -m edgefleet_agent.plugin_tests [OPTIONS OF PYTEST]`: the tests alone, whatever folder they are started in."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

if __name__ == "__main__":
    folder = Path(__file__).parent
    apart = ["-c", os.devnull, "--rootdir", str(folder), "-p", "no:cacheprovider"]  # neither settings nor tests of that folder
    sys.exit(pytest.main([*apart, str(folder), *sys.argv[1:]]))
