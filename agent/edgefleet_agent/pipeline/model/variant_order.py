"""Orders the choices for running a package on this device: variant, runtime and device of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from edgefleet_agent.machine.profiles import find_profile
from edgefleet_contract.core.errors import ManifestError, MissingError
from edgefleet_contract.package.manifest import Manifest, Variant
from edgefleet_contract.package.profile import VariantChoice, choose_variant, device_kind, names_profile, variant_choices

RUNTIMES_OF: dict[str, tuple[str, ...]] = {
    "edgetpu": ("lite_rt",),
    **dict.fromkeys(("cuda", "tensorrt", "migraphx", "rocm", "openvino", "ep"), ("onnx_runtime",)),
    **dict.fromkeys(("gpu", "npu", "auto", "hetero", "multi"), ("open_vino",)),
    "myriad": ("ncs2",),
    "hailo": ("hailo",),
    "rknpu": ("rknn",),
}
"""Kinds of devices to the runtimes that have them; any other kind is for every runtime."""


@dataclass(frozen=True, slots=True)
class ChosenDevice:
    """A runtime and its device, by the names of the manifest and the profile."""

    runtime: str
    device: str


def device_of(choice: VariantChoice) -> ChosenDevice:
    """The device of a choice."""
    return ChosenDevice(choice.runtime, choice.device)


def avoided_last(choices: list[VariantChoice], avoided: Mapping[ChosenDevice, str]) -> list[VariantChoice]:
    """The choices in an order in which those of avoided devices come last."""
    return sorted(choices, key=lambda choice: device_of(choice) in avoided)


def ordered_choices(manifest: Manifest, runtimes: list[str], profile: str, name: str | None, device: str) -> list[VariantChoice]:
    """Choices for running the package, best first; several only if the profile allows it and neither variant nor device is
    set."""
    known = find_profile(profile)
    if known is not None and name is None and not device:
        every = variant_choices(manifest, known, runtimes)
        # One choice per device: a second variant on the CPU is no fallback, because then the file is at fault.
        found = [choice for index, choice in enumerate(every) if choice.device not in [before.device for before in every[:index]]]
        if found:
            return found[: next((index + 1 for index, choice in enumerate(found) if choice.device == "cpu"), len(found))]
    if device and name is None:
        return [choice_for(manifest, runtimes, profile, device)]
    chosen, runtime = _choose(manifest, runtimes, profile, name)
    options = chosen.options.get(runtime, {})
    if not isinstance(options, dict):
        raise ManifestError(f"{manifest.id}: options.{runtime} of variant {chosen.name!r} must be a table")
    return [VariantChoice(variant=chosen, runtime=runtime, device=device or str(options.get("device", "cpu")), options=options)]


def choice_for(manifest: Manifest, runtimes: list[str], profile: str, device: str) -> VariantChoice:
    """The choice for a device that was asked for by name: a variant that is made for its kind, whatever its profiles, else one
    for any device.

    Raises:
        MissingError: no variant and runtime fit the device.
    """
    kind = device_kind(device)
    able = [name for name in runtimes if name in RUNTIMES_OF.get(kind, runtimes)]
    ranked: list[tuple[int, VariantChoice]] = []
    for variant in manifest.variants:
        for runtime in able:
            options = variant.options.get(runtime, {})
            if runtime not in variant.runtimes or not isinstance(options, dict):
                continue
            made_for = device_kind(str(options.get("device", "cpu")))
            own = names_profile(variant, profile)
            if made_for == kind != "cpu":
                rank = 0
            elif made_for == "cpu" and (own or not variant.profiles):
                rank = 1 if own else 2
            else:
                continue
            ranked.append((rank, VariantChoice(variant=variant, runtime=runtime, device=device, options=dict(options))))
    if not ranked:
        known = "; ".join(f"{each.name}: {', '.join(each.runtimes)}" for each in manifest.variants)
        raise MissingError(f"{manifest.id} has no variant for device {device} with {', '.join(runtimes)}; it has {known}")
    return min(ranked, key=lambda each: each[0])[1]


def _choose(manifest: Manifest, runtimes: list[str], profile: str, name: str | None) -> tuple[Variant, str]:
    if name is not None:
        variant = manifest.variant(name)
        usable = [runtime for runtime in runtimes if runtime in variant.runtimes]
        if usable:
            return variant, usable[0]
    elif chosen := choose_variant(manifest, profile, runtimes):
        return chosen
    candidates = [variant for variant in manifest.variants if name in (None, variant.name)]
    known = "; ".join(
        f"{each.name}: {', '.join(each.runtimes)} ({', '.join(each.profiles) or 'any device'})" for each in candidates
    )
    raise MissingError(
        f"{manifest.id} has no variant for {profile or 'this device'} with {', '.join(runtimes) or 'no runtime'}; it has {known}"
    )
