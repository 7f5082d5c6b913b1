"""Middleware of every request: limits, authorization, tracing, static files, error responses."""
