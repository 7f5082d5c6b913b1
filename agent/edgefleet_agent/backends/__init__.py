"""Runtimes: named arrays in, named arrays out. No picture, no box. One file a runtime; the table is in `edgefleet_agent.core.plugins`."""
