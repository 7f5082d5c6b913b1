"""Readers of model file formats, one module per format."""
