"""Full-size runs: asked for with `-m long`."""

from __future__ import annotations

from tests.system.conftest import deployment

__all__ = ["deployment"]
