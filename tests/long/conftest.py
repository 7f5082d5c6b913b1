"""Full-size runs, selected with `-m long`."""

from __future__ import annotations

from tests.system.conftest import cameras, deployment

__all__ = ["cameras", "deployment"]
