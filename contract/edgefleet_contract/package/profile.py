"""Device profiles (`device_profiles/*.toml`): capabilities of a kind of device, and the variants of a package that it can run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from edgefleet_contract.encoding.codec import Wire
from edgefleet_contract.encoding.names import Name, Text
from edgefleet_contract.package.hosted_runtimes import HOST_FILES
from edgefleet_contract.package.manifest import Manifest, Variant

ACCELERATOR_ONLY = frozenset(HOST_FILES)
"""Runtimes that are used for their own device only, never for the CPU."""
SYMMETRIC = frozenset({"tensorrt", "migraphx"})
"""Devices whose int8 is symmetric (zero point 0). They refuse other quantized models, such as u8s8 for x86, or compute them in
float: less accurate and no faster."""


class Accelerator(Wire):
    """A runtime and the device that it computes on; best first in a profile.

    dedicated: runs only variants that name this profile (models compiled for the device), and they run on nothing else.
    options: for the runtime; the variant's own options override them.
    """

    runtime: str
    device: str = "cpu"
    precisions: list[str] = msgspec.field(default_factory=list)
    dedicated: bool = False
    options: dict[str, Any] = msgspec.field(default_factory=dict)


class Profile(Wire):
    """A kind of hardware, and the evidence by which it is recognised.

    match: conditions that all have to hold on such a machine (see the agent's `machine/detect.py`). rank: of several matching
    profiles the one with the highest rank is chosen. needs: required packages or files -> command or advice to install them.
    """

    name: Name
    title: str
    accelerators: list[Accelerator]
    description: Text = ""
    threads: int = 0
    memory_bytes: int = 0
    rank: int = 0
    match: dict[str, str] = msgspec.field(default_factory=dict)
    needs: dict[str, str] = msgspec.field(default_factory=dict)


class VariantChoice(Wire):
    """A variant with the runtime and device to run it on. threads 0: no measured value."""

    variant: Variant
    runtime: str
    device: str = "cpu"
    options: dict[str, Any] = msgspec.field(default_factory=dict)
    threads: int = 0


def names_profile(variant: Variant, profile: str) -> bool:
    """Whether the variant names the profile or its family: `coral` is the family of `coral-usb` and `coral-dev-board`."""
    return any(profile == name or profile.startswith(f"{name}-") for name in variant.profiles)


def choose_variant(manifest: Manifest, profile: str, runtimes: list[str]) -> tuple[Variant, str] | None:
    """The best variant and runtime for a device: the profile's own variants first, then the order of `runtimes`.

    `runtimes` are those that are installed and usable, best first. None if no variant fits.
    """
    ranked = sorted(manifest.variants, key=lambda variant: not names_profile(variant, profile))
    for variant in ranked:
        if variant.profiles and not names_profile(variant, profile):
            continue
        for runtime in runtimes:
            if runtime in variant.runtimes:
                return variant, runtime
    return None


def variant_choices(manifest: Manifest, profile: Profile, runtimes: Sequence[str]) -> list[VariantChoice]:
    """All choices for running the package on a device of this profile, best first: the measured best (`[[tuned]]`), its
    accelerators in their order, then the CPU with `runtimes` in their order (those installed and usable); last the CPU with
    runtimes that the profile does not name, for packages that support nothing else."""
    usable = [each for each in profile.accelerators if each.runtime in runtimes]
    fast = [each for each in usable if each.device != "cpu"]
    plain = sorted((each for each in usable if each.device == "cpu"), key=lambda each: list(runtimes).index(each.runtime))
    named = {each.runtime for each in profile.accelerators} | ACCELERATOR_ONLY
    others = [Accelerator(runtime=name) for name in runtimes if name not in named]
    taken = {each.runtime for each in fast if each.dedicated}
    ranked = sorted(manifest.variants, key=lambda variant: not names_profile(variant, profile.name))
    # An accelerator has priority over a better variant; on the CPU the variant decides, as without a profile.
    pairs = [(each, variant) for each in fast for variant in ranked]
    pairs += [(each, variant) for rest in (plain, others) for variant in ranked for each in rest]
    found = [
        VariantChoice(
            variant=variant,
            runtime=each.runtime,
            device=each.device,
            options={**each.options, **_int8(each, variant), **_options(variant, each.runtime)},
        )
        for each, variant in pairs
        if each.runtime in variant.runtimes and _takes(each, variant, profile.name, each.runtime in taken)
    ]
    return _tuned_first(manifest, profile.name, found)


def accelerator_for(accelerators: Sequence[Accelerator], profile: str, runtime: str, variant: Variant | None) -> Accelerator:
    """The one of a profile's `accelerators` on which `runtime` computes a variant, or a file without a manifest (None), at once;
    else the CPU. Devices that compile a model for minutes are left out: for them a cache has to exist."""
    for each in accelerators:
        if each.runtime != runtime or each.device == "cpu" or device_kind(each.device) in SYMMETRIC:
            continue
        if not each.dedicated if variant is None else _takes(each, variant, profile, each.dedicated):
            return each
    return Accelerator(runtime)


def _tuned_first(manifest: Manifest, profile: str, found: list[VariantChoice]) -> list[VariantChoice]:
    """Put the choice that [[tuned]] names for the profile first, with its settings."""
    for tuning in manifest.tuned:
        for choice in found:
            if (profile, choice.variant.name, choice.runtime, choice.device) == (
                *(tuning.profile, tuning.variant, tuning.runtime, tuning.device),
            ):
                choice.threads = tuning.threads
                if tuning.streams > 1:
                    choice.options["streams"] = tuning.streams
                return [choice, *(each for each in found if each is not choice)]
    return found


def needed_variants(manifest: Manifest, profile: Profile, runtimes: Sequence[str], *, fallback: bool) -> list[Variant]:
    """The variants whose files a device needs: the best, and the best for its CPU if `fallback` to that is allowed."""
    every = variant_choices(manifest, profile, runtimes)
    needed = every[:1] + ([each for each in every if each.device == "cpu"][:1] if fallback else [])
    return list({each.variant.name: each.variant for each in needed}.values())


def _takes(accelerator: Accelerator, variant: Variant, profile: str, dedicated: bool) -> bool:
    own = names_profile(variant, profile)
    if variant.profiles and not own:
        return False
    if dedicated and own != accelerator.dedicated:
        return False
    # A variant made for an accelerator may be slower on a CPU than the float model: symmetric int8 for TensorRT is.
    made_for = _options(variant, accelerator.runtime).get("device", "cpu")
    if accelerator.device == "cpu" and made_for != "cpu":
        return False
    if (
        device_kind(accelerator.device) in SYMMETRIC
        and variant.precision == "int8"
        and not _is_symmetric(variant, accelerator.runtime)
    ):
        return False
    # Every precision can be computed on a CPU; an accelerator has those that its profile lists.
    known = accelerator.device == "cpu" or not variant.precision or not accelerator.precisions
    return known or variant.precision in accelerator.precisions


def _is_symmetric(variant: Variant, runtime: str) -> bool:
    """Whether the variant is made for such a device, or requests int8 there."""
    own = _options(variant, runtime)
    return own.get("precision") == "int8" or device_kind(str(own.get("device", ""))) in SYMMETRIC


def _int8(accelerator: Accelerator, variant: Variant) -> dict[str, Any]:
    """The option that such a device needs for a quantized model; without it the model is computed in float."""
    return {"precision": "int8"} if device_kind(accelerator.device) in SYMMETRIC and variant.precision == "int8" else {}


def device_kind(device: str) -> str:
    """The kind of a device of any runtime: `cuda` of `cuda:1`, `gpu` of `gpu.1`."""
    return device.partition(":")[0].partition(".")[0]


def _options(variant: Variant, runtime: str) -> dict[str, Any]:
    own = variant.options.get(runtime, {})
    return own if isinstance(own, dict) else {}
