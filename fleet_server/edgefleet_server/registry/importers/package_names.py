"""Names of packages and of the files in them, from those of model files."""

from __future__ import annotations

import re
from pathlib import Path

from edgefleet_contract.encoding.names import FILE_PATTERN
from edgefleet_contract.package.formats import ModelFile
from edgefleet_contract.package.manifest import MANIFEST_FILE
from edgefleet_server.core.errors import InputError

LABELS_FILE = "labels.txt"
FILES_MAX = 16
"""Files of one variant."""
_LENGTH_MAX = 64
_PATH_MAX = 200


def package_name(text: str) -> str:
    """`text` as a name that the contract allows."""
    return re.sub(r"[^a-z0-9_-]", "_", text.lower()).lstrip("_-")[:_LENGTH_MAX] or "model"


def file_name(path: Path) -> str:
    """The name of a file as the contract allows it. Its ending stays, for runtimes and formats are chosen by it."""
    ending = re.sub(r"[^A-Za-z0-9.]", "_", path.suffix)
    stem = re.sub(r"[^A-Za-z0-9_.-]", "_", path.name.removesuffix(path.suffix)).lstrip("_.-")
    return f"{stem[: _LENGTH_MAX - len(ending)] or 'model'}{ending}"


def file_names(model: ModelFile) -> list[str]:
    """The names of the files of a model in a package, in their order. Files with the weights of an ONNX file keep theirs, which
    are written in it.

    Raises:
        InputError: a package cannot have such a file, or so many.
    """
    names = [file_name(model.path)]
    for path in model.files[1:]:
        if model.format != "onnx":
            names.append(file_name(path))
            continue
        name = path.relative_to(model.path.parent).as_posix()
        if not re.fullmatch(FILE_PATTERN, name) or len(name) > _PATH_MAX or name in (MANIFEST_FILE, LABELS_FILE):
            raise InputError(
                f"{model.path}: its weights are in {name!r}, which no file of a package can be called; save the model as one"
                " file, or with data whose name has a to z, 0 to 9, _, - and ."
            )
        names.append(name)
    if len(names) > FILES_MAX:
        raise InputError(
            f"{model.path}: its weights are in {len(names) - 1} files, a package takes {FILES_MAX - 1}; save the model with"
            " all of them in one"
        )
    if len(set(names)) < len(names):
        raise InputError(f"{model.path}: two of its files would be called {names[0]!r}; save the model under another name")
    return names
