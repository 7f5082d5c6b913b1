"""The agent's service on the recorded state folder, as a process of its own, with stand-ins for worker and self-test."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from edgefleet_server.simulate.processes import Child
from tests.corpus import state
from tests.corpus.folder import read_json
from tests.corpus.trees import unpack_tree
from tests.fleet_server.fakes.server_process import eventually
from tests.import_path import import_path

pytestmark = pytest.mark.system


def status(config: Path) -> dict[str, Any]:
    """Report of `edgefleet-agent status`; empty until the service answers."""
    command = [sys.executable, "-m", "edgefleet_agent", "status", "--json", "--config", str(config)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60.0)
    return dict(json.loads(done.stdout)) if done.returncode == 0 else {}


def test_the_service_starts_and_reports_the_recorded_state(recorded: Path, tmp_path: Path) -> None:
    unpack_tree(recorded / state.FOLDER, tmp_path / "state")
    config = tmp_path / "agent.toml"
    config.write_text(f'device = "{state.DEVICE}"\nstate = "state"\nruntimes = ["onnx_runtime"]\nprofile = "none"\n')
    command = [sys.executable, "-m", "tests.agent.fakes.agent", str(config)]
    child = Child("agent", command, tmp_path / "agent.log", {"PYTHONPATH": import_path()})
    try:
        slots = eventually(child.tail(), lambda: status(config).get("slots"), 60.0)
    finally:
        child.stop()
    meant = read_json(recorded / state.MEANING)["device"]["records"]
    digests = {slot: record["last_good"] for slot, record in meant.items() if record["last_good"] and not record["trial"]}
    assert digests
    text = json.dumps(slots)
    assert {slot: digest in text for slot, digest in digests.items()} == dict.fromkeys(digests, True)
    assert set(meant) <= set(slots)
