"""Where events go on the device itself. One file a kind; the table is in `edgefleet_agent.core.plugins`."""
