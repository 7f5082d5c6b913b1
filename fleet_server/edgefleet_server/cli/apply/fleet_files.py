"""Reads the files of a fleet: one file, a folder of files, or standard input."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeVar, get_args, get_type_hints

import msgspec

from edgefleet_contract.core.atomic_files import read_if_there
from edgefleet_contract.encoding.field_faults import field_fault
from edgefleet_server.cli.apply import documents
from edgefleet_server.cli.apply.documents import Part
from edgefleet_server.cli.apply.located_yaml import BYTES_MAX, Located, read_yaml
from edgefleet_server.core.errors import InputError, StoreError

FILES_MAX: Final = 1_000
STDIN: Final = "-"
_REFERENCE: Final = "docs/reference/fleet.md lists the keys"
_UNKNOWN: Final = re.compile(r"unknown field `([^`]*)`")
_STEP: Final = re.compile(r"\.(\w+)|\[(\d+)\]|(\[\.\.\.\])")

P = TypeVar("P", bound=Part)


@dataclass(frozen=True, slots=True)
class Entry:
    """One object of the files. place: `file:line`. folder: where its relative paths begin."""

    kind: str
    name: str
    value: Part
    place: str
    folder: Path


@dataclass(slots=True)
class FleetFiles:
    """All objects, by kind (plural, as in the file) and name. `name`: of the configuration."""

    name: str = ""
    entries: dict[tuple[str, str], Entry] = field(default_factory=dict)

    def of(self, kind: str, _value: type[P]) -> Iterator[tuple[Entry, P]]:
        """The objects of a kind with their values, in the order of the files."""
        for entry in self.entries.values():
            if entry.kind == kind:
                assert isinstance(entry.value, _value)
                yield entry, entry.value


def secret_of(entry: Entry, variable: str) -> str:
    """The secret of an object, from an environment variable; empty without a variable.

    Raises:
        InputError: it is not set.
    """
    secret = os.environ.get(variable, "") if variable else ""
    if variable and not secret:
        raise InputError(f"{entry.place}: {entry.kind}.{entry.name}: ${variable} is not set; set it to the secret")
    return secret


def read_files(source: str) -> FleetFiles:
    """Read `source`: a file, a folder with `*.yaml` and `*.yml`, or `-` for standard input.

    Raises:
        InputError: not readable, not valid, or an object twice; the text names file and line.
    """
    found = FleetFiles()
    for name, folder, text in _texts(source):
        _add(found, read_yaml(text, name), folder)
    found.name = found.name or documents.Fleet().name
    return found


def _texts(source: str) -> Iterator[tuple[str, Path, str]]:
    if source == STDIN:
        yield "stdin", Path(), _decoded("stdin", sys.stdin.buffer.read(BYTES_MAX + 1))
        return
    path = Path(source)
    files = sorted([*path.glob("*.yaml"), *path.glob("*.yml")]) if path.is_dir() else [path]
    if not files:
        raise InputError(f"{source} has no *.yaml files; specify a file or the folder of the files")
    if len(files) > FILES_MAX:
        raise InputError(f"{source} has more than {FILES_MAX} files; specify a part of them")
    for file in files:
        data = read_bounded(file, BYTES_MAX, str(file), "specify a file, a folder, or - for stdin")
        yield str(file), file.parent, _decoded(str(file), data)


def read_bounded(file: Path, bytes_max: int, place: str, advice: str) -> bytes:
    """The content of a file that the user names.

    Raises:
        InputError: it cannot be read, or is longer than `bytes_max`.
    """
    try:
        data = read_if_there(file, bytes_max)
    except StoreError as error:
        raise InputError(f"{place}: cannot be read; {advice}") from error
    if data is None:
        why = f"larger than {bytes_max} bytes" if file.exists() else "no such file"
        raise InputError(f"{place}: {why}; {advice}")
    return data


def _decoded(name: str, data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise InputError(f"{name}: not UTF-8 text; specify a YAML file") from error


def _add(found: FleetFiles, document: Located, folder: Path) -> None:
    root = {} if document.value is None else document.value
    if not isinstance(root, dict):
        raise InputError(f"{document.place(())}: must be a table with models, groups, pipelines, rollouts, alerts or recipients")
    kinds = _kinds()
    for key in root:
        if key not in kinds and key != "name":
            raise InputError(f"{document.place((key,))}: unknown key {key!r}; {_REFERENCE}")
    if "name" in root:
        name = _converted(document, ("name",), documents.Name)
        if found.name not in ("", name):
            raise InputError(f"{document.place(('name',))}: the name is {found.name!r} in another file; use one name")
        found.name = name
    for kind, (key_type, value_type) in kinds.items():
        table = root.get(kind)
        if table is not None and not isinstance(table, dict):
            raise InputError(f"{document.place((kind,))}: {kind} must be a table of names")
        for name in table or {}:
            place = document.place((kind, name))
            _check_name(place, kind, name, key_type)
            if (earlier := found.entries.get((kind, name))) is not None:
                raise InputError(f"{place}: {kind}.{name} is also at {earlier.place}; remove one")
            value = _converted(document, (kind, name), value_type)
            found.entries[kind, name] = Entry(kind, name, value, place, folder)


def _kinds() -> Mapping[str, tuple[Any, Any]]:
    hints = get_type_hints(documents.Fleet, include_extras=True)
    return {name: get_args(kind) for name, kind in hints.items() if name != "name"}


def _check_name(place: str, kind: str, name: str, key_type: Any) -> None:
    try:
        msgspec.convert(name, key_type)
    except msgspec.ValidationError as error:
        raise InputError(f"{place}: {kind}.{name}: {field_fault(error, key_type).text}; correct the name") from error


def _converted(document: Located, path: tuple[str, ...], kind: Any) -> Any:
    value = document.value
    for step in path:
        value = value[step]
    try:
        return msgspec.convert({} if value is None else value, kind)
    except msgspec.ValidationError as error:
        raise InputError(_text(document, path, error, kind)) from error


def _text(document: Located, path: tuple[str, ...], error: msgspec.ValidationError, kind: Any) -> str:
    """The text of a fault, with the line and the keys of the file."""
    what, _, where = str(error).partition(" - at ")
    steps = [named or (int(number) if number else None) for named, number, _ in _STEP.findall(where)]
    if unknown := _UNKNOWN.search(what):
        steps.append(unknown[1])
    at = _resolved(document, path, steps)
    keys = ".".join(str(step) for step in at)
    if unknown:
        return f"{document.place(at)}: unknown key {keys!r}; {_REFERENCE}"
    return f"{document.place(at)}: {keys}: {field_fault(error, kind).text}; correct the value"


def _resolved(document: Located, path: tuple[str, ...], steps: list[str | int | None]) -> tuple[str | int, ...]:
    """The path of a fault. A step that is None stands for a key that the message does not name; it is found only where the last
    step is a key that few places have."""
    at: tuple[str | int, ...] = path
    if None in steps:
        whole = (*path, *steps)
        for known in document.lines:
            if len(known) == len(whole) and all(want in (None, have) for want, have in zip(whole, known, strict=True)):
                return known if steps[-1] is not None else known[:-1]
    for step in steps:
        if step is None:
            break
        at = (*at, step)
    return at
