"""Prometheus metrics and OpenTelemetry export of the server."""
