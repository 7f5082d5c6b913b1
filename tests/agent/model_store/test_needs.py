"""Which variants a device fetches."""

from __future__ import annotations

from agent.contract.manifest import read_manifest
from agent.model_store.packages import Device
from tests.agent.contract.test_choices import CORAL, TOML


def test_an_accelerator_and_its_stand_in() -> None:
    manifest = read_manifest(TOML, "model.toml")

    def names(device: Device) -> list[str]:
        return [variant.name for variant in device.variants(manifest)]

    assert names(Device("coral-pcie", ("lite_rt",), CORAL)) == ["tpu", "cpu"]
    assert names(Device("coral-pcie", ("lite_rt",), CORAL, fallback=False)) == ["tpu"]
    assert names(Device("coral-pcie", ("lite_rt",))) == ["tpu"]  # a name without a profile of ours
    assert names(Device("", ("open_vino",))) == ["float"]
    assert names(Device("coral-pcie", (), CORAL)) == []
