"""Assignments of packages to devices: assignments, pins, back-off, late joiners, loading of a rollout."""
