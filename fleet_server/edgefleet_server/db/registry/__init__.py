"""Packages, versions, channels, coverage."""
