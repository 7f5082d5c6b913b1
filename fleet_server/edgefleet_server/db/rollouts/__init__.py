"""Rollouts, waves, attempts, experiments, terms, timeline."""
