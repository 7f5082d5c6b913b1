"""Every fault of a file at once, with its line."""

from __future__ import annotations

from typing import Annotated

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from edgefleet_contract.core.errors import MessageError
from edgefleet_contract.encoding.codec import Wire, from_plain
from edgefleet_contract.encoding.toml import parse
from edgefleet_contract.encoding.toml_faults import FAULTS_MAX, faults_of
from edgefleet_contract.encoding.toml_lines import lines_of


class Inner(Wire):
    name: str
    share: Annotated[float, msgspec.Meta(ge=0.0, le=1.0)] = 0.0

    def __post_init__(self) -> None:
        if self.name == "none":
            raise ValueError("share: none has no share")


class Outer(Wire):
    title: str
    count: int = 0
    one: Inner | None = None
    many: list[Inner] = msgspec.field(default_factory=list)
    named: dict[Annotated[str, msgspec.Meta(pattern="^[a-z]+$")], Inner] = msgspec.field(default_factory=dict)
    hidden: str = ""


def faults(text: str) -> list[str]:
    return faults_of(parse(text, "f.toml"), Outer, lines_of(text), "f.toml", ("hidden",))


def test_all_of_them_by_line() -> None:
    text = """count = "two"
other = 1
hidden = "x"

[one]
share = 2.0

[[many]]
name = "a"

[[many]]
name = 3
size = 1

[named."A B"]
name = "b"

[named.c]
name = "none"
"""
    assert faults(text) == [
        "f.toml: the key 'title' is missing; set it",
        "f.toml:1: count: must be a whole number, not text",
        "f.toml:2: other: no such key; known are title, count, one, many, named",
        "f.toml:3: hidden: no such key; known are title, count, one, many, named",
        "f.toml:5: one: the key 'name' is missing; set it",
        "f.toml:6: one.share: must be a number up to 1",
        "f.toml:12: many.1.name: must be text, not a whole number",
        "f.toml:13: many.1.size: no such key; known are name, share",
        "f.toml:15: named.A B: contains characters that are not allowed, or has not the required form",
        "f.toml:18: named.c.share: none has no share",
    ]


def test_tables_that_are_none() -> None:
    assert faults('title = "t"\none = 1\nmany = 2\nnamed = [1]\n') == [
        "f.toml:2: one: must be a table, like [one]",
        "f.toml:3: many: must be a list, not a whole number",
        "f.toml:4: named: must be a table, not a list",
    ]


def test_a_limit() -> None:
    text = 'title = "t"\n' + "".join(f"x{number} = 1\n" for number in range(2 * FAULTS_MAX))
    assert len(faults(text)) == FAULTS_MAX


VALUES = st.one_of(st.none(), st.booleans(), st.integers(-3, 3), st.floats(-2, 2), st.sampled_from(["a", "none", ""]))
TABLES = st.dictionaries(st.sampled_from(["name", "share", "more"]), VALUES, max_size=3)
FILES = st.fixed_dictionaries(
    {},
    optional={
        "title": VALUES,
        "count": VALUES,
        "one": st.one_of(VALUES, TABLES),
        "many": st.one_of(VALUES, st.lists(st.one_of(TABLES, VALUES), max_size=2)),
        "named": st.one_of(VALUES, st.dictionaries(st.sampled_from(["a", "B"]), st.one_of(TABLES, VALUES), max_size=2)),
    },
)


def known_only(plain: object) -> bool:
    """Whether there is no key that the structs do not know: `from_plain` keeps those, and files may not have them."""
    if isinstance(plain, dict):
        return "more" not in plain and all(known_only(value) for value in plain.values())
    return all(known_only(value) for value in plain) if isinstance(plain, list) else True


@given(FILES)
def test_no_fault_where_the_file_can_be_decoded(plain: dict[str, object]) -> None:
    try:
        from_plain(plain, Outer)
        decodes = known_only(plain)
    except MessageError:
        decodes = False
    assert (faults_of(plain, Outer, {}, "f.toml") == []) is decodes
