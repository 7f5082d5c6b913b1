"""Pipelines from the fleet server: packages in the slots `pipeline-NAME`, one file each, which replace the device's own.

As for models, the package on trial or committed in a slot runs. If the slot is empty, the device's own pipeline of that name
runs. A document never changes, so it is read once and cached.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from pathlib import Path

from edgefleet_contract.core.atomic_files import read_if_there
from edgefleet_contract.core.errors import PipelineError
from edgefleet_contract.pipeline.fleet_pipeline import (
    PIPELINE_BYTES_MAX,
    PIPELINE_FILE,
    FleetPipeline,
    pipeline_of,
    read_fleet_pipeline,
    with_own_source,
)
from edgefleet_contract.pipeline.spec import PipelineSpec

CACHED_MAX = 64

log = logging.getLogger(__name__)

Specs = dict[str, PipelineSpec]


class FleetPipelines:
    """The fleet's pipelines of one device. `folder`: the folder with the files of a package."""

    def __init__(self, device: str) -> None:
        self._device = device
        self._documents: dict[str, FleetPipeline] = {}
        self._texts: dict[str, str] = {}
        self._made_of: tuple[Specs, tuple[tuple[str, str], ...]] = ({}, ())
        self._made: tuple[Specs, dict[str, str]] = ({}, {})

    def over(self, own: Specs, active: Iterable[tuple[str, str, Path]]) -> tuple[Specs, dict[str, str]]:
        """Pipelines to run and errors by name: `own`, overridden by the documents of (slot, digest, folder)."""
        now = [(slot, digest, folder) for slot, digest, folder in active if pipeline_of(slot) is not None]
        names = tuple((slot, digest) for slot, digest, _ in now)
        if self._made_of[0] is not own or self._made_of[1] != names:
            self._made_of, self._made = (own, names), self._resolve(own, now)
        return self._made

    def text(self, digest: str) -> str:
        """The document of a package; "" if it was not read."""
        return self._texts.get(digest, "")

    def forget(self, digest: str) -> None:
        """Drop the cached document of a damaged package."""
        self._documents.pop(digest, None)
        self._texts.pop(digest, None)

    def objection(self, slot: str, digest: str, folder: Path, own: Specs) -> str:
        """Returns the reason for which the package cannot be the pipeline of `slot` on this device; "" if it can."""
        try:
            self._spec(slot, digest, folder, own)
        except PipelineError as error:
            return str(error)
        return ""

    def slots(self, slot: str, digest: str, folder: Path, own: Specs) -> list[str]:
        """The model slots that the pipeline needs; empty if it cannot run."""
        try:
            spec = self._spec(slot, digest, folder, own)
        except PipelineError:
            return []
        return spec.slots() if spec is not None else []

    def _resolve(self, own: Specs, active: list[tuple[str, str, Path]]) -> tuple[Specs, dict[str, str]]:
        specs, errors = dict(own), {}
        for slot, digest, folder in active:
            name = pipeline_of(slot) or ""
            try:
                spec = self._spec(slot, digest, folder, own)
            except PipelineError as error:
                log.error("%s", error)
                errors[name] = str(error)
                continue
            if spec is None:
                specs.pop(name, None)
            else:
                specs[name] = spec
        return specs, errors

    def _spec(self, slot: str, digest: str, folder: Path, own: Mapping[str, PipelineSpec]) -> PipelineSpec | None:
        document = self._document(slot, digest, folder)
        if document.spec.name != pipeline_of(slot):
            raise PipelineError(f"the package in slot {slot} contains pipeline {document.spec.name!r}; name the slot after it")
        spec = document.for_device(self._device)
        return with_own_source(spec, own) if spec is not None else None

    def _document(self, slot: str, digest: str, folder: Path) -> FleetPipeline:
        known = self._documents.get(digest)
        if known is None:
            data = read_if_there(folder / PIPELINE_FILE, PIPELINE_BYTES_MAX)
            if data is None:
                raise PipelineError(f"package {digest[:12]} contains no {PIPELINE_FILE}; not a pipeline package")
            try:
                text = data.decode()
            except UnicodeDecodeError as error:
                raise PipelineError(f"{PIPELINE_FILE} of package {digest[:12]} is not UTF-8 text") from error
            known = self._documents[digest] = read_fleet_pipeline(text, f"{slot}/{PIPELINE_FILE}")
            self._texts[digest] = text
            while len(self._documents) > CACHED_MAX:
                oldest = next(iter(self._documents))
                del self._documents[oldest], self._texts[oldest]
        return known
