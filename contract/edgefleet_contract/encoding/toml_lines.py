"""Line numbers of tables and keys in a TOML file, which Python's parser does not give.

A scanner for names only, used in addition to the real parser on text that is known to be valid: headers, keys, and the depth of
brackets or quotes at the start of a line. A key inside an inline table has the line of the key that holds the table.
"""

from __future__ import annotations

import re
from collections import Counter

_HEADER = re.compile(r"^\s*(\[\[?)([^\]]+)\]")
_KEY = re.compile(r"""^\s*((?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*'))*)\s*=""")
_PART = re.compile(r"""[A-Za-z0-9_-]+|"[^"]*"|'[^']*'""")
_TOKEN = re.compile(r'''"""|\'\'\'|"(?:[^"\\]|\\.)*"|'[^']*'|#.*|[\[\]{}]''')


def lines_of(text: str) -> dict[str, int]:
    """The line, from 1, of every table and key: `stages.1`, `stages.1.options.low_score`, `source.uri`."""
    found: dict[str, int] = {}
    elements: Counter[str] = Counter()
    table: list[str] = []
    depth, quote = 0, ""
    for number, line in enumerate(text.splitlines(), 1):
        if not depth and not quote:
            header, key = _HEADER.match(line), _KEY.match(line)
            if header:
                table = _table(_parts(header[2]), elements, many=header[1] == "[[")
                found.setdefault(".".join(table), number)
                continue
            if key:
                found.setdefault(".".join([*table, *_parts(key[1])]), number)
        depth, quote = _after(line, depth, quote)
    return found


def line_of(lines: dict[str, int], *path: str | int) -> int | None:
    """The line of `path`, or of the nearest table around it; None if unknown."""
    parts = [str(part) for part in path]
    for length in range(len(parts), 0, -1):
        line = lines.get(".".join(parts[:length]))
        if line is not None:
            return line
    return None


def path_steps(path: str) -> list[str]:
    """The steps of a path in an error, `stages[0].min_score`, for `line_of`."""
    return re.findall(r"[A-Za-z0-9_-]+", path)


def _parts(name: str) -> list[str]:
    return [part.strip("\"'") for part in _PART.findall(name)]


def _table(parts: list[str], elements: Counter[str], *, many: bool) -> list[str]:
    """The header's path with the number of the element at each array of tables in it."""
    path: list[str] = []
    for index, part in enumerate(parts):
        path.append(part)
        name = ".".join(path)
        if many and index == len(parts) - 1:
            elements[name] += 1
        if elements[name]:
            path.append(str(elements[name] - 1))
    return path


def _after(line: str, depth: int, quote: str) -> tuple[int, str]:
    """Brackets still open and the kind of quotes still open at the end of the line."""
    at = 0
    while at < len(line):
        if quote:
            end = line.find(quote, at)
            if end < 0:
                return depth, quote
            at, quote = end + 3, ""
            continue
        token = _TOKEN.search(line, at)
        if token is None:
            break
        at = token.end()
        if token[0] in ('"""', "'''"):
            quote = token[0]
        elif token[0] in "[{":
            depth += 1
        elif token[0] in "]}":
            depth -= 1
    return max(0, depth), quote
