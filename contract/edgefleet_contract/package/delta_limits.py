"""Size limits of delta manifests, for modules that must not load numpy."""

from __future__ import annotations

DELTA_BYTES_MAX = 4 * 1024 * 1024
DELTA_SHARE_MAX = 0.05
"""A delta manifest larger than this share of the bytes that it may save is not fetched."""
