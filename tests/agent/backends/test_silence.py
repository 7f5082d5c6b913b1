"""No runtime uses the network or writes files to the home folder; by default two of the three do."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.agent.backends.test_contract import MODELS

pytestmark = pytest.mark.system

USE = """
import sys, time
from pathlib import Path
import numpy as np
from edgefleet_agent.core import plugins
from edgefleet_agent.backends.base import LoadOptions
load = LoadOptions(cache_dir=Path(sys.argv[2]) if sys.argv[2] else None)
session = plugins.load("backends", sys.argv[1])().load(tuple(map(Path, sys.argv[3:])), load)
session.infer({spec.name: np.zeros(spec.shape, spec.dtype) for spec in session.inputs})
time.sleep(1.0)
"""
SPEAKING = ("AF_INET", "AF_INET6")


def use(name: str, data: Path, home: Path, before: list[str], cache: Path | None = None) -> None:
    """Load and run a model in a child process, and wait for background activity of its library."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("ORT_", "XDG_", "OPENVINO"))}
    files = [str(data / "models" / path) for path in MODELS[name]]
    subprocess.run(
        [*before, sys.executable, "-c", USE, name, str(cache or ""), *files],
        check=True,
        env=environment | {"HOME": str(home), "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        timeout=120,
    )


@pytest.mark.parametrize("name", sorted(MODELS))
def test_home_stays_empty(name: str, data: Path, tmp_path: Path) -> None:
    use(name, data, tmp_path, [])
    assert [str(path) for path in tmp_path.rglob("*")] == []


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed: no way to see what native code does")
@pytest.mark.parametrize("name", sorted(MODELS))
def test_no_socket_to_anywhere_and_no_file_but_its_own(name: str, data: Path, tmp_path: Path) -> None:
    log, home, cache = tmp_path / "calls", tmp_path / "home", tmp_path / "cache"
    home.mkdir()
    cache.mkdir()
    calls = (
        "socket,connect,sendto,sendmsg,bind,open,openat,openat2,creat,mkdir,mkdirat,rename,renameat,renameat2,link,linkat,symlink"
    )
    tracer = ["strace", "-f", "-qq", "-s", "4096", "-e", f"trace={calls},symlinkat,unlink,unlinkat,truncate", "-o", str(log)]
    use(name, data, home, tracer, cache)
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    assert any("libc.so" in line for line in lines), "nothing was traced"
    assert [line for line in lines if any(word in line for word in SPEAKING)] == []
    assert [line for line in lines if changes(line, cache)] == []


def changes(line: str, own: Path) -> bool:
    """Whether a traced call writes outside `own`."""
    call = re.search(r"(\w+)\(", line)
    if call is None or call[1] in ("socket", "connect", "sendto", "sendmsg", "bind"):
        return False
    if call[1].startswith("open") and not re.search(r"O_WRONLY|O_RDWR|O_CREAT|O_TRUNC", line):
        return False
    paths = re.findall(r'"([^"]*)"', line)
    return not paths or not all(path.startswith((f"{own}/", "/dev/null", "/proc/self/")) for path in paths)


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ('12 openat(AT_FDCWD, "/own/engine.blob", O_WRONLY|O_CREAT|O_TRUNC, 0666) = 5', False),
        ('12 openat(AT_FDCWD, "/usr/lib/libm.so.6", O_RDONLY|O_CLOEXEC) = 5', False),
        ('12 openat(AT_FDCWD, "/root/intel/openvino_ga_cid", O_WRONLY|O_CREAT, 0666) = 5', True),
        ('12 mkdir("/root/.cache/Microsoft", 0777) = 0', True),
        ('12 rename("/own/a", "/root/a") = 0', True),
        ("12 socket(AF_UNIX, SOCK_STREAM, 0) = 3", False),
    ],
)
def test_what_counts_as_a_change(line: str, wrong: bool) -> None:
    assert changes(line, Path("/own")) is wrong
