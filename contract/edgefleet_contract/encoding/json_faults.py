"""Describes why a JSON text is refused. Parsers call a text that ends in half of a surrogate pair cut off, or name no place."""

from __future__ import annotations

import re
from typing import Final

from edgefleet_contract.core.fault_text import fault_text

SEARCHED_BYTES_MAX: Final = 8 * 1024 * 1024
"""Longer texts are not searched: that would hold up other threads."""
_PAIR: Final = rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
_ESCAPES: Final = re.compile(b"(?:" + _PAIR + rb")+|\\(u[dD][89a-fA-F][0-9a-fA-F]{2})|(?:\\[^u])+|\\u", re.DOTALL)
"""Pairs of surrogates, a lone one, or other escapes: many at once, as their number is the cost of a search."""


def lone_surrogate(data: bytes | bytearray | memoryview) -> str:
    """Returns where a JSON text has half of a surrogate pair, which is no character; empty if it has none, or is too long to be
    searched."""
    if len(data) > SEARCHED_BYTES_MAX:
        return ""
    lone = next((found for found in _ESCAPES.finditer(data) if found[1]), None)
    if lone is None:
        return ""
    return f"the text at byte {lone.start()} has a lone surrogate, \\{lone[1].decode()}, which is no character"


def json_fault(data: bytes | bytearray | memoryview, cause: Exception) -> str:
    """Returns why a JSON text is refused, in one line. cause: the parser's error."""
    return lone_surrogate(data) or fault_text(cause)
