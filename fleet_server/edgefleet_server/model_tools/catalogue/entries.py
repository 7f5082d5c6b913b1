"""An entry is a `model.toml` with [[download]] tables: path in the package, url, length in bytes, sha256, and for label files
`without`: lines that only fill gaps in the numbering.

Every SHA-256 in `entries/` was computed from the file itself, and this project's tests run every file but those for the Edge TPU.
Some come from copies in other repositories, as the descriptions say: no checksum of the publisher was available for comparison.
Entries whose description says "Not fetched here" have the publisher's lengths and SHA-256 instead; this project never ran them.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import Annotated, Any
from urllib.parse import urlsplit

from msgspec import Meta

from edgefleet_contract.core.errors import MessageError
from edgefleet_contract.encoding import toml
from edgefleet_contract.encoding.codec import Wire, from_plain
from edgefleet_contract.encoding.names import Digest, FilePath
from edgefleet_contract.package.manifest import PACKAGE_BYTES_MAX, Manifest
from edgefleet_server.core.errors import InputError, ManifestError

BUILT_IN = Path(__file__).resolve().parent / "entries"
ENTRY_BYTES_MAX = 256 * 1024
ENTRIES_MAX = 1000


class Download(Wire):
    """One file of an entry."""

    path: FilePath
    url: Annotated[str, Meta(max_length=2000)]
    length: Annotated[int, Meta(ge=1, le=PACKAGE_BYTES_MAX)]
    sha256: Digest
    without: str = ""


class CatalogueEntry(Wire):
    """A package that can be fetched."""

    manifest: Manifest
    download: Annotated[list[Download], Meta(min_length=1, max_length=64)]

    @property
    def length(self) -> int:
        """Bytes to fetch."""
        return sum(each.length for each in self.download)


def read_entry(text: str, where: str) -> CatalogueEntry:
    """Parse an entry.

    Raises:
        ManifestError: it is not an entry; the text gives the error.
    """
    plain: dict[str, Any] = toml.parse(text, where, ManifestError)
    downloads = plain.pop("download", [])
    try:
        entry = from_plain({"manifest": plain, "download": downloads}, CatalogueEntry)
    except MessageError as cause:
        raise ManifestError(f"{where}: {str(cause).removeprefix('manifest.')}") from cause
    manifest = entry.manifest
    needed, given = {PurePosixPath(path).as_posix() for path in manifest.paths()[1:]}, [each.path for each in entry.download]
    if needed != set(given) or len(given) != len(needed):
        raise ManifestError(
            f"{where}: [[download]] gives {', '.join(sorted(given))}; the manifest needs {', '.join(sorted(needed))}"
        )
    for each in entry.download:
        parts = urlsplit(each.url)
        if parts.scheme not in ("https", "http") or not parts.hostname or parts.username:
            raise ManifestError(f"{where}: {each.url!r} is no web address; write https://host/path")
    return entry


def entries(more: Path | None = None) -> dict[str, CatalogueEntry]:
    """All entries by name; `more`: a file or folder of the user, whose entries have precedence over the built-in ones.

    Raises:
        InputError: `more` has no entries. ManifestError: an entry is not valid.
    """
    found = {entry.manifest.name: entry for entry in _read(sorted(BUILT_IN.glob("*.toml")))}
    if more is not None:
        files = [more] if more.is_file() else sorted(more.glob("*.toml"))
        if not files:
            raise InputError(f"--catalogue {more}: no .toml file; give an entry, or a folder of them")
        found |= {entry.manifest.name: entry for entry in _read(files)}
    return dict(sorted(found.items()))


def _read(files: Iterable[Path]) -> Iterable[CatalogueEntry]:
    for number, file in enumerate(files):
        if number >= ENTRIES_MAX:
            raise InputError(f"{file.parent}: over {ENTRIES_MAX} entries; use several folders")
        try:
            data = file.read_bytes()[: ENTRY_BYTES_MAX + 1]
            if len(data) > ENTRY_BYTES_MAX:
                raise InputError(f"{file}: over the limit of {ENTRY_BYTES_MAX} bytes for an entry")
            yield read_entry(data.decode(), str(file))
        except OSError as cause:
            raise InputError(f"{file}: cannot be read: {cause.strerror}") from cause
        except UnicodeDecodeError as cause:
            raise InputError(f"{file}: not UTF-8 text") from cause
