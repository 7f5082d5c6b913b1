"""Counts of large fleets and rollouts, computed once for all callers."""
