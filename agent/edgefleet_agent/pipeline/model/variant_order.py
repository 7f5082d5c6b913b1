"""Orders the choices for running a package on this device: variant, runtime and device of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from edgefleet_agent.machine.profiles import find_profile
from edgefleet_contract.core.errors import ManifestError, MissingError
from edgefleet_contract.package.manifest import Manifest, Variant
from edgefleet_contract.package.profile import VariantChoice, choose_variant, variant_choices


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
    chosen, runtime = _choose(manifest, runtimes, profile, name)
    options = chosen.options.get(runtime, {})
    if not isinstance(options, dict):
        raise ManifestError(f"{manifest.id}: options.{runtime} of variant {chosen.name!r} must be a table")
    return [VariantChoice(variant=chosen, runtime=runtime, device=device or str(options.get("device", "cpu")), options=options)]


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
