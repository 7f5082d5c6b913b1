"""A pipeline from the fleet: one signed document for many devices, distributed as a package like a model.

name = "gate"

[source]
kind = "device"               # the source of this device's own pipeline of that name (`uri`: of another name)

[[stages]]
...

[[for]]                       # what is different on some of them; later sections win
devices = ["hall-3"]
source = { fps = 5.0 }
zones = [{ name = "door", polygon = [[0.1, 0.2], [0.3, 0.2], [0.3, 0.9]] }]

A section changes a table key by key, and replaces a list (stages, zones, lines, masks, rules) as a whole. With `run = false`
those devices do not run the pipeline.

Camera addresses may be in the document, passwords may not: they stay on the device (`source.credentials` names them). Models are
named by slot only, so that a device runs signed packages only.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec
from msgspec.structs import replace

from edgefleet_contract.core.errors import PipelineError
from edgefleet_contract.encoding import toml
from edgefleet_contract.encoding.names import DEVICE_PATTERN, NAME_PATTERN, Name
from edgefleet_contract.encoding.toml_lines import line_of, lines_of
from edgefleet_contract.pipeline.spec import PipelineSpec, pipeline_from_plain

PIPELINE_FILE = "pipeline.toml"
PIPELINE_TASK = "pipeline"
PIPELINE_FORMAT = "pipeline"
PIPELINE_RUNTIME = "pipelines"
"""Listed among its runtimes by an agent that accepts pipelines from the fleet."""
PIPELINE_BYTES_MAX = 256 * 1024
OWN_SOURCE = "device"
"""The source kind that stands for the source defined on the device."""

_PREFIX = "pipeline-"
_SECTIONS_MAX = 1000
_SECTION_KEYS = ("devices", "run", "source", "stages", "zones", "masks", "lines", "rules", "plane", "schedule", "evidence")
_PASSWORD = re.compile(r"://[^/@\s:]*:[^/@\s]*@|[?&;](?:pass(?:word|wd)?|pwd|token|secret)=", re.IGNORECASE)

Plain = dict[str, Any]


def pipeline_slot(name: str) -> Name:
    """The slot, and the package, of the pipeline called `name`."""
    return _PREFIX + name


def pipeline_of(slot: str) -> str | None:
    """The name of the pipeline in `slot`; None for a slot of models."""
    return slot.removeprefix(_PREFIX) if slot.startswith(_PREFIX) else None


@dataclass(frozen=True, slots=True)
class _Section:
    devices: tuple[str, ...]
    run: bool
    changes: Plain


@dataclass(frozen=True, slots=True)
class FleetPipeline:
    """A parsed document. `spec`: for devices without their own section."""

    spec: PipelineSpec
    plain: Plain
    _sections: tuple[_Section, ...] = field(default=())

    def for_device(self, device: str) -> PipelineSpec | None:
        """The pipeline of `device`; None if the device does not run it.

        Raises:
            PipelineError: the sections for it contradict each other.
        """
        plain, run, special = self.plain, True, False
        for section in self._sections:
            if device in section.devices:
                plain, run, special = _merged(plain, section.changes), section.run, True
        if not run:
            return None
        return pipeline_from_plain(plain, f"{self.spec.file} for {device}", {}) if special else self.spec

    @property
    def devices(self) -> list[str]:
        """Devices with their own section, each once."""
        return list(dict.fromkeys(device for section in self._sections for device in section.devices))


def read_fleet_pipeline(text: str, where: str) -> FleetPipeline:
    """Parse the document and check it for every device that it names.

    Raises:
        PipelineError: names file, line, and the fault.
    """
    if len(text.encode()) > PIPELINE_BYTES_MAX:
        raise PipelineError(f"{where}: over {PIPELINE_BYTES_MAX} bytes; split it into several pipelines")
    plain, lines = toml.parse(text, where, PipelineError), lines_of(text)
    given = plain.pop("for", [])
    spec = pipeline_from_plain(plain, where, lines)
    if len(pipeline_slot(spec.name)) > 64 or not re.match(NAME_PATTERN, spec.name):
        raise PipelineError(
            f"{spec.at('name')}: {spec.name!r} is too long for a pipeline of the fleet; use at most 55 characters"
        )
    _refuse_secrets(spec, spec.at("source", "uri"), spec.at("stages"))
    sections = _sections(given, where, lines)
    fleet = FleetPipeline(spec, plain, tuple(sections))
    for number, section in enumerate(sections):
        at = _location(where, lines, number)
        for device in section.devices:
            _check_device(fleet, device, at)
    return fleet


def _check_device(fleet: FleetPipeline, device: str, at: str) -> None:
    try:
        special = fleet.for_device(device)
    except PipelineError as fault:
        raise PipelineError(f"{at}: {fault}") from fault
    if special is not None:
        _refuse_secrets(special, at, at)


def with_own_source(spec: PipelineSpec, own: Mapping[str, PipelineSpec]) -> PipelineSpec:
    """The pipeline with the source that this device has for it. Masks of the device's own file still apply.

    Raises:
        PipelineError: the device has none.
    """
    if spec.source.kind != OWN_SOURCE:
        return spec
    name = spec.source.uri or spec.name
    mine = own.get(name)
    if mine is None:
        known = ", ".join(sorted(own)) or "none"
        raise PipelineError(f"pipeline {spec.name} takes the source of this device's own pipeline {name!r}; it has {known}")
    fps = spec.source.fps or mine.source.fps
    named = {mask.name for mask in spec.masks}
    masks = [
        *spec.masks,
        *(mask if mask.name not in named else replace(mask, name=f"own-{mask.name}"[:64]) for mask in mine.masks),
    ]
    return replace(spec, source=replace(mine.source, fps=fps), masks=masks)


def _sections(given: Any, where: str, lines: dict[str, int]) -> list[_Section]:
    if not isinstance(given, list) or len(given) > _SECTIONS_MAX:
        raise PipelineError(f"{where}: write at most {_SECTIONS_MAX} sections [[for]], each with its devices")
    found = []
    for number, section in enumerate(given):
        at = _location(where, lines, number)
        strange = next((key for key in section if key not in _SECTION_KEYS), None) if isinstance(section, dict) else "for"
        if strange is not None:
            raise PipelineError(f"{at}: a section [[for]] has no key {strange!r}; known are {', '.join(_SECTION_KEYS)}")
        changes = dict(section)
        devices, run = changes.pop("devices", None), changes.pop("run", True)
        try:
            names = msgspec.convert(devices, list[str])
        except msgspec.ValidationError:
            names = []
        if not names or not all(re.match(DEVICE_PATTERN, name) for name in names) or not isinstance(run, bool):
            raise PipelineError(f'{at}: a section names its devices, devices = ["hall-3"], and may say run = false')
        found.append(_Section(tuple(names), run, changes))
    return found


def _merged(base: Plain, changes: Plain) -> Plain:
    """Merges tables key by key; lists and single values are replaced."""
    result = dict(base)
    for key, value in changes.items():
        old = base.get(key)
        result[key] = _merged(old, value) if isinstance(value, dict) and isinstance(old, dict) else value
    return result


def _refuse_secrets(spec: PipelineSpec, source_at: str, stages_at: str) -> None:
    if _PASSWORD.search(spec.source.uri) or any(_PASSWORD.search(str(value)) for value in spec.source.options.values()):
        text = 'a password has no place in a document of the fleet; keep it on the device and name it: credentials = "front"'
        raise PipelineError(f"{source_at}: {text}")
    local = next((stage for stage in spec.stages if stage.model and not stage.model.startswith("slot:")), None)
    if local is not None:
        raise PipelineError(
            f'{stages_at}: stage {local.name!r} names {local.model!r}; the fleet names models by slot: "slot:NAME"'
        )


def _location(where: str, lines: dict[str, int], number: int) -> str:
    line = line_of(lines, "for", number)
    return where if line is None else f"{where}:{line}"
