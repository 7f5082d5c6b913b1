"""Capabilities: what an agent can read and compute, as names `KIND:NAME`. A device reports its own, a package requires some, and
the server offers a package only to devices that have them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import Final, get_args

from edgefleet_contract.core.errors import ManifestError
from edgefleet_contract.encoding.names import CAPABILITY_PATTERN
from edgefleet_contract.model_kinds import FAMILY_TABLE, FORMAT_TABLE, NO_MODEL
from edgefleet_contract.package.families import Task
from edgefleet_contract.package.manifest import Manifest
from edgefleet_contract.pipeline.fleet_pipeline import OWN_SOURCE, FleetPipeline
from edgefleet_contract.pipeline.nodes import OWN_KEYS
from edgefleet_contract.pipeline.spec import EVENTS, RULE_KINDS
from edgefleet_contract.wire.messages import CAPABILITIES_MAX

KINDS: Final = ("feature", "format", "head", "rule", "source", "stage", "task")
FEATURES: Final = ("background_class", "constant_inputs", "max_objects", "other_formats", "quantized_scaling")
"""`background_class`: the param `background` of classification. `constant_inputs`: `value` of an input. `max_objects`: that
option of a track stage. `other_formats`: variants of formats that the device does not know. `quantized_scaling`: `mean` and `std`
of an integer input."""
FIRST_AGENT: Final = {
    **dict.fromkeys((f"feature:{name}" for name in FEATURES), "0.3.0"),
    **dict.fromkeys((f"head:{name}" for name in ("dbnet", "regression", "yolo_obb", "yolo_pose", "yolo_segmentation")), "0.3.0"),
    "format:hailo_hef": "0.3.0",
    "format:rknn": "0.3.0",
    "task:regression": "0.3.0",
}
"""The version of the agent that was the first to have it. Every older agent has all other built-in capabilities."""

_FIRST_FORMATS: Final = ("onnx", "tflite", "openvino_ir")
_NAME: Final = re.compile(CAPABILITY_PATTERN)
_VERSION: Final = re.compile(r"(\d+)\.(\d+)\.(\d+)")


def device_capabilities(heads: Iterable[str], sources: Iterable[str]) -> list[str]:
    """The capabilities of a device with these heads and kinds of sources, plug-ins included; sorted."""
    names = {
        "feature": FEATURES,
        "format": FORMAT_TABLE.names(),
        "head": heads,
        "rule": RULE_KINDS,
        "source": sources,
        "stage": OWN_KEYS,
        "task": get_args(Task),
    }
    found = (f"{kind}:{name}" for kind, each in names.items() for name in each)
    return sorted(filter(_NAME.fullmatch, found))[:CAPABILITIES_MAX]


def built_in_capabilities(sources: Iterable[str] = ()) -> list[str]:
    """The capabilities of an agent of this version without plug-ins."""
    return device_capabilities((name for name in FAMILY_TABLE.names() if name not in FAMILY_TABLE.installed()), sources)


def required_by(manifest: Manifest) -> list[str]:
    """Capabilities that a device needs to read and run a package, whichever variant it takes; sorted."""
    found = set(manifest.requires)
    if manifest.task not in NO_MODEL:
        found |= {f"task:{manifest.task}", f"head:{manifest.head.family}"}
        if manifest.head.params.get("background") and manifest.head.family == "classification":
            found.add("feature:background_class")
        if any(variant.format not in _FIRST_FORMATS for variant in manifest.variants):
            found.add("feature:other_formats")
        inputs = [*manifest.inputs, *(spec for variant in manifest.variants for spec in variant.inputs)]
        if any((spec.mean or spec.std) and spec.dtype in ("uint8", "int8") for spec in inputs):
            found.add("feature:quantized_scaling")
        if any(spec.value for spec in inputs):
            found.add("feature:constant_inputs")
    return sorted(found)


def required_by_pipeline(document: FleetPipeline) -> list[str]:
    """Capabilities that a device needs for a pipeline from the fleet, the changes for single devices included; sorted."""
    found: set[str] = set()
    for spec in (document.spec, *(document.for_device(device) for device in document.devices)):
        if spec is not None:
            found |= {f"source:{spec.source.kind}"}
            found |= {f"stage:{stage.kind}" for stage in spec.stages} | {f"rule:{rule.kind}" for rule in spec.rules}
            found |= {"feature:max_objects" for stage in spec.stages if stage.kind == "track" and "max_objects" in stage.options}
    return sorted(found - {f"source:{OWN_SOURCE}", f"source:{EVENTS}"})


def check_required(manifest: Manifest) -> None:
    """Check the kinds in `requires`.

    Raises:
        ManifestError: one is unknown here.
    """
    for name in manifest.requires:
        if name.partition(":")[0] not in KINDS:
            raise ManifestError(f"{manifest.id}: requires: {name!r}: unknown kind; known are {', '.join(KINDS)}")


def lacking(required: Iterable[str], reported: Collection[str], agent_version: str) -> list[str]:
    """Those of `required` that a device lacks. An agent that reports no capabilities is older than they are, and has those of its
    version."""
    if reported:
        return [name for name in required if name not in reported]
    return [name for name in required if name in FIRST_AGENT and _is_older(agent_version, FIRST_AGENT[name])]


def agent_needed(missing: Iterable[str]) -> str:
    """The first version of the agent that has these capabilities; empty if no version is known to."""
    firsts = [FIRST_AGENT.get(name, "") for name in missing]
    return max(firsts, key=_numbers) if firsts and all(firsts) else ""


def why_lacking(missing: Sequence[str]) -> str:
    """The sentence about capabilities that a device lacks."""
    names = ", ".join(name.replace(":", " ", 1) for name in missing)
    needed = agent_needed(missing)
    return f"needs agent {needed} or later, for {names}" if needed else f"needs {names}: a plug-in, or a later agent"


def _is_older(version: str, than: str) -> bool:
    """Whether a version is known to be older; one without three numbers, of a simulated device, is not."""
    return bool(_numbers(version)) and _numbers(version) < _numbers(than)


def _numbers(version: str) -> tuple[int, ...]:
    found = _VERSION.match(version)
    return tuple(map(int, found.groups())) if found else ()
