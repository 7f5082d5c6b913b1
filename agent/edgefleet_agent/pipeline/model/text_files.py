"""Reads the text files of a model: manifest and labels."""

from __future__ import annotations

from pathlib import Path

from edgefleet_contract.core.errors import ManifestError
from edgefleet_contract.package.label_lines import labels_in

TEXT_BYTES_MAX = 1024 * 1024
"""Size limit of model.toml and of label files."""


def read_text(path: Path, advice: str) -> str:
    """The text of a file of a model.

    Raises:
        ManifestError: it cannot be read, is too long, or not text; the text ends with `advice`.
    """
    try:
        with path.open("rb") as file:
            data = file.read(TEXT_BYTES_MAX + 1)
        if len(data) > TEXT_BYTES_MAX:
            raise ManifestError(f"{path}: larger than {TEXT_BYTES_MAX} bytes; {advice}")
        return data.decode()
    except OSError as cause:
        raise ManifestError(f"{path}: cannot be read ({cause.strerror}); {advice}") from cause
    except UnicodeDecodeError as cause:
        raise ManifestError(f"{path}: not UTF-8 text; {advice}") from cause


def read_labels(path: Path | None) -> tuple[str, ...]:
    """Labels by line, the line number being the class; empty without a file or with an empty one."""
    if path is None:
        return ()
    return labels_in(read_text(path, "specify a text file with one label per line"))
