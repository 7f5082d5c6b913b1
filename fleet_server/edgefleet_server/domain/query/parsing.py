"""The text of a query to its parts. `and` binds tighter than `or`, `not` tighter than both:

    query      = all {"or" all}
    all        = one {"and" one}
    one        = "not" one | "(" query ")" | field test
    test       = ("=" | "!=" | "<" | "<=" | ">" | ">=") value | ["not"] "in" "(" value {"," value} ")" | "exists"
    field      = "id" | "profile" | "agent" | "state" | "package:" NAME | label

Words are everything without spaces, quotes, parentheses, commas and operators. In quotes, a field is a label whatever its name,
and a value is taken literally. `!=`, `not in` and `none` are written with the other parts: `a != b` is `not a = b`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from edgefleet_contract.encoding.names import LABEL_KEY_PATTERN, NAME_PATTERN
from edgefleet_server.core.errors import InputError
from edgefleet_server.domain.query.terms import (
    STATES,
    VERSIONS,
    DeviceQuery,
    QueryAnd,
    QueryField,
    QueryNode,
    QueryNot,
    QueryOr,
    QueryTerm,
    QueryValue,
)
from edgefleet_server.domain.query.version_order import order_of

LENGTH_MAX: Final = 2_000
DEPTH_MAX: Final = 16
"""Limit of nested parentheses and `not`."""
VALUES_MAX: Final = 100
"""Limit of values that a query compares with."""

_TOKENS: Final = re.compile(
    r'\s*(?:(?P<quoted>"(?:[^"\\]|\\.)*")|(?P<sign>!=|<=|>=|[=<>(),])|(?P<word>[^\s"=!<>(),]+))', re.DOTALL
)
_KEYWORDS: Final = frozenset({"and", "or", "not", "in", "exists"})
_COMPARED: Final = ("<", "<=", ">", ">=")
_TESTS: Final = {QueryField.STATE: "=, != or in", **dict.fromkeys(VERSIONS, "=, !=, <, <=, >, >=, in or exists")}
_SHOWN: Final = 20
_PACKAGE: Final = "package:"
_NONE: Final = "none"
_PLAIN: Final = {each.value: each for each in (QueryField.ID, QueryField.PROFILE, QueryField.AGENT, QueryField.STATE)}


@dataclass(frozen=True, slots=True)
class QueryToken:
    """A part of the text. `kind`: word, quoted, sign, or end. `at`: its position, from 1."""

    kind: str
    text: str
    at: int

    def is_keyword(self, *words: str) -> bool:
        """Whether it is one of these keywords, in any case."""
        return self.kind == "word" and self.text.lower() in words

    def fault(self, expected: str) -> InputError:
        """The error that something else was expected here."""
        shown = self.text if len(self.text) <= _SHOWN else f"{self.text[:_SHOWN]}…"
        found = "the end" if self.kind == "end" else repr(shown)
        return InputError(f"query, position {self.at}: expected {expected}, found {found}")


@lru_cache(maxsize=256)
def parse(text: str) -> DeviceQuery:
    """Parse a query.

    Raises:
        InputError: it is none; the text has the position, and what was expected there.
    """
    if len(text) > LENGTH_MAX:
        raise InputError(f"query: {len(text)} characters exceed the limit of {LENGTH_MAX}")
    return QueryParser(_tokens(text)).query()


def _tokens(text: str) -> list[QueryToken]:
    found: list[QueryToken] = []
    at, end = 0, len(text.rstrip())
    while at < end:
        match = _TOKENS.match(text, at)
        if match is None or match.lastgroup is None:
            at += len(text[at:]) - len(text[at:].lstrip())
            what = "a closing quote" if text[at] == '"' else "a field, a value or an operator"
            raise QueryToken("word", text[at:], at + 1).fault(what)
        kind, written = match.lastgroup, match[match.lastgroup]
        value = re.sub(r"\\(.)", r"\1", written[1:-1], flags=re.DOTALL) if kind == "quoted" else written
        found.append(QueryToken(kind, value, match.start(kind) + 1))
        at = match.end()
    return [*found, QueryToken("end", "", end + 1)]


class QueryParser:
    """Parses the tokens of one query, from left to right."""

    def __init__(self, tokens: list[QueryToken]) -> None:
        self._tokens = tokens
        self._place = 0
        self._values = 0

    def query(self) -> DeviceQuery:
        """Parse all tokens.

        Raises:
            InputError: they are no query.
        """
        root = self._any(0)
        if self._next.kind != "end":
            raise self._next.fault("and, or, or the end")
        return DeviceQuery(root)

    @property
    def _next(self) -> QueryToken:
        return self._tokens[self._place]

    def _take(self) -> QueryToken:
        token = self._next
        self._place += 1
        return token

    def _any(self, depth: int) -> QueryNode:
        return self._list("or", lambda: self._list("and", lambda: self._one(depth), QueryAnd), QueryOr)

    def _list(self, joint: str, part: Callable[[], QueryNode], kind: type[QueryAnd] | type[QueryOr]) -> QueryNode:
        parts = [part()]
        while self._next.is_keyword(joint):
            self._take()
            parts.append(part())
        return parts[0] if len(parts) == 1 else kind(tuple(parts))

    def _one(self, depth: int) -> QueryNode:
        token = self._take()
        opens = token.kind == "sign" and token.text == "("
        if (opens or token.is_keyword("not")) and depth >= DEPTH_MAX:
            raise InputError(f"query, position {token.at}: more than {DEPTH_MAX} nested parentheses and not")
        if opens:
            inner = self._any(depth + 1)
            self._sign(")")
            return inner
        if token.is_keyword("not"):
            return QueryNot(self._one(depth + 1))
        field, name = _field(token)
        return self._test(field, name)

    def _test(self, field: QueryField, name: str) -> QueryNode:
        token = self._take()
        if token.is_keyword("exists") and field is not QueryField.STATE:
            return QueryTerm(field, name, "exists")
        if token.is_keyword("not") and self._next.is_keyword("in"):
            self._take()
            return QueryNot(self._within(field, name))
        if token.is_keyword("in"):
            return self._within(field, name)
        if token.kind == "sign" and token.text in ("=", "!="):
            equal = _equal(field, name, [self._value(field)])
            return equal if token.text == "=" else QueryNot(equal)
        if token.kind == "sign" and token.text in _COMPARED and field in VERSIONS:
            return QueryTerm(field, name, token.text, (self._version(),))
        if token.kind == "sign" and token.text in _COMPARED:
            raise token.fault("=, != or in (< and > are for agent and package:NAME)")
        raise token.fault(_TESTS.get(field, "=, !=, in or exists"))

    def _within(self, field: QueryField, name: str) -> QueryNode:
        self._sign("(")
        values = [self._value(field)]
        while self._next.kind == "sign" and self._next.text == ",":
            self._take()
            values.append(self._value(field))
        self._sign(")")
        return _equal(field, name, values)

    def _sign(self, text: str) -> None:
        token = self._take()
        if token.kind != "sign" or token.text != text:
            raise token.fault(text)

    def _literal(self, expected: str) -> QueryToken:
        token = self._take()
        if token.kind not in ("word", "quoted") or token.is_keyword(*_KEYWORDS):
            raise token.fault(expected)
        self._values += 1
        if self._values > VALUES_MAX:
            raise InputError(f"query, position {token.at}: more than {VALUES_MAX} values")
        return token

    def _value(self, field: QueryField) -> QueryValue | None:
        """A value; None is `none`: that there is none."""
        if field is QueryField.STATE:
            token = self._literal(f"one of {', '.join(STATES)}")
            if token.text not in STATES:
                raise token.fault(f"one of {', '.join(STATES)}")
            return QueryValue(token.text)
        token = self._literal("a value")
        if token.kind == "word" and token.text == _NONE and field not in (QueryField.LABEL, QueryField.ID):
            return None
        return QueryValue(token.text, glob=token.kind == "word" and "*" in token.text)

    def _version(self) -> QueryValue:
        token = self._literal("a version such as 1.2.0")
        if order_of(token.text) is None:
            raise token.fault("a version such as 1.2.0")
        return QueryValue(token.text)


def _field(token: QueryToken) -> tuple[QueryField, str]:
    """A field, and the name of its label or package."""
    expected = "not, ( or a field: id, profile, agent, state, package:NAME or the name of a label"
    if token.kind == "quoted" and re.fullmatch(LABEL_KEY_PATTERN, token.text) and "\n" not in token.text:
        return QueryField.LABEL, token.text
    if token.kind != "word" or token.is_keyword(*_KEYWORDS):
        raise token.fault(expected)
    if token.text in _PLAIN:
        return _PLAIN[token.text], ""
    if token.text.startswith(_PACKAGE) and re.fullmatch(NAME_PATTERN, token.text[len(_PACKAGE) :]):
        return QueryField.PACKAGE, token.text[len(_PACKAGE) :]
    if re.fullmatch(LABEL_KEY_PATTERN, token.text):
        return QueryField.LABEL, token.text
    raise token.fault(expected)


def _equal(field: QueryField, name: str, values: list[QueryValue | None]) -> QueryNode:
    """The part for a field that has one of the values."""
    some = tuple(value for value in values if value is not None)
    parts: list[QueryNode] = [QueryTerm(field, name, "in", some)] if some else []
    if len(some) < len(values):
        parts.append(QueryNot(QueryTerm(field, name, "exists")))
    return parts[0] if len(parts) == 1 else QueryOr(tuple(parts))
