"""Where frames and readings come from; pacing, packets, credentials. The table is in `core.plugins`."""
