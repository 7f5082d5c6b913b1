"""Downloads the files that a Python package ships into a folder, without installing it."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest


def wheel_files(package: str, folder: Path) -> Path:
    """The folder with the files of `package`, such as `silero-vad==6.2.3`. The test is skipped if there is no download."""
    command = [sys.executable, "-m", "pip", "download", package, "--no-deps", "--only-binary=:all:", "--dest", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode:
        reason = done.stderr.strip().rpartition("\n")[2]
        pytest.skip(f"{package} cannot be downloaded: {reason}")
    with zipfile.ZipFile(next(folder.glob("*.whl"))) as archive:
        archive.extractall(folder)
    return folder
