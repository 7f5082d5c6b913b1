"""Logs, checks and the support bundle, for operators far away."""
