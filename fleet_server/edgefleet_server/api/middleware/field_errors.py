"""The errors of a request's fields in plain words. pydantic's texts name types of the code and repeat what was sent, even
passwords."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final
from urllib.parse import quote

_TEXTS: Final[dict[str, str]] = {
    "missing": "is missing",
    "json_invalid": "the body is not valid JSON",
    "extra_forbidden": "unknown field; check the spelling",
    "literal_error": "must be one of {expected}",
    "enum": "must be one of {expected}",
    "greater_than": "must be more than {gt}",
    "greater_than_equal": "must be at least {ge}",
    "less_than": "must be less than {lt}",
    "less_than_equal": "must be at most {le}",
    "multiple_of": "must be a multiple of {multiple_of}",
    "string_too_short": "must have at least {min_length} characters",
    "string_too_long": "must have at most {max_length} characters, has {length}",
    "too_short": "must have at least {min_length} entries",
    "too_long": "must have at most {max_length} entries",
    "string_pattern_mismatch": "contains characters that are not allowed, or has not the required form",
    "string_unicode": "must be Unicode text",
    "finite_number": "must be a finite number",
    "none_required": "must be null",
    "union_tag_invalid": "must be one of {expected_tags}",
    "recursion_loop": "nested too deeply",
    "value_error": "{error}",
}
_KINDS: Final[tuple[tuple[str, str], ...]] = (
    ("int", "must be a whole number"),
    ("float", "must be a number"),
    ("decimal", "must be a number"),
    ("bool", "must be true or false"),
    ("string", "must be text"),
    ("bytes", "must be a file or bytes"),
    ("list", "must be a list"),
    ("tuple", "must be a list"),
    ("set", "must be a list"),
    ("dict", "must be an object"),
    ("mapping", "must be an object"),
    ("model", "must be an object"),
    ("url", "must be a URL"),
    ("date", "must be a date"),
    ("time", "must be a time"),
    ("uuid", "must be a UUID"),
)
"""Texts by the first word of the other types of errors: `int_parsing`, `int_from_float`."""
INVALID: Final = "is not valid"
LINE_ERRORS_MAX: Final = 5
_PLACES: Final = ("body", "query", "path", "header", "cookie")


def field_errors(errors: Sequence[Mapping[str, Any]], body: Any) -> list[dict[str, Any]]:
    """The errors, one for each field: `detail`, and its place as RFC 9457 has it (`pointer`, a JSON pointer into the body, or
    `parameter`); `loc`, `msg` and `type` as FastAPI's clients expect them. body: the request's, parsed."""
    found: dict[tuple[str | int, ...], list[Mapping[str, Any]]] = {}
    for error in errors:
        found.setdefault(_place(error, body), []).append(error)
    return [_error(place, of) for place, of in found.items()]


def line_of(errors: Sequence[Mapping[str, Any]]) -> str:
    """The first errors of fields in one line: `rule.above: must be a number`."""
    lines = [": ".join(filter(None, (".".join(map(str, error["loc"][1:])), error["msg"]))) for error in errors[:LINE_ERRORS_MAX]]
    more = len(errors) - LINE_ERRORS_MAX
    return "; ".join([*lines, f"and {more} more"] if more > 0 else lines)


def _error(place: tuple[str | int, ...], errors: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    text = _text(errors)
    rest = [str(step).replace("~", "~0").replace("/", "~1") for step in place[1:]]
    if place[:1] != ("body",):
        where = {"parameter": str(place[1]) if len(place) > 1 else ""}
    elif errors[0]["type"] == "json_invalid":
        where = {"pointer": "#"}
    else:
        where = {"pointer": quote("".join(["#", *(f"/{step}" for step in rest)]), safe="#/~")}
    return {"detail": text, **where, "loc": list(place), "msg": text, "type": errors[0]["type"]}


def _place(error: Mapping[str, Any], body: Any) -> tuple[str | int, ...]:
    """The path of the field. Of a field with a choice of types pydantic adds the type to the path, which no body has."""
    loc = tuple(error["loc"])
    if not loc or loc[0] != "body" or error["type"] == "json_invalid":
        return loc[:3] if len(loc) > 2 and isinstance(loc[2], int) else loc[:2]
    place: list[str | int] = ["body"]
    at = body
    for index, step in enumerate(loc[1:], 2):
        if (isinstance(at, Mapping) and step in at) or (isinstance(at, list) and isinstance(step, int) and 0 <= step < len(at)):
            at = at[step]
        elif not (error["type"] == "missing" and index == len(loc)):
            continue
        place.append(step)
    return tuple(place)


def _text(errors: Sequence[Mapping[str, Any]]) -> str:
    """One text for the errors of a field, which are several if no type of its choice fits."""
    choices = [error for error in errors if error["type"] in ("literal_error", "enum")]
    if len(choices) > 1:
        known = dict.fromkeys(value for error in choices for value in _values(error))
        return f"must be one of {', '.join(known)}"
    return " or ".join(dict.fromkeys(_one(error) for error in (choices or errors)))


def _one(error: Mapping[str, Any]) -> str:
    kind: str = error["type"]
    context = {name: _number(value) for name, value in (error.get("ctx") or {}).items()}
    if kind == "string_too_long":
        context["length"] = len(str(error.get("input", "")))
    if kind in ("literal_error", "enum"):
        context["expected"] = ", ".join(_values(error))
    text = _TEXTS.get(kind) or next((plain for first, plain in _KINDS if kind.split("_")[0] == first), INVALID)
    try:
        return text.format_map(context)
    except (KeyError, ValueError):
        return INVALID


def _number(value: Any) -> Any:
    return f"{value:g}" if isinstance(value, float) else value


def _values(error: Mapping[str, Any]) -> list[str]:
    """The values of a choice, from pydantic's text `'fps', 'latency_ms' or 'cpu'`."""
    expected = str((error.get("ctx") or {}).get("expected", ""))
    return re.findall(r"'([^']*)'", expected) or re.findall(r"[^\s,]+", expected.replace(" or ", " "))
