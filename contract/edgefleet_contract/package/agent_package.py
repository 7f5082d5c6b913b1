"""The agent's own updates travel as packages, like models: `task = "agent"`, an archive a kind of machine, a slot."""

from __future__ import annotations

from edgefleet_contract.encoding.names import Name

AGENT_SLOT: Name = "edgefleet-agent"
"""The slot that every device has: what runs the others."""
AGENT_TASK = "agent"
AGENT_FORMAT = "agent"


def environment_tag(python: tuple[int, int], machine: str) -> str:
    """What an archive is built for, in the place of a runtime: `agent-cp311-x86_64`."""
    return f"agent-cp{python[0]}{python[1]}-{machine}"
