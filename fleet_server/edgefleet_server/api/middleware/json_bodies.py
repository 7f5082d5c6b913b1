"""JSON bodies of requests: what Python's parser takes and JSON does not have is refused before anything reads it.

Half of a surrogate pair (`"\\ud800"`) is a character for it, and `NaN`, `Infinity` and `1e999` are numbers, which neither a
database nor an answer can hold.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Iterator
from typing import Any, Final

from fastapi import HTTPException, Request
from fastapi.exceptions import RequestValidationError
from fastapi.params import Form

from edgefleet_contract.encoding.json_faults import lone_surrogate

_SUSPECT: Final = re.compile(rb"NaN|Infinity|[eE]\+?[0-9]{3}|[0-9]{300}")
"""Texts without one of these have finite numbers only; others are searched."""
_LARGEST: Final = int(sys.float_info.max)

Place = tuple[str | int, ...]


async def check_json_body(request: Request) -> None:
    """Dependency of every operation. Raises HTTPException (400) for a JSON body with a lone surrogate, (415) for one of another
    type where JSON is wanted, RequestValidationError (422) for one with a number that is not finite, or too large."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if not kind.endswith("json"):
        if _takes_json(request) and await request.body():
            raise HTTPException(415, f"the body is {kind or 'of no type'}; send Content-Type: application/json")
        return
    data = await request.body()
    if fault := lone_surrogate(data):
        raise HTTPException(400, f"the body is not JSON: {fault}")
    if _SUSPECT.search(data) is None:
        return
    try:
        body = await request.json()
    except ValueError:
        return  # of an operation without a body
    if places := list(_not_finite(body, ("body",))):
        raise RequestValidationError([{"type": "finite_number", "loc": place, "msg": ""} for place in places], body=body)


def _takes_json(request: Request) -> bool:
    """Whether the operation has a body in JSON, not a form or a stream."""
    body = getattr(request.scope.get("route"), "body_field", None)
    return body is not None and not isinstance(body.field_info, Form)


def _not_finite(value: Any, place: Place) -> Iterator[Place]:
    """The places of numbers that no float can hold."""
    if isinstance(value, dict):
        for name, one in value.items():
            yield from _not_finite(one, (*place, name))
    elif isinstance(value, list):
        for index, one in enumerate(value):
            yield from _not_finite(one, (*place, index))
    elif (isinstance(value, float) and not math.isfinite(value)) or (isinstance(value, int) and abs(value) > _LARGEST):
        yield place
