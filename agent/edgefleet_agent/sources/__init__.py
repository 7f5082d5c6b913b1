"""Where frames come from. One file a kind; the table is in `edgefleet_agent.core.plugins`."""
