"""Bills of installed components in CycloneDX 1.6: of a device's environment, and of the server."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable
from typing import Any, Final

TYPES: Final = {"agent": "application", "system": "operating-system", "kernel": "operating-system", "runtime": "platform"}
"""The CycloneDX type by kind; all others are libraries."""


def installed_bill(name: str, version: str, entries: Iterable[tuple[str, str, str]], digest: str, left_out: int = 0) -> bytes:
    """The bill as JSON, which depends on the arguments alone. name, version: of the program beside which the entries
    (kind, name, version) are installed; digest: what names them; left_out: entries that are not known."""
    properties = [{"name": "edgefleet:digest", "value": digest}] if digest else []
    if left_out:
        properties.append({"name": "edgefleet:left-out", "value": str(left_out)})
    component: dict[str, Any] = {"type": "application", "bom-ref": "root", "name": name, "version": version}
    if properties:
        component["properties"] = properties
    ordered = sorted(set(entries))
    identity = digest or json.dumps(ordered)
    document = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": uuid.uuid5(uuid.NAMESPACE_URL, f"edgefleet/installed/{identity}").urn,
        "version": 1,
        "metadata": {"component": component},
        "components": [_component(*entry) for entry in ordered],
    }
    return (json.dumps(document, indent=2, ensure_ascii=False) + "\n").encode()


def _component(kind: str, name: str, version: str) -> dict[str, Any]:
    found = {"type": TYPES.get(kind, "library"), "bom-ref": f"{kind}:{name}@{version}", "name": name, "version": version}
    return {**found, "purl": f"pkg:pypi/{name}@{version.replace('+', '%2B')}"} if kind in ("library", "agent") else found
