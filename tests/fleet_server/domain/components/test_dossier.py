"""The dossier: the same facts give the same bytes, unknown things are named, and nothing is read as markup."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from typing import Any

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from edgefleet_server.core.own_components import own_components
from edgefleet_server.domain.components.dossier import TO_FILL, DossierFacts, Measure, Stage, archive
from edgefleet_server.domain.components.environment_bill import installed_bill
from edgefleet_server.domain.components.spans import ComponentSpan

SPANS = (
    ComponentSpan("press-01", "library", "openssl", "3.0.6", 100.0, None, True, "a" * 64),
    ComponentSpan("press-02", "library", "openssl", "3.0.6", 90.0, 120.0, False, "a" * 64),
    ComponentSpan("press-03", "package", "openssl", "1.0.0", 80.0, None, True, "b" * 64, "detector"),
)


def facts(stage: Stage, **changed: Any) -> DossierFacts:
    measures = [Measure(130.0, "audit", 7, "withdraw_version openssl/1.0.0 | <b>", True)]
    given: dict[str, Any] = {
        "component": "openssl", "version": "<3.0.7", "stage": stage, "aware_at": None, "server_version": "0.3.0",
        "on_server": [("library", "3.0.6")], "spans": SPANS, "uncompared": ["3.0-odd"], "devices": 5, "unknown": 2,
        "incomplete": 0, "labels": {"press-01": {"site": "lyon", "country": "FR", "room": "b"}}, "measures": measures,
        "measures_left_out": 0, "bills_left_out": 0,
    }  # fmt: skip
    return DossierFacts(**{**given, **changed})


def opened(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archived:
        return {name: archived.read(name) for name in archived.namelist()}


@pytest.mark.parametrize("stage", ["24h", "72h"])
def test_the_same_facts_give_the_same_bytes_with_their_sums(stage: Stage) -> None:
    data = archive(facts(stage), {"bills/b.json": b"2", "bills/a.json": b"1"})
    assert data == archive(facts(stage), {"bills/a.json": b"1", "bills/b.json": b"2"})
    files = opened(data)
    for line in files.pop("SHA256SUMS").decode().splitlines():
        digest, path = line.split("  ")
        assert hashlib.sha256(files.pop(path)).hexdigest() == digest
    assert files == {}


def test_facts_and_fields_for_people() -> None:
    early = json.loads(opened(archive(facts("24h"), {}))["dossier.json"])
    affected = early["affected"]
    assert (affected["devices_now"], affected["devices_earlier_only"]) == (2, 1)
    assert (affected["devices_where_it_runs"], affected["devices_where_it_is_installed"]) == (1, 1)
    assert affected["by_country"] == {"": 1, "FR": 1}
    assert affected["first_seen_at"] == 80.0
    assert early["newest_fact_at"] == 130.0
    assert early["unknown"]["devices_without_a_bill"] == 2
    assert early["unknown"]["versions_that_cannot_be_compared"] == ["3.0-odd"]
    assert "room" not in json.dumps(early["devices"])
    assert "measures" not in early, "the early warning does not ask for them"
    assert [each["field"] for each in early["to_fill_by_people"]] == [name for name, _ in TO_FILL["24h"]]
    full = json.loads(opened(archive(facts("72h", aware_at=125.0), {}))["dossier.json"])
    assert full["aware_at"] == 125.0
    assert full["measures"][0]["number"] == 7
    fields = [each["field"] for each in full["to_fill_by_people"]]
    assert "aware_at" not in fields
    assert {"member_states", "vulnerability", "measures_of_users", "sensitivity"} <= set(fields)


def test_its_text_is_no_markup_of_others() -> None:
    text = opened(archive(facts("72h"), {}))["dossier.md"].decode()
    assert r"openssl/1.0.0 \| \<b\>" in text
    assert "- [ ] vulnerability:" in text


def test_a_component_that_no_device_has() -> None:
    found = json.loads(opened(archive(facts("24h", spans=(), on_server=(), measures=[]), {}))["dossier.json"])
    assert found["affected"]["devices_now"] == 0
    assert found["newest_fact_at"] is None


def test_bills_of_installed_components_are_valid() -> None:
    entries = [("library", "torch", "2.1.0+cpu"), ("system", "debian", "12"), ("kernel", "linux", "6.1.0-18-amd64")]
    for data in (
        installed_bill("edgefleet-agent", "0.3.0", entries, "a" * 64, 3),
        installed_bill("edgefleet-server", "0.3.0", own_components(), ""),
    ):
        assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(data.decode()) is None
