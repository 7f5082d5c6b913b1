"""Errors, settings and spans of the server. Imports no other package of the server."""
