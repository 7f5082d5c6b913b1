"""Parts of OTLP's JSON bodies (https://opentelemetry.io/docs/specs/otlp/). Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Value = str | int | float | bool


def encode_value(value: object) -> dict[str, Any]:
    """An `AnyValue`; what is neither number nor truth value is text."""
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, int):
        return {"intValue": str(value)}
    return {"doubleValue": value} if isinstance(value, float) else {"stringValue": str(value)}


def encode_attributes(attributes: Mapping[str, object]) -> list[dict[str, Any]]:
    """A list of `KeyValue`."""
    return [{"key": key, "value": encode_value(value)} for key, value in attributes.items()]


def encode_resource(service: str, version: str) -> dict[str, Any]:
    """The sender, as a member of every body."""
    return {"resource": {"attributes": encode_attributes({"service.name": service, "service.version": version})}}
