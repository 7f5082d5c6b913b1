"""Sequences: stateful models, whose requests belong together."""
