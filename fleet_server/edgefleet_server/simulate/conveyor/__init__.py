"""Rendered conveyor scenes and the demo's agents."""
