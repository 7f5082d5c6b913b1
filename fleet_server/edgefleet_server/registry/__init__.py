"""The model registry: uploaded packages checked, blobs on disk by SHA-256."""
