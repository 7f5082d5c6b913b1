"""Runtimes outside the agent's process, each in a host process: the program that runs there, and its client."""
