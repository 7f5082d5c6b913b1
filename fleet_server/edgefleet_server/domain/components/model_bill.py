"""The bill of materials of a package, in CycloneDX 1.6. It depends on the package alone: the same package has the same bytes.

The JSON is written here: the library that the releases use for theirs brings four others, which a server does not need for it.
"""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Iterator, Sequence
from typing import Any, Final

from edgefleet_contract.package.manifest import FileEntry, Manifest

SPDX: Final = frozenset(
    {
        "AGPL-3.0-only", "AGPL-3.0-or-later", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC-BY-4.0", "CC-BY-NC-4.0",
        "CC-BY-SA-4.0", "CC0-1.0", "GPL-2.0-only", "GPL-2.0-or-later", "GPL-3.0-only", "GPL-3.0-or-later", "ISC", "LGPL-2.1-only",
        "LGPL-2.1-or-later", "LGPL-3.0-only", "LGPL-3.0-or-later", "MIT", "MPL-2.0", "Unlicense", "Zlib",
    }
)  # fmt: skip
"""Licences that are named by their identifier; the text of any other one is its name."""
KINDS: Final = {"agent": "application", "pipeline": "data"}
"""The CycloneDX type of packages by task; all others are models."""
_SHA256: Final = re.compile(r"(?:sha256:)?([0-9a-f]{64})")


def model_bill(manifest: Manifest, files: Sequence[FileEntry], digest: str) -> bytes:
    """The bill as JSON. files: those of the package with their SHA-256; digest: of the package."""
    reference = f"package:{manifest.id}"
    component: dict[str, Any] = {
        "type": KINDS.get(manifest.task, "machine-learning-model"),
        "bom-ref": reference,
        "name": manifest.name,
        "version": manifest.version,
        **({"description": manifest.description or manifest.title} if manifest.description or manifest.title else {}),
        **({"licenses": [{"license": _licence(manifest.licence)}]} if manifest.licence else {}),
        "properties": list(_properties(manifest, digest)),
    }
    if manifest.task not in KINDS:
        component["modelCard"] = {"modelParameters": _parameters(manifest)}
    ordered = sorted(files, key=lambda entry: entry.path)
    document = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": uuid.uuid5(uuid.NAMESPACE_URL, f"edgefleet/package/{digest}").urn,
        "version": 1,
        "metadata": {"component": component},
        "components": [_file(manifest, entry) for entry in ordered],
        "dependencies": [{"ref": reference, "dependsOn": [f"file:{entry.path}" for entry in ordered]}],
    }
    return (json.dumps(document, indent=2, ensure_ascii=False) + "\n").encode()


def _licence(text: str) -> dict[str, str]:
    return {"id": text} if text in SPDX else {"name": text}


def _property(name: str, value: object) -> dict[str, str]:
    return {"name": f"edgefleet:{name}", "value": str(value)}


def _properties(manifest: Manifest, digest: str) -> Iterator[dict[str, str]]:
    yield _property("digest", digest)
    yield _property("task", manifest.task)
    yield _property("epoch", manifest.epoch)
    for variant in manifest.variants:
        start = f"variant:{variant.name}"
        yield _property(f"{start}:format", variant.format)
        if variant.precision:
            yield _property(f"{start}:precision", variant.precision)
        yield _property(f"{start}:runtimes", ", ".join(variant.runtimes))
        if variant.profiles:
            yield _property(f"{start}:profiles", ", ".join(variant.profiles))
    for path, sha256 in _digests(manifest):
        yield _property(path, sha256)


def _parameters(manifest: Manifest) -> dict[str, Any]:
    datasets = [
        {
            "type": "dataset",
            "name": path,
            "contents": {"properties": [_property("sha256", sha256)]},
        }
        for path, sha256 in _digests(manifest)
        if "data" in path
    ]
    return {
        "task": manifest.task,
        "architectureFamily": manifest.head.family,
        **({"datasets": datasets} if datasets else {}),
    }


def _digests(manifest: Manifest) -> list[tuple[str, str]]:
    """Each SHA-256 in the provenance and the model card, with the path of its key."""
    found = [*_walk("provenance", manifest.provenance), *_walk("card", manifest.card)]
    return sorted(found)


def _walk(path: str, value: object) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _walk(f"{path}:{key}", item)
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from _walk(f"{path}:{number}", item)
    elif isinstance(value, str) and (match := _SHA256.fullmatch(value)):
        yield path, match[1]


def _file(manifest: Manifest, entry: FileEntry) -> dict[str, Any]:
    variants = [variant.name for variant in manifest.variants if entry.path in variant.files]
    properties = [_property("bytes", entry.length)]
    if variants:
        properties.append(_property("variants", ", ".join(variants)))
    return {
        "type": "file",
        "bom-ref": f"file:{entry.path}",
        "name": entry.path,
        "hashes": [{"alg": "SHA-256", "content": entry.sha256}],
        "properties": properties,
    }
