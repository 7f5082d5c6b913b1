"""Readings of alert rules, and recipients of alerts."""
