"""No runtime speaks to the network or leaves files in the home folder: two of the three would, left alone."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.agent.backends.test_contract import MODELS

USE = """
import sys, time
from pathlib import Path
import numpy as np
from agent import plugins
from agent.backends.base import LoadOptions
session = plugins.load("backends", sys.argv[1])().load(tuple(map(Path, sys.argv[2:])), LoadOptions())
session.infer({spec.name: np.zeros(spec.shape, spec.dtype) for spec in session.inputs})
time.sleep(1.0)
"""
SPEAKING = ("AF_INET", "AF_INET6")


def use(name: str, data: Path, home: Path, before: list[str]) -> None:
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("ORT_", "XDG_", "OPENVINO"))}
    files = [str(data / "models" / path) for path in MODELS[name]]
    subprocess.run(
        [*before, sys.executable, "-c", USE, name, *files],
        check=True,
        env=environment | {"HOME": str(home), "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        timeout=120,
    )


@pytest.mark.parametrize("name", sorted(MODELS))
def test_home_stays_empty(name: str, data: Path, tmp_path: Path) -> None:
    use(name, data, tmp_path, [])
    assert [str(path) for path in tmp_path.rglob("*")] == []


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed: no way to see a library's own connections")
@pytest.mark.parametrize("name", sorted(MODELS))
def test_no_socket_to_anywhere(name: str, data: Path, tmp_path: Path) -> None:
    log = tmp_path / "calls"
    home = tmp_path / "home"
    home.mkdir()
    use(name, data, home, ["strace", "-f", "-qq", "-e", "trace=socket,connect,sendto", "-o", str(log)])
    assert [line for line in log.read_text().splitlines() if any(word in line for word in SPEAKING)] == []
