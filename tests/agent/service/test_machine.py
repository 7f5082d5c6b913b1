"""The runtimes of a device, as packages are chosen for it."""

from __future__ import annotations

from pathlib import Path

from edgefleet_agent.service.composition import _Machine
from edgefleet_agent.settings import Settings


def test_a_runtime_that_the_settings_name_twice_is_there_once(tmp_path: Path) -> None:
    settings = Settings(device="d", state=str(tmp_path), profile="none", runtimes=["onnx_runtime", "lite_rt", "onnx_runtime"])
    target = _Machine.of(settings, tmp_path).package_target(settings)
    assert target.runtimes[:2] == ("onnx_runtime", "lite_rt")
    assert len(set(target.runtimes)) == len(target.runtimes)
