"""Starts the real service in a separate process with the stand-ins for worker and self-test: `python -m ... CONFIG`."""

from __future__ import annotations

import sys
from pathlib import Path

from edgefleet_agent.cli.run import serve
from edgefleet_agent.service.commandlines import Commandlines
from edgefleet_agent.settings import read_settings
from edgefleet_contract.core.errors import EdgefleetError

if __name__ == "__main__":
    worker = [sys.executable, "-m", "tests.agent.fakes.worker", "--fd"]
    selftest = [sys.executable, "-m", "tests.agent.fakes.selftest"]
    try:
        sys.exit(serve(read_settings(Path(sys.argv[1])), lambda _: Commandlines(worker, selftest)))
    except EdgefleetError as error:
        print(error, file=sys.stderr)
        sys.exit(error.exit_code)
