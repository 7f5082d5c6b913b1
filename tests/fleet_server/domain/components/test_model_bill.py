"""The bill of a package, checked by the validators of CycloneDX's own library."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from edgefleet_contract.package.manifest import describe, digest_of, pack_descriptor, read_manifest
from edgefleet_server.__main__ import main
from edgefleet_server.domain.components.model_bill import model_bill
from tests.fleet_server.fakes.packages import files

ROOT = Path(__file__).parents[4]
PACKAGES = sorted(path.parent for path in (ROOT / "firmware_models").glob("*/*/model.toml"))
DATA = "1" * 64


def fault(data: bytes) -> str:
    found = JsonStrictValidator(SchemaVersion.V1_6).validate_str(data.decode())
    return "" if found is None else str(found)[:500]


@pytest.mark.parametrize("folder", PACKAGES, ids=lambda folder: f"{folder.parent.name}@{folder.name}")
def test_the_bill_of_each_package_of_the_project_is_valid(folder: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["model", "sbom", str(folder)]) == 0
    first = capfdbinary.readouterr().out
    assert fault(first) == ""
    assert main(["model", "sbom", str(folder)]) == 0
    assert capfdbinary.readouterr().out == first
    for file in json.loads(first)["components"]:
        assert file["hashes"] == [{"alg": "SHA-256", "content": hashlib.sha256((folder / file["name"]).read_bytes()).hexdigest()}]


def bill(more: str = "", licence: str = "Apache-2.0") -> dict[str, object]:
    contents = files()
    text = contents["model.toml"].decode().replace("Apache-2.0", licence) + more
    manifest = read_manifest(text, "model.toml")
    entries = [describe(path, contents[path]) for path in manifest.paths()]
    data = model_bill(manifest, entries[::-1], digest_of(pack_descriptor(manifest, entries)))
    assert data == model_bill(manifest, entries, digest_of(pack_descriptor(manifest, entries)))
    assert fault(data) == ""
    return dict(json.loads(data))


def test_it_names_version_licence_variants_and_data_sets() -> None:
    found = bill(f'\n[provenance]\ndataset = {{ sha256 = "sha256:{DATA}" }}\nscript = "train.py"\n')
    component = found["metadata"]["component"]  # type: ignore[index]
    assert (component["type"], component["name"], component["version"]) == ("machine-learning-model", "spotter", "1.0.0")
    assert component["licenses"] == [{"license": {"id": "Apache-2.0"}}]
    properties = {each["name"]: each["value"] for each in component["properties"]}
    assert properties["edgefleet:variant:cpu-int8:precision"] == "int8"
    assert properties["edgefleet:variant:cpu-int8:runtimes"] == "lite_rt"
    (dataset,) = component["modelCard"]["modelParameters"]["datasets"]
    assert dataset["contents"]["properties"] == [{"name": "edgefleet:sha256", "value": DATA}]


def test_a_licence_without_an_identifier_is_named_and_none_is_left_out() -> None:
    assert bill(licence="Our own, see LICENCE")["metadata"]["component"]["licenses"] == [  # type: ignore[index]
        {"license": {"name": "Our own, see LICENCE"}}
    ]
    assert "licenses" not in bill(licence="")["metadata"]["component"]  # type: ignore[index]
