"""Decisions as pure functions: values in, decisions out. No file, socket, clock or thread; time is an argument."""
