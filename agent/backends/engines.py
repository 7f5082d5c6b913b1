"""What a runtime compiles for an accelerator, kept on disk: in which folder, so that nobody ever reads what fits something else.

A folder is named by runtime, version, device and the model's own bytes. An engine built by another version of a library, on
another GPU or from other weights under the same name would at best be refused and at worst answer wrongly.
"""

from __future__ import annotations

import ctypes
import hashlib
import re
from pathlib import Path

from agent.durable import make_folder
from agent.errors import ModelError

NAME_MAX = 200
"""Characters of a folder's name, below what file systems allow."""
_HASH_BYTES = 1024 * 1024
_TEXT_BYTES_MAX = 64 * 1024
_TENSORRT_LIBRARIES = ("libnvinfer.so.11", "libnvinfer.so.10", "libnvinfer.so.8")


def engine_folder(cache_dir: Path, runtime: str, version: str, device: str, model: str = "") -> Path:
    """The folder below `cache_dir` for this runtime, version, device and model (see `digest`); without a model, what serves all.

    Raises:
        StoreError: it cannot be made.
    """
    parts = (re.sub(r"[^A-Za-z0-9_.]+", "_", part).strip("_") for part in (runtime, version, device, model))
    return make_folder(cache_dir / "-".join(part for part in parts if part)[:NAME_MAX])


def digest(files: tuple[Path, ...]) -> str:
    """16 digits of the SHA-256 of all files of a model.

    Raises:
        ModelError: a file cannot be read.
    """
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
    """What the NVIDIA GPU number `index` is: an engine runs on GPUs of the same kind only. `gpu` where nothing tells."""
    listed = sorted((root / "proc/driver/nvidia/gpus").glob("*/information"))
    if index < len(listed):
        for line in _text(listed[index]).splitlines():
            word, _, value = line.partition(":")
            if word == "Model":
                return value.strip()
    return _text(root / "proc/device-tree/model").strip("\0\n ") or "gpu"


def tensorrt_version() -> str:
    """Version of the TensorRT library that would be loaded, such as `101300`; empty where there is none."""
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
