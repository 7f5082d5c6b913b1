"""Reads Protobuf's text format, as far as Triton's config.pbtxt uses it: fields, messages, lists, strings, numbers, words."""

from __future__ import annotations

import re
from typing import Any

from edgefleet_server.core.errors import InputError

DEPTH_MAX = 16
_TOKEN = re.compile(r"""\s*(?:\#[^\n]*\s*)*([{}\[\]:,;]|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|[A-Za-z0-9_.+-]+|$)""")


def read_text_format(text: str, where: str) -> dict[str, list[Any]]:
    """Every field as the list of its values, in order; messages as such dicts.

    Raises:
        InputError: not this format; the text gives the line.
    """
    tokens: list[tuple[str, int]] = []
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise InputError(f"{where}: line {text.count(chr(10), 0, at) + 1} cannot be read; is it a config.pbtxt?")
        if found.group(1):
            tokens.append((found.group(1), found.start(1)))
        at = found.end() if found.end() > at else at + 1
    reader = _Reader(tokens, where)
    fields = reader.message(0)
    if reader.at < len(tokens):
        raise InputError(f"{where}: a bracket closes that nothing opened")
    return fields


class _Reader:
    def __init__(self, tokens: list[tuple[str, int]], where: str) -> None:
        self._tokens = tokens
        self._where = where
        self.at = 0

    def message(self, depth: int) -> dict[str, list[Any]]:
        """Fields up to the closing bracket, which stays."""
        fields: dict[str, list[Any]] = {}
        while self.at < len(self._tokens) and self._peek() != "}":
            name = self._next()
            if self._peek() == ":":
                self._next()
            values = self._list(depth) if self._peek() == "[" else [self._value(depth)]
            fields.setdefault(name, []).extend(values)
            if self._peek() in (",", ";"):
                self._next()
        return fields

    def _list(self, depth: int) -> list[Any]:
        self._next()
        values = []
        while self._peek() != "]":
            values.append(self._value(depth))
            if self._peek() == ",":
                self._next()
        self._next()
        return values

    def _value(self, depth: int) -> Any:
        word = self._next()
        if word == "{":
            if depth >= DEPTH_MAX:
                raise InputError(f"{self._where}: nested deeper than {DEPTH_MAX}")
            fields = self.message(depth + 1)
            if self._next() != "}":
                raise InputError(f"{self._where}: a bracket is not closed")
            return fields
        if word[0] in "\"'":
            return re.sub(r"\\(.)", r"\1", word[1:-1])
        try:
            return int(word)
        except ValueError:
            return word

    def _peek(self) -> str:
        return self._tokens[self.at][0] if self.at < len(self._tokens) else ""

    def _next(self) -> str:
        if self.at >= len(self._tokens):
            raise InputError(f"{self._where}: ends in the middle")
        self.at += 1
        return self._tokens[self.at - 1][0]
