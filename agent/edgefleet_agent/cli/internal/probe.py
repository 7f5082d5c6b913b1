"""`edgefleet-agent probe`: internal; imports the whole service and prints the version. Checks that a new version can start."""

from __future__ import annotations

import argparse
import importlib

SERVICE = ("edgefleet_agent.cli.run", "edgefleet_agent.cli.internal.worker", "edgefleet_agent.cli.internal.launch")


def add_arguments(_parser: argparse.ArgumentParser) -> None:
    """Adds nothing: `probe` has no arguments."""


def run(_arguments: argparse.Namespace) -> int:
    """Print the version of this agent."""
    from edgefleet_agent.service.version import agent_version

    for module in SERVICE:
        importlib.import_module(module)
    print(agent_version())
    return 0
