"""Devices, groups, events, alerts, pipelines, channels."""
