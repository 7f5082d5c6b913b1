"""The variant that a device gets."""

from __future__ import annotations

import pytest

from edgefleet_contract.package.manifest import read_manifest
from edgefleet_contract.package.profile import choose_variant
from tests.contract.package.test_manifest import TOML


@pytest.mark.parametrize(
    ("profile", "runtimes", "chosen"),
    [
        ("cpu-x86", ["lite_rt"], ("cpu", "lite_rt")),
        ("intel-npu", ["lite_rt", "open_vino"], ("npu", "open_vino")),
        ("intel-npu", ["lite_rt"], ("cpu", "lite_rt")),
        ("cpu-x86", ["open_vino"], None),
        ("cpu-x86", [], None),
    ],
)
def test_the_profiles_own_variant_comes_first(profile: str, runtimes: list[str], chosen: tuple[str, str] | None) -> None:
    found = choose_variant(read_manifest(TOML, "model.toml"), profile, runtimes)
    assert (found and (found[0].name, found[1])) == chosen
