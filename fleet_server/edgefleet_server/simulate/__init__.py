"""Simulation of thousands of devices, and the demo's rendered site."""
