"""Errors of the API's fields: plain words for every body, without types of the code or what was sent."""

from __future__ import annotations

import importlib
import pkgutil
import re
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from edgefleet_server.api import schemas
from edgefleet_server.api.middleware.field_errors import INVALID, field_errors, line_of
from edgefleet_server.api.schemas.fields import StrictModel
from edgefleet_server.api.schemas.fleet.alerts import AlertRuleRequest

RAW = re.compile(
    r"Input should|Value error|valid (integer|string|list)|pydantic|literal\[|[a-z]_(type|parsing)|\bstr\b|\bdict\b|Error"
)
WRONG: list[Any] = [
    "",
    "x" * 3000,
    "\x00/../é",
    -1,
    10**30,
    1.5,
    float("nan"),
    True,
    None,
    [],
    [None] * 5000,
    {},
    {"x": 1},
    b"\xff",
]


def bodies() -> list[type[BaseModel]]:
    found = []
    for module in pkgutil.walk_packages(schemas.__path__, f"{schemas.__name__}."):
        for value in vars(importlib.import_module(module.name)).values():
            if isinstance(value, type) and issubclass(value, StrictModel) and value is not StrictModel and value not in found:
                found.append(value)
    return found


def errors_of(kind: type[BaseModel], body: Any) -> list[dict[str, Any]]:
    with pytest.raises(ValidationError) as caught:
        kind.model_validate(body)
    located = [{**error, "loc": ("body", *error["loc"])} for error in caught.value.errors()]
    return field_errors(located, body)


@pytest.mark.parametrize("kind", bodies(), ids=lambda kind: kind.__name__)
def test_every_field_of_every_body(kind: type[BaseModel]) -> None:
    """Each field with wrong values of each kind: the text has no word of the code, and an unknown text is the exception."""
    texts = []
    for name in [*kind.model_fields, "unknown"]:
        for wrong in WRONG:
            body = {name: wrong}
            try:
                kind.model_validate(body)
            except ValidationError:
                texts += [error for error in errors_of(kind, body) if error["loc"][1:2] == [name]]
    assert texts
    raw = [error for error in texts if RAW.search(error["msg"]) or any(RAW.search(str(step)) for step in error["loc"][2:])]
    assert not raw
    members = {"detail", "pointer", "type", "loc", "msg"}
    assert not [error for error in texts if set(error) != members], "what was sent is not repeated"
    assert not [error for error in texts if error["msg"] == INVALID]


def test_an_unknown_figure_lists_the_known_ones_once() -> None:
    body = {"name": "hot", "rule": {"kind": "threshold", "figure": "BAD", "for_s": "x"}}
    figure, for_s = errors_of(AlertRuleRequest, body)
    assert figure["loc"] == ["body", "rule", "figure"]
    assert figure["msg"].startswith("must be one of fps, latency_p95_ms, ")
    assert figure["msg"].count("fps") == 1
    assert (for_s["loc"], for_s["msg"]) == (["body", "rule", "for_s"], "must be a number")


def test_a_secret_is_not_repeated() -> None:
    body = {"name": "hot", "rule": {"kind": "absence", "webhooks": [{"url": "ftp://x", "secret": "s3cret" * 100}]}}
    errors = errors_of(AlertRuleRequest, body)
    assert "s3cret" not in str(errors)
    assert [error["loc"] for error in errors] == [
        ["body", "rule", "webhooks", 0, "url"],
        ["body", "rule", "webhooks", 0, "secret"],
    ]


def test_a_place_is_a_json_pointer() -> None:
    errors = [
        {"type": "missing", "loc": ("body", "a/b~c", 2, "ü"), "msg": "", "ctx": {}},
        {"type": "json_invalid", "loc": ("body", 7), "msg": "", "ctx": {}},
        {"type": "missing", "loc": ("query", "limit"), "msg": "", "ctx": {}},
    ]
    found = field_errors(errors, {"a/b~c": [1, 2, {}]})
    assert [each.get("pointer", each.get("parameter")) for each in found] == ["#/a~1b~0c/2/%C3%BC", "#", "limit"]
    assert line_of(found[:1] * 7).endswith("a/b~c.2.ü: is missing; and 2 more")
