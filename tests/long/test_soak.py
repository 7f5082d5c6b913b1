"""An hour of a camera in fast motion: memory stays flat with every growing feature switched on."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.long(minutes=20)
@pytest.mark.timeout(3600)
def test_memory_is_flat_over_an_hour_of_frames(data: Path) -> None:
    del data  # the benchmark finds it, too
    command = [sys.executable, "-m", "benchmarks.pipeline.soak", "--json"]
    found = json.loads(subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout)
    print(found)
    assert found["frames"] >= 90_000
    assert found["growth_mb"] < 10.0
    assert found["descriptors"][0] == found["descriptors"][1]
    assert found["evidence_mb"] < 22.0
    assert found["faults"] == []
