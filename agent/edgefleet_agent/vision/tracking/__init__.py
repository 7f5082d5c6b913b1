"""Tracks over time: tracker, line crossings, stays, coverage, ground plane."""
