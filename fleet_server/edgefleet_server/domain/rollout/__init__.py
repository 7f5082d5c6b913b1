"""Rollout engine: plans, waves, gates, decisions, operator actions, forecasts."""
