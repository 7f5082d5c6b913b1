"""Builds what a release consists of into dist/VERSION, from a clean checkout, with the same bytes every time."""
