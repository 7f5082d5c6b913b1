"""Readers of model file formats, one file a format."""
