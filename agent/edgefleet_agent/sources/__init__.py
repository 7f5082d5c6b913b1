"""Sources of frames and readings; pacing, packets, credentials. The table of source kinds is in `core.plugins`."""
