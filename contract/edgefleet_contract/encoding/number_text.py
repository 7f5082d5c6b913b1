"""Numbers in what people and programs read: one that is missing is shown as such, never as NaN or infinity.

JSON has no such numbers (RFC 8259), and most readers refuse a text with them; there they are null. In texts they are `MISSING`.
"""

from __future__ import annotations

import json
import math
from typing import Any

MISSING = "-"


def is_number(value: object) -> bool:
    """Whether it is a finite number."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def number_text(value: float | None, form: str = "g") -> str:
    """The number in a format of Python (`.2f`, `>8.1f`); `MISSING`, as wide, for None, NaN and infinity."""
    if value is not None and math.isfinite(value):
        return format(value, form)
    width = form.lstrip("<>^ ").partition(".")[0].rstrip("gfed%,")
    return MISSING.rjust(int(width)) if width.isdigit() else MISSING


def without_nan(value: Any) -> Any:
    """A copy of plain data (dicts, lists, numbers, texts) with None in place of NaN and infinity."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: without_nan(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [without_nan(item) for item in value]
    return value


def json_text(value: Any, *, indent: int | None = None, compact: bool = False, ascii_only: bool = True) -> str:
    """Plain data as JSON; NaN and infinity are null. compact: without spaces. ascii_only: other characters are escaped."""
    separators = (",", ":") if compact else None
    try:
        return json.dumps(value, indent=indent, separators=separators, ensure_ascii=ascii_only, allow_nan=False)
    except ValueError:  # the usual value has none, and is not copied
        return json.dumps(without_nan(value), indent=indent, separators=separators, ensure_ascii=ascii_only, allow_nan=False)
