"""Reads Protobuf's text format, as Triton's `config.pbtxt` uses it, with the line of every value.

Fields, messages in braces or angle brackets, lists, strings (adjacent ones are joined), numbers, words, comments. Pure: the
caller reads the file; `where` is only used in error texts. What a field means is the caller's part.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from edgefleet_contract.core.errors import InputError

DEPTH_MAX = 16
VALUES_MAX = 100_000
_TOKEN = re.compile(r"""[{}<>\[\]:,;]|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|[A-Za-z0-9_.+-]+""")
_SPACE = re.compile(r"(?:\s|\#[^\n]*)*")
_ESCAPE = re.compile(r"\\(?:([0-7]{1,3})|[xX]([0-9A-Fa-f]{1,2})|(.))", re.DOTALL)
_PLAIN = {"n": "\n", "r": "\r", "t": "\t", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}
_WHOLE = re.compile(r"[+-]?(?:0[xX][0-9A-Fa-f]+|[0-9]+)")
_CLOSING = {"{": "}", "<": ">"}
_PUNCTUATION = frozenset("{}<>[]:,;")


@dataclass(frozen=True, slots=True)
class TextValue:
    """One value: text (quoted), a whole number, a word (also of other numbers), or a message. line: from 1."""

    value: str | int | TextMessage
    line: int
    quoted: bool = False


@dataclass(slots=True)
class TextMessage:
    """The values of each field in their order."""

    fields: dict[str, list[TextValue]] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    """Line of the first appearance of each field."""


def read_text_format(text: str, where: str, error: type[InputError] = InputError) -> TextMessage:
    """Parse a whole message.

    Raises:
        error: not this format; the text is `where:LINE: fault`.
    """
    reader = _Reader(_tokens(text, where, error), where, error)
    return reader.message(0, "")


def to_plain(message: TextMessage) -> dict[str, list[Any]]:
    """The fields without lines: each a list of its values, messages as such dicts."""
    return {
        name: [to_plain(each.value) if isinstance(each.value, TextMessage) else each.value for each in values]
        for name, values in message.fields.items()
    }


def _tokens(text: str, where: str, error: type[InputError]) -> list[tuple[str, int]]:
    tokens: list[tuple[str, int]] = []
    at, line = 0, 1
    while True:
        space = _SPACE.match(text, at)
        end = space.end() if space else at
        line += text.count("\n", at, end)
        if end == len(text):
            return tokens
        found = _TOKEN.match(text, end)
        if found is None:
            raise error(f"{where}:{line}: {text[end : end + 20].splitlines()[0]!r} cannot be read; is it a config.pbtxt?")
        tokens.append((found[0], line))
        at = found.end()


class _Reader:
    def __init__(self, tokens: list[tuple[str, int]], where: str, error: type[InputError]) -> None:
        self._tokens = tokens
        self._where = where
        self._error = error
        self._at = 0
        self._values = 0

    def message(self, depth: int, closing: str) -> TextMessage:
        """Fields up to the closing bracket, which is taken; up to the end for ''."""
        if depth > DEPTH_MAX:
            raise self._fault(f"nested deeper than {DEPTH_MAX}")
        found = TextMessage()
        while True:
            if not closing and self._at == len(self._tokens):
                return found
            name, line = self._next()
            if closing and name == closing:
                return found
            if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
                raise self._fault(f"{name!r} where the name of a field must be")
            colon = self._peek() == ":"
            if colon:
                self._next()
            if not colon and self._peek() not in ("{", "<", "["):
                raise self._fault(f"{name!r} is followed by {self._peek() or 'the end'!r}; a ':' is missing")
            found.lines.setdefault(name, line)
            values = found.fields.setdefault(name, [])
            values += self._list(depth) if self._peek() == "[" else [self._value(depth)]
            if self._peek() in (",", ";"):
                self._next()

    def _list(self, depth: int) -> list[TextValue]:
        self._next()
        values: list[TextValue] = []
        while self._peek() != "]":
            values.append(self._value(depth))
            if self._peek() == ",":
                self._next()
            elif self._peek() != "]":
                raise self._fault(f"{self._peek() or 'the end'!r} in a list; ',' or ']' is missing")
        self._next()
        return values

    def _value(self, depth: int) -> TextValue:
        word, line = self._next()
        self._values += 1
        if self._values > VALUES_MAX:
            raise self._fault(f"more than {VALUES_MAX} values")
        if word in _CLOSING:
            return TextValue(self.message(depth + 1, _CLOSING[word]), line)
        if word[0] in "\"'":
            text = _unescaped(word[1:-1])
            while self._peek()[:1] in ('"', "'") and self._peek():
                text += _unescaped(self._next()[0][1:-1])
            return TextValue(text, line, quoted=True)
        if word in _PUNCTUATION:
            raise self._fault(f"{word!r} where a value must be")
        if _WHOLE.fullmatch(word) and len(word) <= 40:
            octal = re.fullmatch(r"[+-]?0[0-7]+", word)
            return TextValue(int(word, 8 if octal else 0 if "x" in word.lower() else 10), line)
        return TextValue(word, line)

    def _peek(self) -> str:
        return self._tokens[self._at][0] if self._at < len(self._tokens) else ""

    def _next(self) -> tuple[str, int]:
        if self._at >= len(self._tokens):
            raise self._fault("ends in the middle; a bracket or a value is missing")
        self._at += 1
        return self._tokens[self._at - 1]

    def _fault(self, text: str) -> InputError:
        line = self._tokens[max(self._at - 1, 0)][1] if self._tokens else 1
        return self._error(f"{self._where}:{line}: {text}")


def _unescaped(text: str) -> str:
    def one(found: re.Match[str]) -> str:
        if found[1]:
            return chr(int(found[1], 8) & 0xFF)
        return chr(int(found[2], 16)) if found[2] else _PLAIN.get(found[3], found[3])

    return _ESCAPE.sub(one, text) if "\\" in text else text
