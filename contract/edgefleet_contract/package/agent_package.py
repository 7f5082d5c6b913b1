"""Packages of the agent itself: `task = "agent"`, one archive for each kind of machine, the slot `edgefleet-agent`."""

from __future__ import annotations

from edgefleet_contract.encoding.names import Name

AGENT_SLOT: Name = "edgefleet-agent"
"""The slot that every device has: the agent."""
AGENT_TASK = "agent"
AGENT_FORMAT = "agent"


def environment_tag(python: tuple[int, int], machine: str) -> str:
    """The environment that an archive is built for, in the field of a runtime: `agent-cp311-x86_64`."""
    return f"agent-cp{python[0]}{python[1]}-{machine}"
