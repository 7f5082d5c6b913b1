"""Operator commands over the REST API, and what they share: client, credentials, table output."""
