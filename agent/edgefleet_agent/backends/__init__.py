"""Runtimes: named arrays in, named arrays out; no pictures, no boxes. One folder a runtime; the table is in `core.plugins`."""
