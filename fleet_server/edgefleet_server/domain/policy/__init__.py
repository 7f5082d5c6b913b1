"""Roles, passwords, rate limits, audit chain, runtime settings, retention of versions."""
