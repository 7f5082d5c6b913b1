"""Decodes TOML text to a struct of the contract; errors name file, line and field.

Pure: the caller reads the file. `where` is only used in error texts.
"""

from __future__ import annotations

import sys
from typing import Any, TypeVar

from edgefleet_contract.core.errors import InputError
from edgefleet_contract.encoding.codec import FieldError, Wire, from_plain
from edgefleet_contract.encoding.toml_lines import line_of, lines_of, path_steps

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

W = TypeVar("W", bound=Wire)


def parse(text: str, where: str, error: type[InputError] = InputError) -> dict[str, Any]:
    """Parse TOML text to a dict.

    Raises:
        error: not TOML; the text gives file, line and column.
    """
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as cause:
        raise error(f"{where}: not valid TOML: {cause}") from cause
    except RecursionError as cause:
        raise error(f"{where}: nested too deeply; use fewer brackets in each other") from cause


def read(text: str, kind: type[W], where: str, error: type[InputError] = InputError) -> W:
    """Decode TOML text to a `kind`.

    Raises:
        error: not TOML, or a field is missing or wrong; the text names file, line and field.
    """
    plain = parse(text, where, error)
    try:
        return from_plain(plain, kind)
    except FieldError as cause:
        line = line_of(lines_of(text), *path_steps(cause.path))
        raise error(f"{where if line is None else f'{where}:{line}'}: {cause}") from cause
