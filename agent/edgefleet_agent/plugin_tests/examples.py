"""Examples of plug-ins, which their authors provide for these tests by entry points in the group `edgefleet.examples`.

    [project.entry-points."edgefleet.examples"]
    "heads.NAME" = "MODULE:example"

`example(folder)` gets an empty folder and returns, for a head, a `HeadExample`; for a source or sensor, a `SourceSpec` that gives
frames or readings at once; for a sink, the options of one that takes events. A backend has `Backend.trial_model` instead.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from edgefleet_agent.core import plugins
from edgefleet_agent.vision.heads.base import Array, HeadContext
from edgefleet_contract.core.errors import InputError
from edgefleet_contract.core.plugins import PluginTable

EXAMPLES = PluginTable("examples", "example", {})
PACE_S_MAX = 10.0
"""How long a first frame, reading or event may take."""


@dataclass(frozen=True, slots=True)
class HeadExample:
    """Arguments of a head, and outputs of a model for one picture."""

    context: HeadContext
    outputs: Mapping[str, Array]


def installed(table: str) -> list[Any]:
    """The names of the installed plug-ins of a table; if there are none, one that is skipped."""
    return _or_skipped(list(plugins.installed(table)), f"edgefleet.{table}")


def names_in(table: PluginTable) -> list[Any]:
    """The same for a table of formats or families."""
    return _or_skipped(list(table.installed()), table.group)


def _or_skipped(names: list[str], group: str) -> list[Any]:
    return [*names] or [pytest.param("", marks=pytest.mark.skip(f"no plug-in in {group}"))]


def example(table: str, name: str, folder: Path) -> Any:
    """The example of a plug-in; skips the test if there is none."""
    known = f"{table}.{name}"
    if known not in EXAMPLES.names():
        pytest.skip(f"no example; add an entry point {known!r} to the group edgefleet.examples")
    return EXAMPLES.load(known, InputError)(folder)
