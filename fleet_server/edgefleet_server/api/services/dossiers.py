"""Collects the facts of a dossier, with the bills that prove them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from edgefleet_server.api.schemas.fleet.components import DossierRequest
from edgefleet_server.api.services import component_search
from edgefleet_server.core.own_components import own_components
from edgefleet_server.db.backend.engine import Connection, raw
from edgefleet_server.db.components import bills, measures
from edgefleet_server.db.registry import packages
from edgefleet_server.domain.components.dossier import DossierFacts, archive
from edgefleet_server.domain.components.environment_bill import installed_bill
from edgefleet_server.domain.components.model_bill import model_bill
from edgefleet_server.registry.package_registry import files_of, manifest_of

BILLS_MAX: Final = 200


def make(connection: Connection, body: DossierRequest, server_version: str) -> bytes:
    """The zip file of a dossier.

    Raises:
        InputError: the version begins like a specifier and is none.
    """
    db = raw(connection)
    found = component_search.find(db, body.component, body.version, ended=True)
    devices = {span.device for span in found.spans}
    since_at = body.aware_at if body.aware_at is not None else min((span.since_at for span in found.spans), default=0.0)
    done, left_out = measures.since(db, body.component, devices, since_at) if body.stage == "72h" else ([], 0)
    evidence = sorted({(span.kind == "package", span.evidence) for span in found.spans})
    attached = _bills(connection, evidence[:BILLS_MAX])
    attached["bills/server.cdx.json"] = installed_bill("edgefleet-server", server_version, own_components(), "")
    facts = DossierFacts(
        component=body.component,
        version=body.version,
        stage=body.stage,
        aware_at=body.aware_at,
        server_version=server_version,
        on_server=[(key[0], key[2]) for key, _, on_server in found.versions if on_server],
        spans=found.spans,
        uncompared=found.uncompared,
        devices=found.coverage.devices,
        unknown=found.coverage.unknown,
        incomplete=found.coverage.incomplete,
        labels=_labels(connection, devices),
        measures=done,
        measures_left_out=left_out,
        bills_left_out=max(0, len(evidence) - BILLS_MAX),
    )
    return archive(facts, attached)


def _bills(connection: Connection, evidence: list[tuple[bool, str]]) -> dict[str, bytes]:
    """Bills by their path in the archive: of devices as they were reported, too, whose SHA-256 is their name."""
    attached: dict[str, bytes] = {}
    for is_package, digest in evidence:
        if is_package:
            if packages.known_digests(connection, [digest]):
                record = packages.by_digest(connection, digest)
                name = f"bills/packages/{record['name']}-{record['version']}.cdx.json"
                attached[name] = model_bill(manifest_of(record), files_of(record), digest)
            continue
        bill, content = bills.stored(raw(connection), digest)
        attached[f"bills/devices/{digest}.json"] = content
        entries = [entry for entry in bills.entries(bill) if entry[0] != "agent"]
        attached[f"bills/devices/{digest}.cdx.json"] = installed_bill(
            "edgefleet-agent", bill.agent, entries, digest, bill.left_out
        )
    return attached


def _labels(connection: Connection, devices: set[str]) -> Mapping[str, Mapping[str, str]]:
    """Labels of these devices."""
    found: dict[str, Any] = {}
    for device, labels in raw(connection).execute("SELECT id, labels FROM device"):
        if device in devices:
            found[device] = json.loads(labels)
    return found
