"""Writes the archive of a support bundle: texts without secrets, within a limit of bytes."""

from __future__ import annotations

import time
import zipfile
from collections.abc import Mapping
from pathlib import Path

from edgefleet_agent.sources.redact import scrub
from edgefleet_contract.core.atomic_files import as_store_error, move_file
from edgefleet_contract.core.errors import UnavailableError
from edgefleet_contract.wire.evidence_upload import SUPPORT_BYTES_MAX

ENTRY_CHARS_MAX = 2_000_000
FILES_MAX = 2000
_CUT = "[the beginning was left out]\n"


def write_support_bundle(file: Path, texts: Mapping[str, str], limit: int = SUPPORT_BYTES_MAX) -> int:
    """Write `file`, a ZIP archive of these texts by name, with secrets removed; of a long text its end. Returns its length.

    Raises:
        StoreError: the disk does not take it. UnavailableError: it would be longer than `limit`.
    """
    new = file.with_name(f".{file.name}.new")
    with as_store_error(file):
        try:
            with zipfile.ZipFile(new, "w", zipfile.ZIP_DEFLATED) as archive:
                for name, text in texts.items():
                    shown = scrub(text)
                    archive.writestr(name, shown if len(shown) <= ENTRY_CHARS_MAX else _CUT + shown[-ENTRY_CHARS_MAX:])
            length = new.stat().st_size
            if length > limit:
                raise UnavailableError(f"the support bundle has {length} bytes; the limit is {limit}")
            move_file(new, file)
        finally:
            new.unlink(missing_ok=True)
    return length


def list_of_files(state: Path) -> str:
    """Path, bytes and time of the files in the state folder, not their content."""
    lines = []
    for path in sorted(state.rglob("*"))[:FILES_MAX]:
        try:
            stat = path.lstat()
        except OSError:
            continue  # deleted meanwhile
        moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(stat.st_mtime))
        lines.append(f"{moment} {stat.st_size:>12} {path.relative_to(state)}{'/' if path.is_dir() else ''}")
    return "\n".join(lines)
