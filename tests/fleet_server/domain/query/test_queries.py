"""Device queries: what they match, how they bind, what is refused, and that hostile text is bounded."""

from __future__ import annotations

import itertools
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgefleet_server.core.errors import InputError
from edgefleet_server.domain.query.parsing import DEPTH_MAX, LENGTH_MAX, VALUES_MAX, parse
from edgefleet_server.domain.query.terms import (
    STATES,
    DeviceQuery,
    QueriedDevice,
    QueryAnd,
    QueryField,
    QueryNode,
    QueryNot,
    QueryOr,
    QueryTerm,
    QueryValue,
)
from edgefleet_server.domain.query.version_order import order_of

DEVICE: Final = QueriedDevice(
    id="line-7",
    labels={"site": "bremen", "ring": "early", "note": "dock *1", "state": "saxony", "empty": ""},
    profile="coral-usb",
    agent="0.3.0",
    packages={"parts": ["1.1.4"], "pair": ["1.0.0", "2.0.0"]},
    states={"online", "pinned"},
)
MATCHES: Final[Mapping[str, bool]] = {
    "site = bremen": True, "site = Bremen": False, "site != bremen": False, "site != lyon": True, "floor != 2": True,
    "site in (lyon, bremen)": True, "site not in (lyon, bremen)": False, "floor not in (1)": True,
    "site exists": True, "floor exists": False, "not floor exists": True, "site = *": True, "floor = *": False,
    "site = b*n": True, "site = b*x": False, "site = *rem*": True, "site = *b": False, "note = \"dock *1\"": True,
    "note = \"dock *\"": False, "note = dock*": True, "empty exists": True, 'empty = ""': True, "empty = *": True,
    "id = line-7": True, "id = line-*": True, "id in (line-*, dock-1)": True, "id != line-7": False, "id exists": True,
    "profile = coral-usb": True, "profile = coral*": True, "profile = none": False, "profile != none": True,
    "agent = 0.3.0": True, "agent = 0.3": True, "agent = 0.3.*": True, "agent < 0.3": False, "agent <= 0.3": True,
    "agent > 0.2.9": True, "agent >= 0.3.1": False, "agent > 0.3.0-rc.1": True, "agent in (0.2.0, 0.3.0)": True,
    "agent != 0.3": False, "agent = none": False, "agent exists": True,
    "package:parts = 1.1.*": True, "package:parts = 1.1.4": True, "package:parts >= 1.1.10": False,
    "package:parts < 1.1.10": True, "package:parts exists": True, "package:parts != none": True,
    "package:other = none": True, "package:other < 9": False, "not package:other >= 1": True,
    "package:other in (none, 1.0.0)": True, "package:pair = 1.0.0": True, "package:pair > 1.5": True,
    "package:pair != 1.0.0": False, "package:other != 1.0.0": True,
    "state = online": True, "state = pinned": True, "state != offline": True, "state in (offline, pinned)": True,
    "state not in (offline)": True, "state = blocked": False,
    '"state" = saxony': True, '"site" = bremen': True,
    "site = bremen and not (ring = canary or profile = coral) and agent >= 0.3": True,
    "package:parts = 1.1.* and state = online or site = lyon": True,
    "site = bremen AND NOT ring = canary": True,
}  # fmt: skip


@pytest.mark.parametrize("text", MATCHES)
def test_what_matches(text: str) -> None:
    """Every field with every operator."""
    assert parse(text).matches(DEVICE) is MATCHES[text]


def test_a_device_without_facts() -> None:
    """`none` is for what a device does not say."""
    assert parse("profile = none and agent = none and not (profile exists or agent < 1)").matches(QueriedDevice("a"))
    assert not parse("agent = 0.3").matches(QueriedDevice("a", agent="built by hand"))
    assert parse('agent = "built by hand"').matches(QueriedDevice("a", agent="built by hand"))


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("a = 1 or b = 2 and c = 3", "a = 1 or (b = 2 and c = 3)"),
        ("a = 1 and b = 2 or c = 3", "(a = 1 and b = 2) or c = 3"),
        ("not a = 1 and b = 2", "(not a = 1) and b = 2"),
        ("not (a = 1 and b = 2)", "not(a=1 and b=2)"),
        ("a != 1", "not a = 1"),
        ("a not in (1, 2)", "not (a in (1,2))"),
    ],
)
def test_precedence(text: str, same: str) -> None:
    """`not` binds tighter than `and`, `and` tighter than `or`."""
    assert parse(text) == parse(same)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "position 1: expected not, ( or a field"),
        ("site", "position 5: expected =, !=, in or exists, found the end"),
        ("site =", "position 7: expected a value, found the end"),
        ("site == lyon", "position 7: expected a value, found '='"),
        ("site = and", "position 8: expected a value, found 'and'"),
        ("site = lyon ring = early", "position 13: expected and, or, or the end, found 'ring'"),
        ("(site = lyon", "position 13: expected ), found the end"),
        ("site = lyon)", "position 12: expected and, or, or the end, found ')'"),
        ("site in lyon", "position 9: expected (, found 'lyon'"),
        ("site in ()", "position 10: expected a value, found ')'"),
        ("site in (a b)", "position 12: expected ), found 'b'"),
        ('site = "lyon', "position 8: expected a closing quote"),
        ("site ! lyon", "position 6: expected a field, a value or an operator"),
        ("Site = lyon", "position 1: expected not, ( or a field"),
        ("package: = 1", "position 1: expected not, ( or a field"),
        ("package:Parts = 1", "position 1: expected not, ( or a field"),
        ("floor < 2", "position 7: expected =, != or in (< and > are for agent and package:NAME), found '<'"),
        ("agent < new", "position 9: expected a version such as 1.2.0, found 'new'"),
        ("agent < 1.*", "position 9: expected a version such as 1.2.0, found '1.*'"),
        ("state = onlin", f"position 9: expected one of {', '.join(STATES)}, found 'onlin'"),
        ("state exists", "position 7: expected =, != or in, found 'exists'"),
        ("state < online", "position 7: expected =, != or in"),
        ("agent", "position 6: expected =, !=, <, <=, >, >=, in or exists, found the end"),
        ("not", "position 4: expected not, ( or a field"),
        ("site = lyon and", "position 16: expected not, ( or a field"),
        ('"no label" = 1', "position 1: expected not, ( or a field"),
    ],
)
def test_errors_name_the_position(text: str, message: str) -> None:
    """One line that says where, and what was expected."""
    with pytest.raises(InputError) as raised:
        parse(text)
    assert f"query, {message}" in str(raised.value)
    assert "\n" not in str(raised.value)


def test_limits() -> None:
    """Length, depth and number of values are bounded."""
    within = "(" * DEPTH_MAX + "a = 1" + ")" * DEPTH_MAX
    assert parse(within) == parse("a = 1")
    hostile = {
        "(" + within + ")": "nested",
        "not " * (DEPTH_MAX + 1) + "a = 1": "nested",
        "(" * LENGTH_MAX: "nested",
        "not " * 500: "nested",
        f"a in ({', '.join('1' for _ in range(VALUES_MAX + 1))})": f"more than {VALUES_MAX} values",
        "a = " + "1" * LENGTH_MAX: f"exceed the limit of {LENGTH_MAX}",
        '"' * (LENGTH_MAX - 1): "query, position",
        '"' + "\\" * (LENGTH_MAX - 2): "a closing quote",
    }
    for text, message in hostile.items():
        with pytest.raises(InputError, match=message):
            parse(text)


def test_a_glob_takes_linear_time() -> None:
    """Many stars in a value are no trap."""
    began = time.process_time()
    query = parse(f"a = {'*a' * 900}*b")
    assert not query.matches(QueriedDevice("d", labels={"a": "a" * 100_000}))
    assert time.process_time() - began < 1.0


@given(st.text(max_size=60) | st.text('()= !<>,"\\*abnot1. ', max_size=80))
def test_any_text_is_a_query_or_refused(text: str) -> None:
    """With one kind of error; a query can be asked about any device."""
    with suppress(InputError):
        assert parse(text).matches(DEVICE) in (True, False)


_LABELS: Final = st.from_regex(r"[a-z0-9][a-z0-9_.-]{0,6}", fullmatch=True)
_VALUES: Final = st.builds(QueryValue, st.text(st.characters(exclude_categories=("Cs",)), max_size=8)) | st.builds(
    QueryValue, st.from_regex(r"[a-z.]{0,3}\*[a-z.]{0,3}", fullmatch=True), st.just(True)
)
_NAMED: Final = (
    st.tuples(st.just(QueryField.LABEL), _LABELS)
    | st.tuples(st.just(QueryField.PACKAGE), st.sampled_from(["parts", "pair"]))
    | st.tuples(st.sampled_from([QueryField.ID, QueryField.PROFILE, QueryField.AGENT]), st.just(""))
)
_VERSIONED: Final = st.tuples(st.just(QueryField.PACKAGE), st.just("parts")) | st.tuples(st.just(QueryField.AGENT), st.just(""))
_TERMS: Final = (
    st.builds(lambda named, values: QueryTerm(*named, "in", tuple(values)), _NAMED, st.lists(_VALUES, min_size=1, max_size=3))
    | st.builds(lambda named: QueryTerm(*named, "exists"), _NAMED)
    | st.builds(
        lambda named, test: QueryTerm(*named, test, (QueryValue("1.2.0"),)), _VERSIONED, st.sampled_from(["<", "<=", ">", ">="])
    )
    | st.builds(lambda state: QueryTerm(QueryField.STATE, "", "in", (QueryValue(state),)), st.sampled_from(STATES))
)
_NODES: Final[st.SearchStrategy[QueryNode]] = st.recursive(
    _TERMS,
    lambda inner: (
        st.builds(QueryNot, inner)
        | st.builds(lambda parts: QueryAnd(tuple(parts)), st.lists(inner, min_size=2, max_size=3))
        | st.builds(lambda parts: QueryOr(tuple(parts)), st.lists(inner, min_size=2, max_size=3))
    ),
    max_leaves=6,
)


def written(node: QueryNode) -> str:
    """A query as text, with the parentheses that it needs and more."""
    if isinstance(node, QueryNot):
        return f"not ({written(node.part)})"
    if isinstance(node, (QueryAnd, QueryOr)):
        return (" and " if isinstance(node, QueryAnd) else " or ").join(f"({written(part)})" for part in node.parts)
    name = {QueryField.LABEL: f'"{node.name}"', QueryField.PACKAGE: f"package:{node.name}"}.get(node.field, node.field.value)
    if node.test == "exists":
        return f"{name} exists"
    values = [value.text if value.glob or node.field is QueryField.STATE else _quoted(value.text) for value in node.values]
    return f"{name} in ({', '.join(values)})" if node.test == "in" else f"{name}{node.test}{values[0]}"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


@given(_NODES)
def test_what_is_written_is_read(node: QueryNode) -> None:
    """Text and parts are the same query."""
    text = written(node)
    if len(text) <= LENGTH_MAX:
        assert parse(text) == DeviceQuery(node)


def test_versions_are_ordered() -> None:
    """Versions have the order of Semantic Versioning."""
    ordered = ["0.9", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-rc.2", "1.0.0-rc.10", "1.0.0", "1.0.1", "1.0.10"]
    found = [order_of(text) for text in ordered]
    assert all(one is not None and other is not None and one < other for one, other in itertools.pairwise(found))
    assert [order_of(text) for text in ("", "new", "1.x", "1.2.3.4")] == [None] * 4
    assert order_of("1") == order_of("1.0.0") == order_of("1.0.0+build.7")
