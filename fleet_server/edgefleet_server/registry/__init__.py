"""Packages and blobs on disk or in S3, deltas, uploads, evidence files."""
