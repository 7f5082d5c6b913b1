"""Notices about alerts in the formats of their recipients. Pure."""
