"""What a kind of device can do: `device_profiles/*.toml`."""

from __future__ import annotations

import msgspec

from agent.contract.codec import Wire
from agent.contract.manifest import Manifest, Variant
from agent.contract.names import Name, Text


class Accelerator(Wire):
    """One way to run a model: a runtime and where it computes, best first in a profile."""

    runtime: str
    device: str = "cpu"
    precisions: list[str] = msgspec.field(default_factory=list)


class Profile(Wire):
    """A kind of hardware and how to recognise it."""

    name: Name
    title: str
    accelerators: list[Accelerator]
    description: Text = ""
    threads: int = 0
    memory_bytes: int = 0
    evidence: dict[str, str] = msgspec.field(default_factory=dict)


def choose_variant(manifest: Manifest, profile: str, runtimes: list[str]) -> tuple[Variant, str] | None:
    """The best variant and runtime for a device: the profile's own variants first, then the order of `runtimes`.

    `runtimes` are those that are installed and usable, best first. None when nothing fits.
    """
    ranked = sorted(manifest.variants, key=lambda variant: profile not in variant.profiles)
    for variant in ranked:
        if variant.profiles and profile not in variant.profiles:
            continue
        for runtime in runtimes:
            if runtime in variant.runtimes:
                return variant, runtime
    return None
