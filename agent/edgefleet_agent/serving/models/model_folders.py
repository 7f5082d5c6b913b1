"""The models in folders: a package, a model file, the versions of one model, or a repository of models."""

from __future__ import annotations

import errno
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from edgefleet_agent.serving.models.model_settings import PBTXT_FILE
from edgefleet_agent.serving.models.model_source import NAME, bare_runtimes, read_package
from edgefleet_contract.core.errors import InputError, UnavailableError
from edgefleet_contract.package.manifest import MANIFEST_FILE

ENTRIES_MAX = 1000
"""Limit of models in a repository, and of versions of a model; further ones are ignored."""
FILE_VERSION = "1"
"""Version of a single model file."""
_NUMBER = re.compile(r"[1-9][0-9]{0,17}")


@dataclass(slots=True)
class FoundModel:
    """A model on disk. versions: version -> its folder, or the model file. folder: the one that holds its configuration."""

    folder: Path
    versions: dict[str, Path] = field(default_factory=dict)


class ModelFolders:
    """Finds models below `paths`: folders, and files by `NAME=FILE` or by their own name.

    Raises:
        InputError: a path does not exist or is no model, or two files have one name.
    """

    def __init__(self, paths: Iterable[Path]) -> None:
        self.roots: list[Path] = []
        self._files: dict[str, Path] = {}
        self._devices: dict[Path, int] = {}
        self._renamed: list[str] = []
        for path in paths:
            name, equals, rest = str(path).partition("=")
            if equals and not path.exists() and NAME.fullmatch(name):
                if Path(rest).is_dir():
                    raise InputError(
                        f"{path}: a folder has the names of its models; specify {rest}, or NAME=FILE for a model file"
                    )
                self._add_file(name, Path(rest))
            elif path.is_file():
                name = _file_name(path)
                self._add_file(name, path)
                if name != path.stem and path.name != MANIFEST_FILE:
                    self._renamed.append(f"{path} is served as '{name}'; specify NAME={path} for another name")
            elif path.is_dir():
                self.roots.append(path.resolve())
            else:
                raise InputError(
                    f"{path}: no such folder or file; specify a folder with models, a {MANIFEST_FILE} or a model file"
                )

    def _add_file(self, name: str, file: Path) -> None:
        if not file.is_file() or (file.suffix not in bare_runtimes() and file.name != MANIFEST_FILE):
            known = ", ".join(bare_runtimes())
            raise InputError(f"{file}: is not a model; specify a {known} file, a folder with models or a {MANIFEST_FILE}")
        if file.name == MANIFEST_FILE:
            self.roots.append(file.resolve().parent)
        elif name in self._files:
            raise InputError(f"{file}: a model named '{name}' is given already; specify OTHER_NAME={file}")
        else:
            self._files[name] = file.resolve()

    def find(self) -> dict[str, FoundModel]:
        """The models by name.

        Raises:
            UnavailableError: a folder cannot be read; it was renamed, or its file system is not mounted.
        """
        try:
            return self._find()
        except OSError as cause:
            where = cause.filename or ", ".join(map(str, self.roots))
            raise UnavailableError(f"{where}: cannot be read: {cause.strerror or cause}") from cause

    def _find(self) -> dict[str, FoundModel]:
        found = {name: FoundModel(file.parent, {FILE_VERSION: file}) for name, file in self._files.items()}
        for root in self.roots:
            self._check_mounted(root)
            if (root / MANIFEST_FILE).is_file():
                manifest = read_package(root)
                found.setdefault(manifest.name, FoundModel(root.parent)).versions[manifest.version] = root
            elif _is_model(root):
                _add(found, root)
            else:
                for folder in _folders(root):
                    _add(found, folder)
        return found

    def _check_mounted(self, root: Path) -> None:
        """Raise OSError if a folder is empty and on another file system than before: that was unmounted."""
        device = root.stat().st_dev
        if self._devices.setdefault(root, device) == device:
            return
        if next(root.iterdir(), None) is None:
            raise OSError(errno.ENODEV, "its file system is not mounted", str(root))
        self._devices[root] = device

    def no_model(self) -> str:
        """The reason why nothing was found, and what to do."""
        suffixes = bare_runtimes()
        for root in self.roots:
            suffix = next((path.suffix for path in sorted(root.iterdir()) if path.suffix in suffixes and path.is_file()), "")
            if suffix:
                return f"no model in {root}, but model files; specify the files, as in `serve {root}/*{suffix}`"
        return f"no model in {', '.join(map(str, self.roots))}; add NAME/VERSION/{MANIFEST_FILE}, or specify model files"

    def ignored(self) -> list[str]:
        """One line for each folder of a repository that is no model, hidden ones left out, and for each file that is served under
        another name than its own."""
        lines = list(self._renamed)
        for root in self.roots:
            if (root / MANIFEST_FILE).is_file() or _is_model(root):
                continue
            for folder in sorted(path for path in root.iterdir() if path.is_dir() and not path.name.startswith("."))[
                :ENTRIES_MAX
            ]:
                if not NAME.fullmatch(folder.name):
                    lines.append(f"{folder} is not served: a model name must be up to 64 letters, digits, '_', '-' and '.'")
                elif not _is_model(folder):
                    lines.append(f"{folder} is not served: it contains no VERSION/{MANIFEST_FILE} and no VERSION/model file")
        return lines


def _file_name(file: Path) -> str:
    """The model name of a file: its own without the suffix, other characters replaced."""
    return re.sub(r"[^A-Za-z0-9_.-]", "_", file.stem).lstrip("_.-")[:64] or "model"


def _add(found: dict[str, FoundModel], folder: Path) -> None:
    """Add the versions of a model's folder. One with a `config.pbtxt` is a model without any version, too."""
    configured = (folder / PBTXT_FILE).is_file()
    versions = {
        path.name: path for path in _folders(folder) if _is_version(path) or (configured and _NUMBER.fullmatch(path.name))
    }
    if versions or configured:
        found.setdefault(folder.name, FoundModel(folder)).versions.update(versions)


def _is_model(folder: Path) -> bool:
    return bool(folder.name) and ((folder / PBTXT_FILE).is_file() or any(_is_version(path) for path in _folders(folder)))


def _folders(folder: Path) -> list[Path]:
    named = (path for path in folder.iterdir() if NAME.fullmatch(path.name) and path.is_dir())
    return sorted(named)[:ENTRIES_MAX]


def _is_version(folder: Path) -> bool:
    suffixes = bare_runtimes()
    return (folder / MANIFEST_FILE).is_file() or any(path.suffix in suffixes for path in folder.iterdir())
