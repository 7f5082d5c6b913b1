"""The one place that builds objects and joins them, and the commands that need it whole (`serve`, `openapi`)."""
