"""Composition: builds the server's objects and connects them; `serve` and `openapi`."""
