"""Models whose files came with a `load` request: in a private folder, and only while they are served.

Callers may upload model files and labels, but no manifest: it can name libraries to load, so packages come from the repository.
Names must not be paths; sizes and counts have limits.
"""

from __future__ import annotations

import base64
import binascii
import shutil
import tempfile
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from edgefleet_agent.serving.config.model_config import ServingConfig
from edgefleet_agent.serving.engine.media_calls import FRONTS
from edgefleet_agent.serving.models.model_source import NAME, bare_runtimes
from edgefleet_agent.serving.protocol.errors import CallError, Code, invalid
from edgefleet_contract.core.atomic_files import as_store_error
from edgefleet_contract.core.errors import StoreError

FILES_MAX = 64
PREFIX = "file:"
LABELS = "labels.txt"
WEIGHTS = (".bin", ".data")
"""Suffixes of weights beside a model file: of OpenVINO, and external data of ONNX."""


@dataclass(frozen=True, slots=True)
class UploadedModel:
    """One model served from uploaded files."""

    config: ServingConfig
    folder: Path
    versions: Mapping[str, Path]
    size_bytes: int


class UploadedModels:
    """The uploaded models. bytes_max: of all files together, 0: uploads are refused. Used with the repository's lock held."""

    def __init__(self, bytes_max: int = 0) -> None:
        self._bytes_max = bytes_max
        self._root: Path | None = None
        self._held_bytes = 0
        self._taken = 0
        self._lock = threading.Lock()
        self.models: dict[str, UploadedModel] = {}

    def take(self, model: str, files: Mapping[str, bytes], config: ServingConfig | None) -> UploadedModel:
        """Write the files of a model, without adding it to `models`.

        Raises:
            CallError: uploads are refused, or the files are too large or of a wrong kind.
        """
        if not self._bytes_max:
            raise CallError(Code.UNSUPPORTED, "model uploads are disabled; enable them with `serve --sent-models-mb N`")
        if config is None:
            raise invalid(f"failed to load '{model}': files require a 'config'; '{{}}' is sufficient")
        if not NAME.fullmatch(model) or model.endswith(FRONTS):
            raise invalid(f"'{model[:64]}' is not a valid model name: use at most 64 letters, digits, '_', '.' and '-'")
        paths = [_path(name) for name in files]
        size = sum(map(len, files.values()))
        with self._lock:
            if self._held_bytes + size > self._bytes_max:
                raise CallError(
                    Code.TOO_LARGE,
                    f"{size} bytes and {self._held_bytes} of other uploaded models exceed the limit of {self._bytes_max}",
                )
            self._held_bytes += size
            self._taken += 1
            number = self._taken
        sent = UploadedModel(config, self._folder() / str(number) / model, {}, size)
        try:
            with as_store_error(sent.folder):
                for path, data in zip(paths, files.values(), strict=True):
                    file = sent.folder / path
                    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                    file.write_bytes(data)
        except StoreError as cause:
            self.discard(sent)
            raise CallError(Code.UNAVAILABLE, f"the files cannot be stored: {cause}") from cause
        return UploadedModel(config, sent.folder, {path.parts[0]: sent.folder / path.parts[0] for path in paths}, size)

    def discard(self, sent: UploadedModel | None) -> None:
        """Remove the files of a model that is no longer served."""
        if sent is None:
            return
        shutil.rmtree(sent.folder.parent, ignore_errors=True)
        with self._lock:
            self._held_bytes -= sent.size_bytes

    def close(self) -> None:
        """Remove all files."""
        self.models.clear()
        if self._root is not None:
            shutil.rmtree(self._root, ignore_errors=True)

    def _folder(self) -> Path:
        if self._root is None:
            self._root = Path(tempfile.mkdtemp(prefix="edgefleet-sent-"))
        return self._root


def read_files(parameters: Mapping[str, Any]) -> dict[str, bytes]:
    """Read the files from the parameters of a `load` request: `VERSION/NAME` -> content, from bytes or base64.

    Raises:
        CallError: there are too many files, or a value is neither bytes nor base64.
    """
    given = {name: value for name, value in parameters.items() if name.startswith(PREFIX)}
    if len(given) > FILES_MAX:
        raise invalid(f"{len(given)} files; the limit is {FILES_MAX} per model")
    files: dict[str, bytes] = {}
    for name, value in given.items():
        try:
            data = value if isinstance(value, bytes) else base64.b64decode(value, validate=True)
        except (binascii.Error, TypeError, ValueError) as cause:
            raise invalid(f"parameter '{name[:100]}' must be the file's content as base64") from cause
        files[name.removeprefix(PREFIX)] = data
    return files


def _path(name: str) -> Path:
    """Convert `VERSION/NAME` to a path inside the model's folder."""
    version, _, file = name.partition("/")
    if not NAME.fullmatch(version) or not NAME.fullmatch(file):
        raise invalid(f"'{PREFIX}{name[:100]}' is not {PREFIX}VERSION/NAME")
    if Path(file).suffix not in (*bare_runtimes(), *WEIGHTS) and file != LABELS:
        known = ", ".join((*bare_runtimes(), *WEIGHTS))
        raise invalid(
            f"'{PREFIX}{name[:100]}' is not accepted: only model files ({known}) and {LABELS}; use the repository for packages"
        )
    return Path(version) / file
