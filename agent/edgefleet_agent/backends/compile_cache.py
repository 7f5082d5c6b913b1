"""Cache on disk for models that a runtime has compiled for an accelerator: folders and checksums.

A folder is named by runtime, version, device and the model's own bytes. An engine built by another version of a library, on
another GPU or from other weights under the same name would be refused or compute wrong results.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from edgefleet_agent.core.disk_faults import DiskState, disk_state
from edgefleet_contract.core.atomic_files import as_store_error, make_folder, write_atomic
from edgefleet_contract.core.errors import ModelError

CHECKSUMS_FILE = "seals"
"""File with the digest and name of each engine in the same folder."""
FOLDERS_MAX = 24
"""Folders in a cache: the models of all slots before and after an update, and room for two versions of a runtime."""
NAME_MAX = 200
"""Characters of a folder's name, below the limit of file systems."""
_HASH_BYTES = 1024 * 1024
_TEXT_BYTES_MAX = 64 * 1024
_TENSORRT_LIBRARIES = ("libnvinfer.so.11", "libnvinfer.so.10", "libnvinfer.so.8")


def engine_folder(cache_dir: Path, runtime: str, version: str, device: str, model: str = "") -> Path:
    """The folder below `cache_dir` for this runtime, version, device and model (see `digest`); without a model, one for all
    models. Of more than `FOLDERS_MAX` those that were not used for the longest time are removed.

    Raises:
        StoreError: it cannot be made.
    """
    parts = (re.sub(r"[^A-Za-z0-9_.]+", "_", part).strip("_") for part in (runtime, version, device, model))
    folder = make_folder(cache_dir / "-".join(part for part in parts if part)[:NAME_MAX])
    with contextlib.suppress(OSError):
        os.utime(folder)
    _remove_unused(cache_dir)
    return folder


def _remove_unused(cache_dir: Path) -> None:
    """Remove folders beyond the limit: of models that were replaced, and of other versions of a runtime."""
    with contextlib.suppress(OSError):
        folders = sorted(cache_dir.iterdir(), key=lambda path: path.stat().st_mtime_ns, reverse=True)
        for path in folders[FOLDERS_MAX:]:
            shutil.rmtree(path, ignore_errors=True)


def state_of_cache(cache_dir: Path) -> frozenset[tuple[str, int]]:
    """Names and times of all compiled models: they differ after a model was compiled."""
    return frozenset((str(path), path.stat().st_mtime_ns) for path in cache_dir.rglob("*") if path.is_file())


@contextlib.contextmanager
def verified_cache(*folders: Path, later: bool = False) -> Iterator[None]:
    """Verify and update the checksums of `folders` around a load: changed files are removed before it, new ones are flushed and
    recorded after it, or on a full disk removed. A power cut leaves files of zeros, and not every runtime detects them. later:
    files are also written when a model first runs, so that a file without a checksum is not damaged.

    Raises:
        StoreError: the disk is full or damaged.
    """
    for folder in folders:
        known = _checksums(folder)
        for path in _engines(folder):
            if known.get(path.name, "" if not later else None) not in (None, digest((path,))):
                with as_store_error(path):
                    path.unlink()
    yield
    for folder in folders:
        if disk_state(folder) is DiskState.FULL:
            _remove_new(folder)
        now = {path.name: digest((path,)) for path in _engines(folder)}
        if now != _checksums(folder):
            for path in _engines(folder):
                with as_store_error(path), path.open("rb") as file:
                    os.fsync(file.fileno())
            write_atomic(folder / CHECKSUMS_FILE, "".join(f"{value}  {name}\n" for name, value in now.items()).encode())


def _remove_new(folder: Path) -> None:
    """Remove files without a checksum: the full disk may have cut them, and not every runtime says so."""
    known = _checksums(folder)
    for path in _engines(folder):
        if path.name not in known:
            with contextlib.suppress(OSError):
                path.unlink()


def _engines(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.iterdir()) if path.is_file() and path.name != CHECKSUMS_FILE]


def _checksums(folder: Path) -> dict[str, str]:
    lines = (line.split("  ", 1) for line in _text(folder / CHECKSUMS_FILE).splitlines())
    return {pair[1]: pair[0] for pair in lines if len(pair) == 2}


def digest(files: tuple[Path, ...]) -> str:
    """First 16 hexadecimal digits of the SHA-256 of all files of a model.

    Raises:
        ModelError: a file cannot be read.
    """
    import hashlib  # loads OpenSSL, 4 MB that a device without such engines does not need

    state = hashlib.sha256()
    try:
        for file in files:
            with file.open("rb") as stream:
                while block := stream.read(_HASH_BYTES):
                    state.update(block)
    except OSError as cause:
        raise ModelError(f"{cause.filename}: cannot be read: {cause.strerror}") from cause
    return state.hexdigest()[:16]


def nvidia_device(index: int, root: Path = Path("/")) -> str:
    """Model name of the NVIDIA GPU number `index`: an engine runs on GPUs of the same model only. `gpu` if unknown."""
    listed = sorted((root / "proc/driver/nvidia/gpus").glob("*/information"))
    if index < len(listed):
        for line in _text(listed[index]).splitlines():
            word, _, value = line.partition(":")
            if word == "Model":
                return value.strip()
    return _text(root / "proc/device-tree/model").strip("\0\n ") or "gpu"


def tensorrt_version() -> str:
    """Version of the TensorRT library that would be loaded, such as `101300`; empty if there is none."""
    for name in _TENSORRT_LIBRARIES:
        try:
            library = ctypes.CDLL(name)
        except OSError:  # not this generation, or not installed
            continue
        return str(library.getInferLibVersion())
    return ""


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(_TEXT_BYTES_MAX).decode(errors="replace")
    except OSError:  # another kind of machine
        return ""
