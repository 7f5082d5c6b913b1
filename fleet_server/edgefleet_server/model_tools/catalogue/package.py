"""Creates a package from an entry of the catalogue."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

import msgspec

from edgefleet_server.model_tools.catalogue.entries import CatalogueEntry, Download
from edgefleet_server.model_tools.catalogue.fetch import fetch
from edgefleet_server.registry.importers.package_folder import package_folder, write_package


class Bar(Protocol):
    """Progress of the download of one file."""

    def to(self, done: int, detail: str = "") -> None: ...


Bars = Callable[[str, int], AbstractContextManager[Bar]]


def make_package(entry: CatalogueEntry, into: Path, cache: Path, bars: Bars) -> Path:
    """Download missing files and write the package; returns its folder.

    Raises:
        InputError: the package exists, or a URL has other bytes. UnavailableError: no answer. StoreError: the disk refuses.
    """
    manifest = entry.manifest
    sources = {each.path: {"url": each.url, "sha256": each.sha256} for each in entry.download}
    manifest = msgspec.structs.replace(manifest, provenance={**manifest.provenance, "fetched": sources})
    folder = package_folder(into, manifest)
    with tempfile.TemporaryDirectory(prefix="edgefleet-fetch-") as scratch:
        files = {}
        for each in entry.download:
            with bars(each.path, each.length) as bar:
                files[each.path] = _cleaned(each, fetch(each, cache, bar.to), Path(scratch))
        write_package(folder, manifest, files)
    return folder


def _cleaned(download: Download, file: Path, scratch: Path) -> Path:
    """The file without the lines that the entry leaves out."""
    if not download.without:
        return file
    lines = [line for line in file.read_text(encoding="utf-8").splitlines() if line != download.without]
    made = scratch / Path(download.path).name
    made.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return made
