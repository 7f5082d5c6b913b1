"""Options of sources and stages, as the code knows them."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

from edgefleet_agent.core import plugins
from edgefleet_agent.sources.rotation import AUTO
from edgefleet_contract.pipeline import nodes, sensor_options
from edgefleet_contract.pipeline.spec import SourceSpec
from tools.reference.option_texts import SOURCE_OPTIONS, STAGE_OPTIONS, STAGES

FREE: Mapping[str, Mapping[str, Any]] = {
    "ensemble": {"method": "wbf", "weights": []},
    "track": {"low_score": None, "any_label": False, "appearance": ""},
}
"""Options without a range, with their default; None: it depends on another key."""


@dataclass(frozen=True, slots=True)
class Option:
    """An option. low, high: range of a number; None: no range."""

    text: str
    default: Any
    low: float | None = None
    high: float | None = None

    def schema(self) -> dict[str, Any]:
        """The option as JSON Schema."""
        schema: dict[str, Any] = {"description": self.text}
        if self.default is not None:
            schema["default"] = self.default
        types = {bool: "boolean", int: "integer", float: "number", list: "array", type(None): "number"}
        schema["type"] = ["string", "integer"] if self.default == AUTO else types.get(type(self.default), "string")
        if self.low is not None:
            schema |= {"minimum": self.low, "maximum": self.high}
        return schema


class _OptionsRead(Exception):  # noqa: N818 (no fault: it carries what was found)
    def __init__(self, known: Mapping[str, Any], ranges: Mapping[str, tuple[float, float]]) -> None:
        super().__init__()
        self.known, self.ranges = known, ranges


def source_options() -> dict[str, dict[str, Option]]:
    """Kind of source or sensor to its options: what its class passes to `read_options`, which it calls first."""
    found = {}
    for kind, path in {**plugins.TABLES["sources"], **plugins.TABLES["sensors"]}.items():
        module, _, name = path.partition(":")
        found[kind] = _options_of(kind, importlib.import_module(module), name)
    return found


def _options_of(kind: str, module: Any, name: str) -> dict[str, Option]:
    def record(_spec: SourceSpec, known: Mapping[str, Any], ranges: Mapping[str, tuple[float, float]]) -> Any:
        raise _OptionsRead(known, ranges)

    with patch.object(module, "read_options", record):
        try:
            getattr(module, name)(SourceSpec(kind=kind, uri="/dev/null"))
        except _OptionsRead as read:
            return {key: Option(SOURCE_OPTIONS[key], value, *read.ranges.get(key, ())) for key, value in read.known.items()}
    raise AssertionError(f"source {kind}: does not read its options")


def stage_options() -> dict[str, dict[str, Option]]:
    """Kind of stage to its options."""
    found: dict[str, dict[str, Option]] = {kind: {} for kind in STAGES}
    for kind, ranges in nodes.RANGES.items():
        found[kind] |= {
            key: Option(STAGE_OPTIONS[f"{kind}.{key}"], usual, low, high) for key, (low, high, usual) in ranges.items()
        }
    for table in (FREE, sensor_options.OPTIONS):
        for kind, options in table.items():
            found[kind] |= {key: Option(STAGE_OPTIONS[f"{kind}.{key}"], value) for key, value in options.items()}
    return found
