"""Pipelines in the registry: a document becomes a package of two files, which is signed and rolled out like any other."""

from __future__ import annotations

import io
import json
import re
import tarfile
from dataclasses import dataclass
from typing import Any, Final

from edgefleet_contract.capabilities import required_by_pipeline
from edgefleet_contract.core.errors import PipelineError
from edgefleet_contract.encoding import toml
from edgefleet_contract.encoding.toml_lines import lines_of
from edgefleet_contract.package.manifest import MANIFEST_FILE, Manifest
from edgefleet_contract.pipeline.fleet_pipeline import (
    PIPELINE_FILE,
    PIPELINE_FORMAT,
    PIPELINE_RUNTIME,
    PIPELINE_TASK,
    FleetPipeline,
    pipeline_of,
    pipeline_slot,
    read_fleet_pipeline,
)
from edgefleet_contract.pipeline.validate import check_fleet_work
from edgefleet_server.core.errors import ManifestError
from edgefleet_server.registry.blob_store import BlobStore

FIRST_VERSION: Final = "1.0.0"
_WHERE: Final = "pipeline"
_FAULT = re.compile(rf"{_WHERE}(?::(\d+))?: (.*)", re.DOTALL)
_SYNTAX = re.compile(r"line (\d+), column \d+")
_AT_END = "(at end of document)"

_MANIFEST: Final = """\
name = {package}
version = {version}
task = "{task}"
title = {title}
description = {note}

[head]
family = "{task}"

[[variants]]
name = "all"
format = "{format}"
files = ["{file}"]
runtimes = ["{runtime}"]
"""


@dataclass(frozen=True, slots=True)
class Problem:
    """Error in a document: its line, from 1, and the path of keys and indices to the value."""

    text: str
    line: int | None = None
    path: tuple[str | int, ...] = ()


@dataclass(frozen=True, slots=True)
class Checked:
    """A checked document. `document`: None if it cannot be parsed; a parsed one may still have a `problem`. `plain`: the TOML
    as data, None if the text is not TOML."""

    document: FleetPipeline | None
    plain: dict[str, Any] | None
    problem: Problem | None


def check(text: str) -> Checked:
    """Parse a document, and validate its stages and their options, with the code of the contract that devices use as well."""
    plain: dict[str, Any] | None = None
    document: FleetPipeline | None = None
    try:
        plain = toml.parse(text, _WHERE, PipelineError)
        document = read_fleet_pipeline(text, _WHERE)
        check_fleet_work(document)
        return Checked(document, plain, None)
    except PipelineError as error:
        return Checked(document, plain, _problem(text, str(error), parsed=plain is not None))


def package_of(document: FleetPipeline, text: str, version: str, note: str) -> io.BytesIO:
    """The document as a package archive (tar) for the registry."""
    name = document.spec.name
    manifest = _MANIFEST.format(
        package=json.dumps(pipeline_slot(name)),
        version=json.dumps(version),
        task=PIPELINE_TASK,
        title=json.dumps(name),
        note=json.dumps(note, ensure_ascii=False).replace("\x7f", "\\u007f"),
        format=PIPELINE_FORMAT,
        file=PIPELINE_FILE,
        runtime=PIPELINE_RUNTIME,
    )
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for path, content in ((MANIFEST_FILE, manifest.encode()), (PIPELINE_FILE, text.encode())):
            member = tarfile.TarInfo(path)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    buffer.seek(0)
    return buffer


def check_package(manifest: Manifest, text: str) -> list[str]:
    """Check a package of the task `pipeline`; returns the capabilities that it requires.

    Raises:
        ManifestError: the document is not valid, or does not match the package.
    """
    try:
        document = read_fleet_pipeline(text, PIPELINE_FILE)
    except PipelineError as error:
        raise ManifestError(f"{manifest.id}: {error}") from error
    name = document.spec.name
    if manifest.name != pipeline_slot(name):
        raise ManifestError(f"{manifest.id} contains pipeline {name!r}; name the package {pipeline_slot(name)}")
    return sorted({*manifest.requires, *required_by_pipeline(document)})


def is_pipeline(record: dict[str, Any]) -> bool:
    """Whether a row of the registry is a pipeline."""
    return bool(record["manifest"].get("task") == PIPELINE_TASK)


def slot_fault(record: dict[str, Any], slot: str) -> str:
    """The reason why a package does not belong into a slot; "" if it does."""
    name = record["name"]
    if is_pipeline(record):
        return "" if slot == name else f"{name} is a pipeline; specify --slot {name}"
    return f"slot {slot} is that of pipeline {pipeline_of(slot)!r}; {name} is a model" if pipeline_of(slot) else ""


def text_of(record: dict[str, Any], blobs: BlobStore) -> str:
    """The document of a row of the registry.

    Raises:
        OSError: its blob is missing.
    """
    digest = next(file["sha256"] for file in record["files"] if file["path"] == PIPELINE_FILE)
    return blobs.path(digest).read_text(encoding="utf-8")


def following(version: str) -> str:
    """The next version after this one."""
    major, minor, patch = version.partition("-")[0].split(".")
    return f"{major}.{minor}.{int(patch) + 1}"


def _problem(text: str, detail: str, *, parsed: bool) -> Problem:
    found = _FAULT.fullmatch(detail)
    if found is None:
        return Problem(detail)
    line, words = (int(found[1]) if found[1] else None), found[2]
    if not parsed and line is None:
        place = _SYNTAX.search(words)
        if place is None and words.endswith(_AT_END):
            return Problem(words, text.count("\n") + 1)
        return Problem(words, int(place[1]) if place else None)
    paths = [path for path, at in lines_of(text).items() if at == line]
    path = max(paths, key=lambda each: each.count("."), default="")
    return Problem(words, line, tuple(int(part) if part.isdigit() else part for part in path.split(".") if part))
