"""Presence, alerts, sites, jobs, cluster messages."""
