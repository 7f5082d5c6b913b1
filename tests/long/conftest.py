"""Full-size runs, selected with `-m long`."""

from __future__ import annotations

from tests.system.conftest import deployment

__all__ = ["deployment"]
