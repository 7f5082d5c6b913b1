"""Packages, uploads, pipelines, trust."""
