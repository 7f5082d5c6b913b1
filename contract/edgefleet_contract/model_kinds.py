"""Formats and model families that are known here: the built-in ones, and those of installed plug-ins (entry points
`edgefleet.formats` and `edgefleet.families`), which need neither the agent nor a runtime.
"""

from __future__ import annotations

import logging
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from edgefleet_contract.core.errors import EdgefleetError, InputError, ManifestError
from edgefleet_contract.core.plugins import PluginTable
from edgefleet_contract.package.families import FAMILIES, Family
from edgefleet_contract.package.formats import FORMATS, Format
from edgefleet_contract.package.manifest import Manifest

FORMAT_TABLE = PluginTable("formats", "format", dict.fromkeys(FORMATS, ""))
FAMILY_TABLE = PluginTable("families", "model family", dict.fromkeys(FAMILIES, ""))
NO_MODEL = ("agent", "pipeline")
"""Formats of packages that are no models."""

RESULT_KINDS = ("detections", "classes", "segments", "poses", "embeddings", "texts", "values")
"""Names of a model's results in `infer --json`."""

K = TypeVar("K")

log = logging.getLogger(__name__)


def find_format(name: str, error: type[EdgefleetError] = ManifestError) -> Format:
    """The format `name`.

    Raises:
        error: it is unknown; the text names the installed plug-ins. MissingError: its plug-in cannot be imported.
    """
    return FORMATS[name] if name in FORMATS else _checked(FORMAT_TABLE, name, Format, error)


def find_family(name: str, error: type[EdgefleetError] = ManifestError) -> Family:
    """The model family `name`.

    Raises:
        error: it is unknown; the text names the installed plug-ins. MissingError: its plug-in cannot be imported.
    """
    return FAMILIES[name] if name in FAMILIES else _checked(FAMILY_TABLE, name, Family, error)


def known_formats() -> dict[str, Format]:
    """All formats by name. A plug-in that cannot be imported is left out, and logged."""
    return {**FORMATS, **dict(_installed_formats())}


def format_of(path: Path, error: type[EdgefleetError] = InputError) -> tuple[str, Format]:
    """The format of a file, by its suffix. Imports plug-ins only if the suffix is not of a built-in format.

    Raises:
        error: unknown suffix; the text lists the known ones.
    """
    for name, each in FORMATS.items():
        if path.suffix in each.suffixes:
            return name, each
    for name, each in _installed_formats():
        if path.suffix in each.suffixes:
            return name, each
    known = ", ".join(known_suffixes())
    raise error(f"{path}: unknown model format; specify a file ending in {known}; {FORMAT_TABLE.plugins()}")


def known_suffixes() -> tuple[str, ...]:
    """Suffixes of model files, those of the built-in formats first."""
    return tuple(dict.fromkeys(suffix for each in known_formats().values() for suffix in each.suffixes))


def check_formats(manifest: Manifest) -> None:
    """Check the format of every variant.

    Raises:
        ManifestError: one is unknown here.
    """
    known = FORMAT_TABLE.names()
    for variant in manifest.variants:
        if variant.format not in known and variant.format not in NO_MODEL:
            raise ManifestError(f"{manifest.id}: variant {variant.name!r}: {FORMAT_TABLE.unknown(variant.format)}")


def _installed_formats() -> tuple[tuple[str, Format], ...]:
    return _formats_of(tuple(FORMAT_TABLE.installed()))


@lru_cache(maxsize=8)
def _formats_of(names: tuple[str, ...]) -> tuple[tuple[str, Format], ...]:
    """The formats that can be imported, each tried once: those that ask do so for every file."""
    found = [(name, _format_or_none(name)) for name in names]
    return tuple((name, each) for name, each in found if each is not None)


def _format_or_none(name: str) -> Format | None:
    try:
        return find_format(name)
    except EdgefleetError as cause:
        log.warning("%s; it is not used", cause)
        return None


def _checked(table: PluginTable, name: str, kind: type[K], error: type[EdgefleetError]) -> K:
    made: Any = table.load(name, error)
    if not isinstance(made, kind):
        raise error(f"{table.kind} {name!r} of {table.installed().get(name, '')} is no {kind.__name__}; correct the plug-in")
    return made
