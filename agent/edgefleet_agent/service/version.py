"""Version of the agent."""

from __future__ import annotations

from edgefleet_contract.core.distributions import version_of


def agent_version() -> str:
    """Version of the installed distribution; `0+source` if the agent runs from a checkout."""
    return version_of("edgefleet-agent") or "0+source"
