"""Operator commands over the REST API."""
