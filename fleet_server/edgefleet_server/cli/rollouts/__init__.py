"""Rollouts and experiments."""
