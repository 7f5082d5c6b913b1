"""Bounds of recipes, for those who must not load numpy to know them."""

from __future__ import annotations

RECIPE_BYTES_MAX = 4 * 1024 * 1024
RECIPE_SHARE_MAX = 0.05
"""A recipe that is more of what it may spare than this is not fetched."""
