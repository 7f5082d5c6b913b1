"""Devices, alerts, evidence, measurements, reports."""
