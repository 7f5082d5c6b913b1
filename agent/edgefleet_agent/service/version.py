"""Version of the agent."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


def agent_version() -> str:
    """Version of the installed distribution; `0+source` if the agent runs from a checkout."""
    try:
        return version("edgefleet-agent")
    except PackageNotFoundError:
        return "0+source"
