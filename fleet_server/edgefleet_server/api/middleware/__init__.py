"""What every request passes: limits, authorization, tracing, static files, error responses."""
