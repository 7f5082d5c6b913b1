"""Selection of the variants that a device fetches."""

from __future__ import annotations

from edgefleet_agent.model_store.package_store import DeviceTarget
from edgefleet_contract.package.manifest import read_manifest
from tests.contract.package.test_variant_choice import CORAL, TOML


def test_an_accelerator_and_its_stand_in() -> None:
    manifest = read_manifest(TOML, "model.toml")

    def names(device: DeviceTarget) -> list[str]:
        return [variant.name for variant in device.variants(manifest)]

    assert names(DeviceTarget("coral-pcie", ("lite_rt",), CORAL)) == ["tpu", "cpu"]
    assert names(DeviceTarget("coral-pcie", ("lite_rt",), CORAL, fallback=False)) == ["tpu"]
    assert names(DeviceTarget("coral-pcie", ("lite_rt",))) == ["tpu"]  # a name without a shipped profile
    assert names(DeviceTarget("", ("open_vino",))) == ["float"]
    assert names(DeviceTarget("coral-pcie", (), CORAL)) == []
