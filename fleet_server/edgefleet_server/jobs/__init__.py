"""Periodic jobs of the leader: rollout engine, alerts, retention, notifications."""
