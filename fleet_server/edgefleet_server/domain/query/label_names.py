"""Names of labels that no device has: a name with a slip matches nothing, and is no error, since labels come with devices."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from difflib import get_close_matches
from typing import Final

from edgefleet_server.domain.query.terms import QueryField

FIELDS: Final = tuple(field.value for field in QueryField if field not in (QueryField.LABEL, QueryField.PACKAGE))


def unknown_labels(named: Collection[str], devices: Collection[Mapping[str, str]]) -> list[str]:
    """A sentence for each of the `named` labels that no device has. `devices`: the labels of each; none = nothing is known."""
    left = set(named)
    for labels in devices:
        left.difference_update(labels)
        if not left:
            return []
    if not devices:
        return []
    known = set().union(*devices)
    return [_text(name, known) for name in sorted(left)]


def _text(name: str, known: Collection[str]) -> str:
    near = get_close_matches(name, sorted({*known, *FIELDS}), n=1)
    return f"no device has the label {name!r}" + (f"; did you mean {near[0]}?" if near else "")
