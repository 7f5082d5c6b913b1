"""Follows the files of a repository: changed, new and removed models are loaded, loaded again and unloaded.

A model is loaded when its files were the same at two polls in a row: a copy that is being written changes in between. Whatever
the outcome, it is not tried again until its files change; on failure the versions before stay. A version stays open if its files
are those that are served, unless a file beside the versions, such as the configuration, changed.
"""

from __future__ import annotations

import logging
import os
import threading
from dataclasses import dataclass
from pathlib import Path

from edgefleet_agent.serving.models.model_folders import FoundModel
from edgefleet_agent.serving.models.repository import FolderRepository
from edgefleet_agent.serving.protocol.errors import CallError
from edgefleet_contract.core.errors import EdgefleetError

log = logging.getLogger(__name__)

FILES_MAX = 10_000
"""Files of one model that are watched; further ones do not count as changes."""
SUBFOLDERS = ("warmup", "initial_state")
"""Folders beside the versions whose files a configuration may name."""

Print = tuple[tuple[str, int, int, int], ...]
"""Path, size, time of change in nanoseconds and inode of each file."""


@dataclass(frozen=True, slots=True)
class ModelPrint:
    """The state of a model's files: of those beside the versions, and of those of each version."""

    beside: Print
    versions: dict[str, Print]

    def same_versions(self, other: ModelPrint | None) -> list[str]:
        """The versions with the same files, and the same files beside them."""
        if other is None or self.beside != other.beside:
            return []
        return [version for version, files in self.versions.items() if other.versions.get(version) == files]


class RepositoryPoller:
    """Polls a repository on a thread of its own, every `every_s` seconds."""

    def __init__(self, repository: FolderRepository, every_s: float) -> None:
        self._repository = repository
        self._every_s = every_s
        self._tried = self._prints()
        self._before = self._tried
        self._loaded = dict(self._tried)
        self._fault = ""
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="repository-poller", daemon=True)

    def start(self) -> None:
        """Begin to poll."""
        self._thread.start()

    def close(self) -> None:
        """Stop; a load that is running ends first."""
        self._ending.set()
        if self._thread.is_alive():
            self._thread.join()

    def poll(self) -> None:
        """Compare the files with those of the last poll, and follow what is settled."""
        now = self._prints()
        settled = {name for name in now.keys() | self._tried.keys() if now.get(name) == self._before.get(name)}
        changed = sorted(name for name in settled if now.get(name) != self._tried.get(name))
        self._before = now
        for name in changed:
            if name in now:
                self._tried[name] = now[name]
                try:
                    self._repository.reload(name, now[name].same_versions(self._loaded.get(name)))
                except CallError as error:
                    log.warning("%s", error)
                else:
                    self._loaded[name] = now[name]
            else:
                del self._tried[name]
                self._loaded.pop(name, None)
                self._repository.retire(name)
                log.info("model %s: is unloaded, as its files were removed", name)

    def _run(self) -> None:
        while not self._ending.wait(self._every_s):
            self._poll_or_report()

    def _poll_or_report(self) -> None:
        try:
            self.poll()
        except (EdgefleetError, OSError) as cause:
            # A folder that cannot be read now, or a manifest that is being written: the next poll sees it again.
            if str(cause) != self._fault:
                log.warning("the repository cannot be polled: %s; its models are served as before", cause)
            self._fault = str(cause)
        else:
            if self._fault:
                log.info("the repository can be polled again")
            self._fault = ""

    def _prints(self) -> dict[str, ModelPrint]:
        return {name: _print(model) for name, model in self._repository.found().items()}


def _print(model: FoundModel) -> ModelPrint:
    beside = [file for file in _entries(model.folder) if file.is_file()] if model.folder.is_dir() else []
    beside += [file for name in SUBFOLDERS if (model.folder / name).is_dir() for file in _files(model.folder / name)]
    in_versions = set(model.versions.values())  # a version may be a file
    left = FILES_MAX
    versions: dict[str, Print] = {}
    for name, version in sorted(model.versions.items()):
        # The folder itself counts, too: a version may have no files.
        versions[name] = (*_print_files(_files(version), left), (str(version), 0, 0, 0))
        left -= min(left, len(versions[name]))
    return ModelPrint(_print_files([file for file in beside if file not in in_versions], FILES_MAX), versions)


def _print_files(files: list[Path], limit: int) -> Print:
    """The state of files. Those that vanish meanwhile are left out."""
    found: list[tuple[str, int, int, int]] = []
    for file in sorted(files)[:limit]:
        try:
            status = file.stat()
        except OSError:
            continue
        found.append((str(file), status.st_size, status.st_mtime_ns, status.st_ino))
    return tuple(found)


def _files(version: Path) -> list[Path]:
    if not version.is_dir():
        return [version]
    return [Path(folder) / name for folder, _, names in os.walk(version) for name in names]


def _entries(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError:
        return []
