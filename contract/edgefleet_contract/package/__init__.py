"""Packages: manifest, variants, blobs, deltas, device profiles, model families. Pure."""
