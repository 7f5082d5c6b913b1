"""Operator commands over the REST API, and their shared modules: client, credentials, table output."""
