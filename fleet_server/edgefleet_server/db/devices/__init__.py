"""Devices, groups, commands, certificates, sites."""
