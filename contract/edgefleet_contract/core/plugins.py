"""Maps names to classes or data: an explicit table first, then the entry points of installed packages.

An object is imported only when it is chosen: a broken vendor wheel has no effect on a machine that does not use it. An import
path never comes from a package, a pushed configuration or the wire; only a *name* does.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from edgefleet_contract.core.distributions import declares
from edgefleet_contract.core.errors import EdgefleetError, InputError, MissingError
from edgefleet_contract.core.fault_text import fault_text

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

PREFIX = "edgefleet."
LISTED_MAX = 16
"""Plug-ins that an error text names."""


class PluginTable:
    """Names of one kind. group: of the entry points, without `PREFIX`. kind: what one of them is called. built_in: name to
    `MODULE:ATTRIBUTE`; a plug-in cannot replace one of these."""

    def __init__(self, group: str, kind: str, built_in: Mapping[str, str]) -> None:
        self.group = f"{PREFIX}{group}"
        self.kind = kind
        self._built_in = built_in

    def names(self) -> list[str]:
        """Names available, built in and installed."""
        return sorted({*self._built_in, *self.installed()})

    def installed(self) -> dict[str, str]:
        """Names that plug-ins bring, each with its distribution and version. Imports none of them."""
        found = {point.name: _origin(point) for point in entry_points_of(self.group)}
        return {name: origin for name, origin in sorted(found.items()) if name not in self._built_in}

    def load(self, name: str, error: type[EdgefleetError] = InputError) -> Any:
        """The object registered as `name`.

        Raises:
            error: no such name; the text lists the existing ones. MissingError: a library that it needs is not installed, or the
            plug-in cannot be imported.
        """
        path = self._built_in.get(name)
        if path is None:
            found = [point for point in entry_points_of(self.group) if point.name == name]
            if not found:
                raise error(self.unknown(name))
            path = found[0].value
        module, _, attribute = path.partition("[")[0].strip().partition(":")
        try:
            return getattr(importlib.import_module(module), attribute)
        except ModuleNotFoundError as cause:
            raise MissingError(f"{self.kind} {name!r} needs the Python module {cause.name!r}; install it") from cause
        except (Exception, SystemExit) as cause:  # a broken plug-in has no effect on a machine that does not use it
            raise MissingError(f"{self.kind} {name!r} cannot be imported ({fault_text(cause)}); install it again") from cause

    def unknown(self, name: str) -> str:
        """The text of the error for a name that does not exist."""
        return f"unknown {self.kind} {name!r}; known are {', '.join(self.names()) or 'none'}; {self.plugins()}"

    def plugins(self) -> str:
        """The entry-point group and what is installed in it, for error texts."""
        plugged = list(self.installed().items())
        listed = ", ".join(f"{each} of {origin}" for each, origin in plugged[:LISTED_MAX]) or "none"
        return f"installed plug-ins ({self.group}): {listed}{', ...' if len(plugged) > LISTED_MAX else ''}"


def entry_points_of(group: str) -> tuple[EntryPoint, ...]:
    """The entry points of a group. What is installed later is found by the processes that start later."""
    return _entry_points(group, tuple(sys.path))


@lru_cache(maxsize=64)
def _entry_points(group: str, _path: tuple[str, ...]) -> tuple[EntryPoint, ...]:
    """The entry points on a search path, which are read once: those that ask do so at every turn."""
    if not declares(PREFIX):
        return ()
    # Costs 4 MB and 60 ms, which a machine without third-party plug-ins does not need.
    from importlib.metadata import entry_points

    return tuple(entry_points(group=group))


def _origin(point: EntryPoint) -> str:
    return f"{point.dist.name} {point.dist.version}" if point.dist is not None else "an unknown package"
