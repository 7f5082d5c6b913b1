"""Ingest, roll-ups, history, events, alerts, retention."""
