"""The plan of a template, for requests of rollouts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any


def plan_of(templates: Iterable[Mapping[str, Any]], name: str) -> dict[str, Any]:
    """The waves, gate, policy and terms of the named one, as the server lists them."""
    (template,) = [each for each in templates if each["name"] == name]
    return {field: template[field] for field in ("waves", "gate", "policy", "terms")}
