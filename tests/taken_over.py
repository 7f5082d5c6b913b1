"""The table of docs/security.md about a broker or database that was taken over, which tests produce."""

from __future__ import annotations

import re
from pathlib import Path

_PAGE = Path(__file__).resolve().parents[1] / "docs" / "security.md"
_ROW = re.compile(r"^\| (?P<who>broker|database) \| (?P<attempt>[^|]+) \| (?P<outcome>[^|]+) \|$", re.MULTILINE)


def printed_rows(who: str) -> dict[str, str]:
    """Attempt -> what the device does, as the page says."""
    found = {
        match["attempt"]: match["outcome"] for match in _ROW.finditer(_PAGE.read_text(encoding="utf-8")) if match["who"] == who
    }
    assert found, "the page has the table"
    return found
