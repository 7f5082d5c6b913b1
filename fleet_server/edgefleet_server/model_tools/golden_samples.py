"""Golden samples of a package, made by the package itself: pictures with its answers, for a person to check."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from edgefleet_contract.core.atomic_files import make_folder, write_atomic
from edgefleet_contract.encoding.names import FILE_PATTERN
from edgefleet_contract.model_kinds import RESULT_KINDS
from edgefleet_contract.package.manifest import MANIFEST_FILE, Manifest, read_manifest
from edgefleet_server.core.errors import InputError
from edgefleet_server.model_tools.agent_process import agent_rows
from edgefleet_server.registry.importers.manifest_text import with_table

FOLDER = "golden"
PICTURES_MAX = 32
PICTURE_BYTES_MAX = 4 * 1024 * 1024
"""Every device downloads the pictures with the package."""
NAME_CHARS_MAX = 100
MIN_SCORE = 0.5
"""Boxes of at least this score are compared by devices."""
SUFFIXES = (".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff")
_HEADING = "[[golden]]"


@dataclass(frozen=True, slots=True)
class GoldenSample:
    """One sample. input, expect: paths in the package; answers: as `edgefleet-agent infer --json` prints them."""

    picture: Path
    input: str
    expect: str
    answers: list[dict[str, Any]]
    runtime: str
    device: str


def pictures_of(given: Sequence[Path]) -> list[Path]:
    """The pictures in files and folders, in their order.

    Raises:
        InputError: there is none, they are too many, or one is too large.
    """
    found = [each for path in given for each in (_in_folder(path) if path.is_dir() else [path])]
    if not found:
        raise InputError(f"{', '.join(map(str, given))}: no picture; name files or a folder with {', '.join(SUFFIXES)}")
    if len(found) > PICTURES_MAX:
        raise InputError(f"{len(found)} pictures; choose up to {PICTURES_MAX} that matter to you, since every device runs them")
    for path in found:
        if not path.is_file():
            raise InputError(f"{path}: no such file")
        if path.stat().st_size > PICTURE_BYTES_MAX:
            raise InputError(f"{path} is over {PICTURE_BYTES_MAX} bytes; make it smaller, every device downloads it")
    return found


def make_samples(package: Path, pictures: Sequence[Path], variant: str, limit_s: float) -> list[GoldenSample]:
    """Run the package on the pictures. variant: empty for the one that this machine takes.

    Raises:
        InputError: the agent refuses the package or a picture. UnavailableError: it takes longer than `limit_s`.
    """
    chosen = ["--variant", variant] if variant else []
    command = ["infer", "--json", "--min-score", str(MIN_SCORE), "--package", str(package), *chosen, *map(str, pictures)]
    rows = agent_rows(command, limit_s)
    return [_sample(picture, name, row) for picture, name, row in zip(pictures, _names(pictures), rows, strict=True)]


def staged(package: Path, manifest: Manifest, samples: Sequence[GoldenSample], into: Path) -> Path:
    """The package with these samples, in the folder `into`: its other files are links.

    Raises:
        InputError, ManifestError, StoreError: as `write_samples`.
    """
    for path in manifest.paths():
        link = into / path
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to((package / path).resolve())
    (into / MANIFEST_FILE).unlink(missing_ok=True)
    (into / MANIFEST_FILE).write_bytes((package / MANIFEST_FILE).read_bytes())
    for sample in samples:
        for path in (sample.input, sample.expect):
            (into / path).unlink(missing_ok=True)
    write_samples(into, samples)
    return into


def write_samples(package: Path, samples: Sequence[GoldenSample]) -> None:
    """Write pictures and answers into the package, and their entries into its manifest; those of the same name are replaced.

    Raises:
        InputError: the manifest has its samples in a form that cannot be extended, or an answer is not a number. ManifestError:
        the manifest would not be valid. StoreError: the disk refuses.
    """
    path = package / MANIFEST_FILE
    text = path.read_text(encoding="utf-8")
    if re.search(r"^\s*golden\s*=", text, re.MULTILINE):
        raise InputError(f"{path} has `golden = [...]`; write each sample as a table [[golden]]")
    for sample in samples:
        text = with_table(text, _HEADING, {"input": sample.input, "expect": sample.expect}, "input")
    read_manifest(text, str(path))
    answers = {sample.expect: _json(sample) for sample in samples}
    make_folder(package / FOLDER, 0o755)
    for sample in samples:
        if sample.picture.resolve() != (package / sample.input).resolve():
            write_atomic(package / sample.input, sample.picture.read_bytes())
        write_atomic(package / sample.expect, answers[sample.expect])
    write_atomic(path, text.encode())


def _json(sample: GoldenSample) -> bytes:
    try:
        return (json.dumps(sample.answers, ensure_ascii=False, indent=1, allow_nan=False) + "\n").encode()
    except ValueError as cause:
        raise InputError(f"{sample.picture}: the model computes NaN or infinity; check how it was exported") from cause


def _in_folder(folder: Path) -> list[Path]:
    return sorted(each for each in folder.iterdir() if each.suffix.lower() in SUFFIXES)


def _names(pictures: Sequence[Path]) -> Iterator[str]:
    """A file name for each picture in the package: its own if that is valid in packages and not taken, otherwise one made from
    its content, so that other pictures have other names."""
    taken: set[str] = set()
    for picture in pictures:
        own = picture.name
        usable = re.fullmatch(FILE_PATTERN, f"{FOLDER}/{own}") is not None and len(own) <= NAME_CHARS_MAX
        digest = hashlib.sha256(picture.read_bytes()).hexdigest()[:8]
        name = own if usable and own not in taken else f"picture-{digest}{picture.suffix.lower()}"
        taken.add(name)
        yield name


def _sample(picture: Path, name: str, row: dict[str, Any]) -> GoldenSample:
    answers: list[dict[str, Any]] = next(row[kind] for kind in RESULT_KINDS if kind in row)
    place = f"{FOLDER}/{name}"
    return GoldenSample(picture, place, f"{place}.json", answers, str(row["runtime"]), str(row["device"]))
