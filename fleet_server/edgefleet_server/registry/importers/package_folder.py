"""Writes package folders atomically, one command at a time."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

from edgefleet_contract.core.atomic_files import move_folder
from edgefleet_contract.core.fault_text import fault_text
from edgefleet_contract.package.manifest import MANIFEST_FILE, Manifest, read_manifest
from edgefleet_server.core.errors import InputError, StoreError
from edgefleet_server.registry.importers.manifest_text import manifest_text


def package_folder(into: Path, manifest: Manifest) -> Path:
    """Folder of the package under `into`.

    Raises:
        InputError: the folder exists.
    """
    folder = into / manifest.name / manifest.version
    check_new(folder)
    return folder


def check_new(folder: Path) -> None:
    """Check that no package is in `folder`.

    Raises:
        InputError: the folder exists.
    """
    if folder.exists():
        raise InputError(f"{folder} already exists; specify another --version, or delete it")


def write_package(folder: Path, manifest: Manifest, files: Mapping[str, Path], notes: tuple[str, ...] = ()) -> None:
    """Write a new package. files: path in the package → current path.

    Raises:
        InputError: the folder exists, or another command writes it. StoreError: the disk refuses. ManifestError: the manifest is
        not valid.
    """
    with StagedPackage(folder) as staged:
        staged.write_manifest(manifest, files, notes)
        staged.settle()


class StagedPackage:
    """Package in the making, in a staging folder beside its own: a context manager that one command at a time holds. The staging
    folder is the lock; one that a killed command left is taken over. What is not settled is deleted at the end."""

    def __init__(self, folder: Path, *, replaces: bool = False) -> None:
        """replaces: the package may exist, and `settle` replaces it."""
        self._folder = folder
        self._replaces = replaces
        self._descriptor = -1
        self.path = folder.with_name(f".{folder.name}.new")

    def __enter__(self) -> StagedPackage:
        """Raises:
        InputError: another command writes this package, or the folder exists. StoreError: the disk refuses.
        """
        try:
            while not self._lock():
                pass
        except OSError as cause:
            raise self._refused(cause) from cause
        if not self._replaces and self._folder.exists():
            self.__exit__(None, None, None)
            check_new(self._folder)
        return self

    def __exit__(self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None) -> None:
        if self._is_held():
            shutil.rmtree(self.path, ignore_errors=True)
            if self.path.parent.is_dir() and not any(self.path.parent.iterdir()):
                self.path.parent.rmdir()
        os.close(self._descriptor)  # which unlocks

    def write_manifest(self, manifest: Manifest, files: Mapping[str, Path], notes: tuple[str, ...] = ()) -> None:
        """Write the package of a manifest, in place of what is staged. files: path in the package → current path.

        Raises:
            StoreError: the disk refuses. ManifestError: the manifest is not valid.
        """
        text = manifest_text(manifest, notes)
        read_manifest(text, str(self._folder / MANIFEST_FILE))
        self.write(text, files)

    def write(self, text: str, files: Mapping[str, Path]) -> None:
        """Write the text of model.toml and copies of `files`, in place of what is staged.

        Raises:
            StoreError: the disk refuses.
        """
        try:
            for path in self.path.iterdir():
                shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
            for name, path in files.items():
                (self.path / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, self.path / name)
            (self.path / MANIFEST_FILE).write_text(text, encoding="utf-8")
        except OSError as cause:
            raise self._refused(cause) from cause

    def settle(self) -> None:
        """Move the staged package to its folder.

        Raises:
            StoreError: the disk refuses.
        """
        aside = self._folder.with_name(f".{self._folder.name}.old")
        shutil.rmtree(aside, ignore_errors=True)
        try:
            if self._replaces and self._folder.exists():
                move_folder(self._folder, aside)
            move_folder(self.path, self._folder)
        except StoreError as cause:
            advice = f"the package as it was may be {aside}" if self._replaces else "choose another folder with --into"
            raise StoreError(f"{self._folder}: cannot be written: {fault_text(cause)}; {advice}") from cause
        shutil.rmtree(aside, ignore_errors=True)

    def _lock(self) -> bool:
        """Lock the staging folder; whether it is still that of the name."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            self._descriptor = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY)
        except FileNotFoundError:  # another command removed it meanwhile
            return False
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as cause:
            os.close(self._descriptor)
            raise InputError(
                f"another command writes {self._folder} at this moment; wait until it has ended, or specify another --version"
            ) from cause
        if self._is_held():
            return True
        os.close(self._descriptor)
        return False

    def _is_held(self) -> bool:
        """Whether the locked folder has the name of the staging folder: it has another one when it is settled."""
        try:
            found = self.path.stat()
        except FileNotFoundError:
            return False
        return os.path.samestat(found, os.fstat(self._descriptor))

    def _refused(self, cause: OSError) -> StoreError:
        hint = "" if self._replaces else "; choose another folder with --into"
        return StoreError(f"{self._folder}: cannot be written: {cause.strerror}{hint}")
