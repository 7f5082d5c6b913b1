"""A sample of the vitals takes little time and has plausible values."""

from __future__ import annotations

import os
from pathlib import Path

import psutil

from edgefleet_agent.machine.vitals import VitalsProbe, boot_id, hardware, installed_runtimes, rss_bytes


def test_vitals_are_those_of_this_process_and_disk(tmp_path: Path) -> None:
    probe = VitalsProbe(tmp_path)
    sum(range(2_000_000))
    vitals = probe.sample()
    assert 0.0 <= vitals.cpu_percent <= 100.0
    assert abs(vitals.rss_bytes - psutil.Process().memory_info().rss) < 20e6
    assert vitals.disk_free_bytes > 0
    assert vitals.temperature_c is None or -40 < vitals.temperature_c < 150
    assert rss_bytes() > 0


def test_hardware_is_short_text() -> None:
    found = hardware()
    assert found["cores"] == str(os.cpu_count())
    assert int(found["memory_bytes"]) > 1e8
    assert all(isinstance(value, str) and len(value) < 200 for value in found.values())
    assert boot_id() == boot_id() != ""


def test_runtimes_are_found_without_importing_them() -> None:
    assert set(installed_runtimes()) <= {"lite_rt", "onnx_runtime", "open_vino"}
