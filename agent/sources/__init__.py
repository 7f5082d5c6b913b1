"""Where frames come from. One file a kind; the table is in `agent.plugins`."""
