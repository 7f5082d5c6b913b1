"""Shared by all listeners: authentication, access log, log settings, server state."""
