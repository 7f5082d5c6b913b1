"""Parses options of sources: known names, types and ranges."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from edgefleet_contract.core.errors import PipelineError
from edgefleet_contract.pipeline.spec import SourceSpec

Value = bool | int | float | str


class SourceOptionError(PipelineError):
    """A wrong option of a source. `option`: its name."""

    def __init__(self, text: str, option: str) -> None:
        super().__init__(text)
        self.option = option


def read_options(spec: SourceSpec, known: Mapping[str, Value], ranges: Mapping[str, tuple[float, float]]) -> dict[str, Any]:
    """Every option of `known` (name to default), with the values of `spec.options`. Numbers must lie within their `ranges`.

    Raises:
        PipelineError: an unknown option, or an invalid value; the text names valid ones.
    """
    chosen: dict[str, Any] = dict(known)
    for name, given in spec.options.items():
        where = f"source of kind {spec.kind!r}: option {name!r}"
        if name not in known:
            raise SourceOptionError(f"{where} is unknown; known are {', '.join(sorted(known)) or 'none'}", name)
        default = known[name]
        whole = isinstance(given, int) and not isinstance(given, bool)
        value = float(given) if whole and isinstance(default, float) else str(given) if whole and name == "rotate" else given
        if type(value) is not type(default):
            raise SourceOptionError(f"{where} is {value!r}; use a value like {default!r}", name)
        low, high = ranges.get(name, (-1e9, 1e9))
        if not isinstance(value, (bool, str)) and not low <= value <= high:
            raise SourceOptionError(f"{where} is {value:g}; must be between {low:g} and {high:g}", name)
        chosen[name] = value
    return chosen


def gate_option(spec: SourceSpec, gate: str, known: tuple[str, ...]) -> str:
    """Check the option `gate`.

    Raises:
        PipelineError: an unknown value.
    """
    if gate not in ("", *known):
        words = " or ".join(repr(word) for word in known)
        raise SourceOptionError(f"source of kind {spec.kind!r}: gate {gate!r}: must be {words}, or omitted", "gate")
    return gate
