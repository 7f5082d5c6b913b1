"""The agent's own versions on a device: `environments/<digest>/` under the state folder, each a separate virtual environment.

The version installed with the device (the Debian package) is not among them; it is the fallback.
"""

from __future__ import annotations

import logging
import os
import platform
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from edgefleet_contract.core.atomic_files import as_store_error, make_folder, remove_folder, sync_folder, write_atomic
from edgefleet_contract.core.errors import ManifestError, ModelError, StoreError
from edgefleet_contract.core.fault_text import fault_text
from edgefleet_contract.package.agent_package import environment_tag

FOLDER = "environments"
VERSION_FILE = "version"
ENTRY_FILE = "entry"
"""File in an archive with the name of the module that `python -m` starts. Launchers of all versions read it, because the module's
name may change."""
ENTRY_BYTES_MAX = 200
FILES_MAX = 60_000
BYTES_MAX = 4 * 1024**3
START_S_MAX = 120.0
OWN_ENTRY = "edgefleet_agent"
"""Entry module of this version."""

RUNNING = "EDGEFLEET_ENVIRONMENT"
LAUNCHER = "EDGEFLEET_LAUNCHER"
LAUNCHER_ENTRY = "EDGEFLEET_LAUNCHER_ENTRY"
"""Environment variable set by the launcher: digest of the running version (empty: the one installed with the device), and the
launcher's interpreter and entry module."""

log = logging.getLogger(__name__)

_MODULE = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
_NAME = re.compile(r"[A-Za-z0-9_.+@,!$()=~-]+(?:/[A-Za-z0-9_.+@,!$() =~-]+)*")


def own_tag() -> str:
    """Platform tag of archives that can run here."""
    return environment_tag(sys.version_info[:2], platform.machine())


def place(state: Path, digest: str) -> Path:
    """Path of a package's environment, which may not exist yet."""
    return state / FOLDER / digest


def python_of(environment: Path) -> Path:
    return environment / "bin" / "python"


def usable(environment: Path) -> bool:
    """Whether the environment and its interpreter exist (an upgrade of the distribution may remove the interpreter)."""
    return (environment / VERSION_FILE).is_file() and python_of(environment).exists()


def version_of(environment: Path) -> str:
    return (environment / VERSION_FILE).read_text(encoding="ascii").strip()


def entry_of(environment: Path) -> str:
    """The module that starts the agent in `environment`.

    Raises:
        ManifestError: its archive names no module.
    """
    found = [path for path in environment.glob(f"lib/*/site-packages/{ENTRY_FILE}") if path.is_file()]
    text = found[0].read_bytes()[: ENTRY_BYTES_MAX + 1].decode("utf-8", "replace").strip() if found else ""
    if not _MODULE.fullmatch(text, endpos=ENTRY_BYTES_MAX):
        raise ManifestError(f"the archive of this agent has no file {ENTRY_FILE!r} with the name of its entry module")
    return text


def unpack(archive: Path, state: Path, digest: str, version: str) -> Path:
    """Make the environment of a package from its verified `archive` of site-packages, whole or not at all.

    Raises:
        ManifestError: a path in it leads outside, or it is larger than the limit.
        StoreError: the disk cannot be written.
    """
    final = place(state, digest)
    if usable(final):
        return final
    folder = make_folder(state / FOLDER)
    beside = folder / f".{digest}.new"
    with as_store_error(folder):
        shutil.rmtree(beside, ignore_errors=True)
        site = beside / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"
        make_folder(site)
        _extract(archive, site)
        (beside / "bin").mkdir()
        interpreter = Path(sys.base_prefix) / "bin" / f"python{sys.version_info[0]}.{sys.version_info[1]}"
        python_of(beside).symlink_to(interpreter)
        write_atomic(beside / "pyvenv.cfg", f"home = {interpreter.parent}\ninclude-system-site-packages = false\n".encode())
        write_atomic(beside / VERSION_FILE, version.encode())
        os.sync()  # tens of thousands of files: cheaper than one by one
        remove_folder(final)
        beside.replace(final)
        sync_folder(folder)
    return final


def prove(environment: Path, version: str) -> None:
    """Verify an environment by its command `probe`, which imports the whole service and prints the version.

    Raises:
        ManifestError: it names no entry module.
        ModelError: it does not start, or its version differs from the package's.
    """
    command = [str(python_of(environment)), "-I", "-m", entry_of(environment), "probe"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=START_S_MAX, check=False, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ModelError(f"the agent in this package cannot start: {fault_text(error)}") from error
    if done.returncode:
        last = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
        raise ModelError(f"the agent in this package does not start: {last[:300]}")
    if done.stdout.strip() != version:
        raise ModelError(f"the package has version {version}, the agent in it has {done.stdout.strip()[:40]!r}")


def collect(state: Path, retained: set[str]) -> None:
    """Remove every environment whose digest is not in `retained`."""
    folder = state / FOLDER
    if not folder.is_dir():
        return
    for path in folder.iterdir():
        if path.name.startswith("."):
            shutil.rmtree(path, ignore_errors=True)
        elif path.name not in retained:
            try:
                remove_folder(path)
            except StoreError as error:  # files that cannot be deleted must not stop the device
                log.warning("%s", error)


def _extract(archive: Path, site: Path) -> None:
    try:
        with zipfile.ZipFile(archive) as files:
            entries = files.infolist()
            if len(entries) > FILES_MAX or sum(entry.file_size for entry in entries) > BYTES_MAX:
                raise ManifestError(f"{archive.name} exceeds the size limit of an agent")
            for entry in entries:
                parts = entry.filename.rstrip("/").split("/")
                if not _NAME.fullmatch(entry.filename.rstrip("/")) or ".." in parts or "." in parts:
                    raise ManifestError(
                        f"{archive.name} contains {entry.filename[:80]!r}, which is not allowed in an agent archive"
                    )
            files.extractall(site)
    except (zipfile.BadZipFile, NotImplementedError) as error:
        raise ManifestError(f"{archive.name} is not an agent archive: {error}") from error
