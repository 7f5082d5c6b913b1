"""Package folders around the shared test models.

`tests/packages/<name>/<version>/` holds our own text (model.toml, expected golden answers); `[provenance.files]` of the manifest
says which file of the test data each other file is. `package("yolox_nano")` puts both together in a temporary folder.

    mobilenet_v2 1.0.0                    a classifier for all three runtimes (cpu-int8, onnx-int8, openvino-int8)
    yolox_nano 1.0.0                      a float detector (onnx-f32 for two runtimes, openvino-f16)
    ssd_mobilenet_v1 1.0.0                an 8-bit detector for LiteRT (cpu-int8), the fastest of all
    person_detection_retail_0013 1.0.0    a good detector for OpenVINO; its golden sample passes
    person_detection_retail_0013 1.1.0    a bad update of it: loads, but its golden sample fails (golden_mismatch)
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Protocol

import pytest

from edgefleet_contract.package.manifest import MANIFEST_FILE, read_manifest

SOURCES = Path(__file__).resolve().parent / "packages"


class MakePackage(Protocol):
    """The `package` fixture."""

    def __call__(self, name: str, version: str = "1.0.0", *, copy: bool = False) -> Path: ...


def assemble(data: Path, into: Path, name: str, version: str = "1.0.0", *, copy: bool = False) -> Path:
    """The package in `into/<name>/<version>`. Models and pictures are links to the test data unless `copy`: then the folder
    stands alone and its files may be changed."""
    source = SOURCES / name / version
    folder = into / name / version
    shutil.copytree(source, folder, dirs_exist_ok=True)
    manifest = read_manifest((source / MANIFEST_FILE).read_text(encoding="utf-8"), str(source))
    for path, shared in manifest.provenance["files"].items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.unlink(missing_ok=True)
        if copy:
            shutil.copyfile(data / shared, target)
        else:
            target.symlink_to(data / shared)
    return folder


@pytest.fixture
def package(data: Path, tmp_path: Path) -> MakePackage:
    """Makes a package folder: `package(name, version="1.0.0", copy=False) -> Path`."""

    def make(name: str, version: str = "1.0.0", *, copy: bool = False) -> Path:
        return assemble(data, tmp_path / "packages", name, version, copy=copy)

    return make
