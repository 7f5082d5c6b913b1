"""The stand-in library, built once for all tests that use it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def libraries(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folders `new` and `old` with a libedgetpu.so.1 each."""
    if shutil.which("cc") is None:
        pytest.skip("no C compiler: apt install gcc libc6-dev")
    return build(tmp_path_factory.mktemp("libedgetpu"))


def build(folder: Path) -> Path:
    """Compile both into `folder`."""
    flags: dict[str, list[str]] = {"new": [], "old": ["-DOLD_ABI"]}
    for name, own in flags.items():
        (folder / name).mkdir(parents=True)
        source = Path(__file__).parent / "libedgetpu.c"
        command = ["cc", "-shared", "-fPIC", "-O1", "-Wall", "-Werror", *own]
        subprocess.run([*command, "-o", str(folder / name / "libedgetpu.so.1"), str(source)], check=True)
    return folder
