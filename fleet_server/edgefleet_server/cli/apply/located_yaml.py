"""YAML to plain values that know their lines.

The values are those of JSON: text, numbers, true and false, null, lists and tables. What YAML 1.1 makes of `22:00`, `no` or a
date is text here, as it looks.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from typing import Any, Final

import yaml

from edgefleet_server.core.errors import InputError

BYTES_MAX: Final = 1024 * 1024
VALUES_MAX: Final = 100_000
"""Limit of the values of a file, each alias counted as what it stands for."""
DEPTH_MAX: Final = 32

Path = tuple[str | int, ...]

_BOOL, _INT, _FLOAT, _NULL = (f"tag:yaml.org,2002:{name}" for name in ("bool", "int", "float", "null"))
_FORMS: Final = (
    (_BOOL, r"^(?:true|false)$", "tf"),
    (_INT, r"^[-+]?(?:0|[1-9][0-9]*)$", "-+0123456789"),
    (_FLOAT, r"^[-+]?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?$", "-+0123456789"),
    (_NULL, r"^(?:null|~|)$", ["n", "~", ""]),
)


class _Loader(yaml.SafeLoader):
    """The safe loader with JSON's forms of plain scalars."""

    yaml_implicit_resolvers: dict[Any, Any] = {}  # noqa: RUF012 (declared so by the library)


for _tag, _form, _first in _FORMS:
    _Loader.add_implicit_resolver(_tag, re.compile(_form), list(_first))


@dataclass(slots=True)
class Located:
    """A document. value: plain values. lines: path of each value to its line, from 1."""

    file: str
    value: Any = None
    lines: dict[Path, int] = field(default_factory=dict)

    def place(self, path: Path) -> str:
        """`file:line` of the value at a path, or of the nearest one around it."""
        while path and path not in self.lines:
            path = path[:-1]
        return f"{self.file}:{self.lines.get(path, 1)}"


def read_yaml(text: str, file: str) -> Located:
    """Read a document.

    Raises:
        InputError: not YAML, a key twice, a value that JSON does not have, or over a limit; the text names the line.
    """
    if len(text) > BYTES_MAX:
        raise InputError(f"{file}: larger than {BYTES_MAX} bytes; split it into several files")
    found = Located(file)
    try:
        loader = _Loader(text)
        node = loader.get_single_node()
        if node is not None:
            found.value = _Reader(loader, found).read(node, (), 0)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise InputError(f"{file}:{mark.line + 1 if mark else 1}: {error.problem or error.context}; correct the YAML") from error
    except RecursionError as error:
        raise InputError(f"{file}: too many or too deeply nested values; split it into several files") from error
    except (yaml.YAMLError, ValueError) as error:
        raise InputError(f"{file}: {' '.join(str(error).split())}; correct the YAML") from error
    return found


class _Reader:
    def __init__(self, loader: _Loader, found: Located) -> None:
        self._loader, self._found, self._values = loader, found, 0

    def read(self, node: yaml.Node, path: Path, depth: int) -> Any:
        self._values += 1
        line = node.start_mark.line + 1
        if self._values > VALUES_MAX or depth > DEPTH_MAX:
            raise InputError(f"{self._found.file}:{line}: too many or too deeply nested values; write fewer aliases")
        self._found.lines.setdefault(path, line)
        if isinstance(node, yaml.MappingNode):
            return self._table(node, path, depth)
        if isinstance(node, yaml.SequenceNode):
            return [self.read(each, (*path, index), depth + 1) for index, each in enumerate(node.value)]
        return self._scalar(node, line)

    def _table(self, node: yaml.MappingNode, path: Path, depth: int) -> dict[str, Any]:
        table: dict[str, Any] = {}
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            if not isinstance(key_node, yaml.ScalarNode):
                raise InputError(f"{self._found.file}:{line}: a key must be text")
            key = key_node.value
            if key in table:
                raise InputError(f"{self._found.file}:{line}: key {key!r} is there twice; remove one")
            place = (*path, key)
            self._found.lines[place] = line
            table[key] = self.read(value_node, place, depth + 1)
        return table

    def _scalar(self, node: yaml.Node, line: int) -> Any:
        if node.tag == "tag:yaml.org,2002:str":
            return node.value
        if node.tag in (_BOOL, _INT, _FLOAT, _NULL):
            value = self._loader.construct_object(node)
            if isinstance(value, float) and not math.isfinite(value):
                raise InputError(f"{self._found.file}:{line}: {node.value} is not a finite number")
            return value
        raise InputError(f"{self._found.file}:{line}: tag {node.tag!r} is not supported; write plain values")
