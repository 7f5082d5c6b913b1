"""Selection of the pipelines that a device runs: those of fleet packages, over those of the desired document or of its
own folder."""

from __future__ import annotations

import logging
from collections.abc import Container, Iterator, Mapping
from pathlib import Path

from edgefleet_agent.model_store.package_store import PackageStore
from edgefleet_agent.model_store.slot_store import SlotStore
from edgefleet_agent.settings import Pipelines
from edgefleet_agent.updates.fleet_pipelines import FleetPipelines
from edgefleet_contract.core.atomic_files import read_if_there
from edgefleet_contract.core.errors import PipelineError
from edgefleet_contract.pipeline.fleet_pipeline import PIPELINE_BYTES_MAX, pipeline_of
from edgefleet_contract.pipeline.spec import PipelineSpec, read_pipeline

log = logging.getLogger(__name__)


class PipelineSelection:
    """The pipelines of one device. own: those of its folder. signed_only: signatures decide what runs here, so that a document
    without one may not bring pipelines."""

    def __init__(self, device: str, packages: PackageStore, slots: SlotStore, own: Pipelines, *, signed_only: bool) -> None:
        self._packages = packages
        self._slots = slots
        self._fleet = FleetPipelines(device)
        self._own = own
        self._signed_only = signed_only
        self._pushed_texts: Mapping[str, str] | None = None
        self._pushed: dict[str, PipelineSpec] | None = None
        self._errors: dict[str, str] = dict(own.errors)

    def set_own(self, own: Pipelines) -> None:
        """Replace the pipelines of the device's own folder."""
        self._own = own
        self.set_pushed(self._pushed_texts)

    def set_pushed(self, texts: Mapping[str, str] | None) -> None:
        """Read the pipelines of the desired document (None: it has none); an invalid one is left out and reported."""
        self._pushed_texts, self._pushed, self._errors = texts, None, dict(self._own.errors)
        if texts is None:
            return
        if self._signed_only:
            text = "unsigned pipelines from the server ignored; send them as packages (`edgefleet pipeline set`)"
            self._errors |= dict.fromkeys(texts, text)
            return
        self._pushed, self._errors = {}, {}
        for name, text in texts.items():
            self._read_pushed(self._pushed, name, text)

    def specs(self) -> dict[str, PipelineSpec]:
        """The pipelines to run, by name."""
        return self._resolved()[0]

    def runnable(self, loaded: Container[str]) -> list[PipelineSpec]:
        """Those whose every slot is `loaded`."""
        return [spec for spec in self.specs().values() if all(slot in loaded for slot in spec.slots())]

    def errors(self) -> dict[str, str]:
        """Errors of pipelines that cannot run, by name."""
        return {**self._errors, **self._resolved()[1]}

    def fleet_error(self, name: str) -> str:
        """The reason why the active fleet pipeline of this name cannot run; "" where it can, or there is none."""
        return self._resolved()[1].get(name, "")

    def objection(self, slot: str, digest: str) -> str:
        """The reason why the package cannot be the pipeline of `slot` on this device; "" where it can."""
        return self._fleet.objection(slot, digest, self._packages.folder(digest), self._own.specs)

    def needed_slots(self, slot: str, digest: str) -> list[str]:
        """The slots of models that the package needs as pipeline of `slot`; none where it cannot run."""
        return self._fleet.slots(slot, digest, self._packages.folder(digest), self._own.specs)

    def forget(self, digest: str) -> None:
        """Drop the cached document of a damaged package."""
        self._fleet.forget(digest)

    def documents(self) -> Iterator[tuple[str, str, str]]:
        """(name, text, version of the package or "") of each pipeline: those of the fleet, then the own ones beside or under
        them."""
        for slot in self._slots.names():
            name, active = pipeline_of(slot), self._slots.read(slot).active
            text = self._fleet.text(active) if active is not None else ""
            if name is not None and active is not None and text:
                yield name, text, self._packages.describe(active).version
        for name, spec in self._own.specs.items():
            data = read_if_there(Path(spec.file), PIPELINE_BYTES_MAX)
            yield name, (data or b"").decode(errors="replace"), ""

    def _read_pushed(self, into: dict[str, PipelineSpec], name: str, text: str) -> None:
        try:
            into[name] = read_pipeline(text, f"pipeline {name} of the server")
        except PipelineError as error:
            self._errors[name] = str(error)
            log.error("%s", error)

    def _resolved(self) -> tuple[dict[str, PipelineSpec], dict[str, str]]:
        digests = [(slot, self._slots.read(slot).active) for slot in self._slots.names()]
        active = [(slot, digest, self._packages.folder(digest)) for slot, digest in digests if digest is not None]
        return self._fleet.over(self._own.specs if self._pushed is None else self._pushed, active)
