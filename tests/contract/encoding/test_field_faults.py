"""Faults of fields, in plain words."""

from __future__ import annotations

from enum import Enum
from typing import Annotated, Any, Literal

import msgspec
import pytest
from msgspec import Meta

from edgefleet_contract.encoding.field_faults import field_fault


class Color(str, Enum):
    RED = "red"
    BLUE = "blue"


class Cat(msgspec.Struct, tag="cat", tag_field="kind"):
    lives: int = 9


class Dog(msgspec.Struct, tag="dog", tag_field="kind"):
    name: str


class Item(msgspec.Struct, forbid_unknown_fields=True):
    count: Annotated[int, Meta(ge=1, le=10)] = 1
    share: Annotated[float, Meta(gt=0, lt=1)] = 0.5
    step: Annotated[int, Meta(multiple_of=5)] = 5
    name: Annotated[str, Meta(pattern="^a+$", min_length=2, max_length=4)] = "aa"
    color: Color = Color.RED
    unit: Literal["ms", "s"] | None = None
    span: Literal[60, 3600] = 60
    pair: tuple[int, int] = (1, 2)
    sides: Annotated[list[int], Meta(min_length=1, max_length=2)] = msgspec.field(default_factory=lambda: [1])
    by_name: dict[str, int] = {}
    pet: Cat | Dog | None = None
    either: int | str | None = None
    on: bool = False
    data: bytes = b""
    children: list[Item] = []
    table: dict[str, Item] = {}


CASES: list[tuple[Any, str]] = [
    ({"count": "1"}, "count: must be a whole number, not text"),
    ({"count": 0}, "count: must be a whole number from 1"),
    ({"count": 11}, "count: must be a whole number up to 10"),
    ({"count": 1.5}, "count: must be a whole number, not a number"),
    ({"share": 1.0}, "share: must be a number below 1"),
    ({"share": 0.0}, "share: must be a number above 0"),
    ({"step": 3}, "step: must be a multiple of 5"),
    ({"name": "bb"}, "name: contains characters that are not allowed, or has not the required form"),
    ({"name": "a"}, "name: must have at least 2 characters"),
    ({"name": "aaaaa"}, "name: must have at most 4 characters"),
    ({"color": "green"}, "color: 'green' is not one of red, blue"),
    ({"unit": "h"}, "unit: 'h' is not one of ms, s"),
    ({"span": 5}, "span: 5 is not one of 60, 3600"),
    ({"pair": [1]}, "pair: must have 2 entries"),
    ({"sides": []}, "sides: must have at least 1 entries"),
    ({"sides": [1, 2, 3]}, "sides: must have at most 2 entries"),
    ({"sides": ["x"]}, "sides[0]: must be a whole number, not text"),
    ({"by_name": {"a": None}}, "by_name[]: must be a whole number, not nothing"),
    ({"by_name": {1: 1}}, "by_name: one of its names is not valid"),
    ({"by_name": []}, "by_name: must be a table, not a list"),
    ({"pet": {"kind": "bird"}}, "pet.kind: 'bird' is not one of cat, dog"),
    ({"pet": {}}, "pet: 'kind' is missing"),
    ({"pet": {"kind": "dog"}}, "pet: 'name' is missing"),
    ({"either": 1.5}, "either: must be a whole number or text, not a number"),
    ({"on": 1}, "on: must be true or false, not a whole number"),
    ({"data": "!"}, "data: invalid base64 encoded string"),
    ({"children": [{}, {"color": "x"}]}, "children[1].color: 'x' is not one of red, blue"),
    ({"table": {"a": {"unit": "x"}}}, "table[].unit: 'x' is not one of ms, s"),
    ({"colour": "red"}, "colour: unknown field; check the spelling"),
    ({"children": [{"colour": 1}]}, "children[0].colour: unknown field; check the spelling"),
    ([], "must be a table, not a list"),
]


@pytest.mark.parametrize(("plain", "text"), CASES)
def test_every_fault_is_plain(plain: Any, text: str) -> None:
    with pytest.raises(msgspec.ValidationError) as caught:
        msgspec.convert(plain, Item)
    assert str(field_fault(caught.value, Item)) == text


class Labelled(msgspec.Struct):
    labels: dict[str, Annotated[str, Meta(max_length=3)]] = {}
    lines: list[Annotated[str, Meta(max_length=3)]] = []
    inner: dict[str, Labelled] = {}


@pytest.mark.parametrize(
    ("plain", "text"),
    [
        ({"labels": {"a": "abc", "site": "north"}}, "labels.site: must have at most 3 characters, has 5"),
        ({"lines": ["abc", "abcd"]}, "lines[1]: must have at most 3 characters, has 4"),
        (
            {"inner": {"x": {}, "y": {"labels": {"a": "", "b": "four"}}}},
            "inner.y.labels.b: must have at most 3 characters, has 4",
        ),
    ],
)
def test_a_text_that_is_too_long_is_named_with_its_length(plain: Any, text: str) -> None:
    with pytest.raises(msgspec.ValidationError) as caught:
        msgspec.convert(plain, Labelled)
    assert str(field_fault(caught.value, Labelled, value=plain)) == text


def test_unions_of_json_are_described_without_their_type() -> None:
    with pytest.raises(msgspec.ValidationError) as caught:
        msgspec.json.decode(b'{"color": "x"}', type=Item)
    assert str(field_fault(caught.value)) == "color: 'x' is not one of its values"
