"""Spans for an OpenTelemetry collector. The only package that uses opentelemetry, and only once a tracer is opened."""
