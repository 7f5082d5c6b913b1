"""Bills of materials in CycloneDX: of the wheels of an installation, and of the packages that the dashboard is built from."""

from __future__ import annotations

import json
import uuid
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timezone
from email.parser import HeaderParser
from pathlib import Path
from typing import Any

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import HashAlgorithm, HashType, Property
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.license import License
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools.release.archives import sha256
from tools.release.checkout import Release, ReleaseError, run
from tools.release.distributions import Installation

DEVELOPMENT = {"name": "cdx:npm:package:development", "value": "true"}
"""Property by which npm marks packages that only development needs."""

_NAME_MAX = 100
"""Longer than the name of any licence: some projects have its whole text in that field."""
_CLASSIFIER = "License :: OSI Approved :: "


@dataclass(frozen=True, slots=True)
class _Wheel:
    component: Component
    requires: tuple[Requirement, ...]


def of_installation(release: Release, installation: Installation, wheelhouse: Path) -> str:
    """The bill of the wheels of an installation: versions, licences, checksums, and what needs what."""
    wheels = {canonicalize_name(each.component.name): each for each in map(_read, sorted(wheelhouse.glob("*.whl")))}
    top = canonicalize_name(installation.distributions[-1])
    root = wheels[top].component
    root.type = ComponentType.APPLICATION
    root.properties.add(Property(name="edgefleet:architecture", value=installation.arch))
    bom = Bom(
        components=[each.component for name, each in wheels.items() if name != top],
        serial_number=uuid.uuid5(uuid.NAMESPACE_URL, f"edgefleet/{installation.name}/{_digest(wheels.values())}"),
    )
    bom.metadata.component = root
    bom.metadata.timestamp = datetime.fromtimestamp(release.epoch_s, timezone.utc)
    for name, wheel in wheels.items():
        extras = installation.extras.split(",") if name == top else []
        needed = {canonicalize_name(each.name) for each in wheel.requires if _applies(each, extras)}
        bom.register_dependency(wheel.component, [wheels[each].component for each in sorted(needed & wheels.keys())])
    return JsonV1Dot6(bom).output_as_string(indent=2) + "\n"


def _read(path: Path) -> _Wheel:
    with zipfile.ZipFile(path) as archive:
        metadata = next(name for name in archive.namelist() if name.count("/") == 1 and name.endswith(".dist-info/METADATA"))
        fields = HeaderParser().parsestr(archive.read(metadata).decode("utf-8", "replace"))
    name, version = canonicalize_name(fields["Name"]), fields["Version"]
    licence = _licence(fields["License-Expression"], fields.get_all("Classifier") or [], fields["License"])
    component = Component(
        name=name,
        version=version,
        bom_ref=f"pkg:pypi/{name}@{version}",
        purl=PackageURL("pypi", name=name, version=version),
        description=fields["Summary"],
        licenses=[licence] if licence is not None else [],
        hashes=[HashType(alg=HashAlgorithm.SHA_256, content=sha256(path))],
    )
    return _Wheel(component, tuple(Requirement(each) for each in fields.get_all("Requires-Dist") or []))


def _licence(expression: str | None, classifiers: list[str], text: str | None) -> License | None:
    if expression:
        return LicenseFactory().make_from_string(expression)
    if text and "\n" not in text and len(text) <= _NAME_MAX:
        return LicenseFactory().make_from_string(text)
    named = [each.removeprefix(_CLASSIFIER) for each in classifiers if each.startswith(_CLASSIFIER)]
    return LicenseFactory().make_with_name(" or ".join(named)) if named else None


def _applies(requirement: Requirement, extras: list[str]) -> bool:
    if requirement.marker is None:
        return True
    return any(requirement.marker.evaluate({"extra": extra}) for extra in ["", *extras])


def _digest(wheels: Iterable[_Wheel]) -> str:
    return ",".join(sorted(str(one.content) for each in wheels for one in each.component.hashes))


def _leave_out_development(bom: dict[str, Any]) -> None:
    """Remove packages that only development needs. npm's own `--omit dev` also drops those that one of them names as its peer:
    React, for example."""
    removed = {each["bom-ref"] for each in bom["components"] if DEVELOPMENT in each.get("properties", ())}
    bom["components"] = [each for each in bom["components"] if each["bom-ref"] not in removed]
    bom["dependencies"] = [
        {**each, "dependsOn": [ref for ref in each.get("dependsOn", ()) if ref not in removed]}
        for each in bom["dependencies"]
        if each["ref"] not in removed
    ]


def of_dashboard(release: Release, npm: list[str]) -> str:
    """The bill of the npm packages of the lock file. npm: Node and its npm program."""
    command = [*npm, "sbom", "--sbom-format", "cyclonedx", "--sbom-type", "application", "--package-lock-only"]
    folder = release.source / "fleet_server" / "dashboard"
    try:
        bom = json.loads(run(command, release, folder))
    except ValueError:
        raise ReleaseError(f"{npm[-1]} is too old for `npm sbom`: install Node.js 22.12 or newer") from None
    _leave_out_development(bom)
    lock = sha256(folder / "package-lock.json")
    bom["serialNumber"] = uuid.uuid5(uuid.NAMESPACE_URL, f"edgefleet/dashboard/{lock}").urn
    bom["metadata"]["timestamp"] = datetime.fromtimestamp(release.epoch_s, timezone.utc).isoformat()
    component = bom["metadata"]["component"]
    unreleased, component["version"] = component["bom-ref"], release.version
    text = json.dumps(bom, indent=2, sort_keys=True) + "\n"
    return text.replace(unreleased, f"{unreleased.partition('@')[0]}@{release.version}")  # package.json has a version of its own
