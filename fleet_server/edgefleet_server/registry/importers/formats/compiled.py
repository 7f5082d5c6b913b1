"""Recognizes files that a vendor's compiler made for its accelerator. Only its runtime can read their tensors."""

from __future__ import annotations

from mmap import mmap
from pathlib import Path

from edgefleet_contract.package.formats import ModelFile
from edgefleet_server.core.errors import InputError, ManifestError

COMPILED = frozenset({"hailo_hef", "rknn"})
"""Formats whose tensors are not read."""
HAILO_HEF = b"\x01HEF"
"""The first bytes of every .hef file (`HEADER_MAGIC` in HailoRT's public sources)."""
RKNN = (b"RKNN", b"CYPTRKNN")
"""The first bytes of .rknn files, plain and encrypted."""


def read_compiled(path: Path, data: bytes | mmap) -> ModelFile:
    """The file, without tensors and operators.

    Raises:
        ManifestError: it does not begin as such files do.
    """
    hef = path.suffix == ".hef"
    if not bytes(data[:8]).startswith(HAILO_HEF if hef else RKNN):
        compiler = "Hailo's compiler" if hef else "RKNN-Toolkit2"
        raise ManifestError(f"{path}: not a file of {compiler}; compile the model again, or copy it again")
    return ModelFile(path, "hailo_hef" if hef else "rknn", (), (), files=(path,))


def check_described(model: ModelFile) -> None:
    """Check that a manifest can be made from the file.

    Raises:
        InputError: only its runtime knows its tensors.
    """
    if model.format in COMPILED:
        raise InputError(
            f"{model.path}: only its device knows its tensors; import the model that it was compiled from, then add this file to"
            " model.toml by hand, as a variant with its own inputs"
        )
