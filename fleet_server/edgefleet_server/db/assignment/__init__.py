"""Assignments of packages to devices: assignments, pins, exclusion, late joiners, loading of a rollout."""
