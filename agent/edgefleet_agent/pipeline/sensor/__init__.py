"""Sensor and fusion pipelines: windows, features, scores, queries to models."""
