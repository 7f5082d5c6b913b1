"""Compiled models in a cache: another version never reads them, nor are they read after damage by a power cut."""

from __future__ import annotations

import os
import time
from pathlib import Path

import numpy as np
import pytest

from edgefleet_agent.backends.base import Array, LoadOptions
from edgefleet_agent.backends.compile_cache import (
    CHECKSUMS_FILE,
    FOLDERS_MAX,
    digest,
    engine_folder,
    nvidia_device,
    verified_cache,
)
from edgefleet_agent.core import plugins
from edgefleet_contract.core.errors import ModelError
from tests.agent.backends.test_contract import MODELS, cat
from tests.small_disk import mounted


def test_a_folder_for_each_version_device_and_model(tmp_path: Path) -> None:
    names = {
        engine_folder(tmp_path, *parts).name
        for parts in (
            ("tensorrt", "1.31.1-101300", "Orin (nvgpu)", "ab-f16"),
            ("tensorrt", "1.31.1-101400", "Orin (nvgpu)", "ab-f16"),
            ("tensorrt", "1.31.1-101300", "AGX", "ab-f16"),
            ("tensorrt", "1.31.1-101300", "Orin (nvgpu)", "cd-f16"),
            ("tensorrt", "1.31.1-101300", "Orin (nvgpu)"),
        )
    }
    assert len(names) == 5
    assert "tensorrt-1.31.1_101300-Orin_nvgpu-ab_f16" in names
    assert engine_folder(tmp_path, "../up", "/", "a b", "x" * 500).parent == tmp_path


def test_folders_that_were_not_used_for_long_are_removed(tmp_path: Path) -> None:
    first = engine_folder(tmp_path, "runtime", "1", "gpu", "first")
    (first / "engine").write_bytes(b"compiled")
    for number in range(FOLDERS_MAX - 1):
        old = engine_folder(tmp_path, "runtime", "1", "gpu", f"model {number}")
        os.utime(old, (1000 + number, 1000 + number))
    engine_folder(tmp_path, "runtime", "1", "gpu", "first")
    engine_folder(tmp_path, "runtime", "1", "gpu", "new")
    engine_folder(tmp_path, "runtime", "1", "gpu", "newer")
    left = {path.name for path in tmp_path.iterdir()}
    assert len(left) == FOLDERS_MAX
    assert (first / "engine").is_file()
    assert "runtime-1-gpu-model_0" not in left
    assert "runtime-1-gpu-model_2" in left


def test_every_byte_of_every_file_counts(tmp_path: Path) -> None:
    first, second = tmp_path / "model.xml", tmp_path / "model.bin"
    first.write_bytes(b"graph")
    second.write_bytes(bytes(3_000_000))
    before = digest((first, second))
    second.write_bytes(bytes(2_999_999) + b"\1")
    assert digest((first, second)) != before
    with pytest.raises(ModelError, match="gone"):
        digest((tmp_path / "gone",))


def write(folder: Path, **files: bytes) -> None:
    for name, data in files.items():
        (folder / name).write_bytes(data)


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_what_is_damaged_or_unknown_is_removed(tmp_path: Path) -> None:
    with verified_cache(tmp_path):
        write(tmp_path, whole=b"engine", cut=b"engine")
    write(tmp_path, cut=b"eng\0\0\0", unknown=b"half")
    with verified_cache(tmp_path):
        assert names(tmp_path) == {"whole", CHECKSUMS_FILE}
    assert names(tmp_path) == {"whole", CHECKSUMS_FILE}


def test_an_engine_of_a_first_run_stays(tmp_path: Path) -> None:
    with verified_cache(tmp_path, later=True):
        write(tmp_path, whole=b"engine")
    write(tmp_path, afterwards=b"another")
    with verified_cache(tmp_path, later=True):
        assert names(tmp_path) == {"whole", "afterwards", CHECKSUMS_FILE}
    write(tmp_path, afterwards=b"an\0ther")
    with verified_cache(tmp_path, later=True):
        assert names(tmp_path) == {"whole", CHECKSUMS_FILE}


def test_what_a_full_disk_may_have_cut_is_removed(tmp_path: Path) -> None:
    with mounted(tmp_path / "disk", "2m") as disk:
        with verified_cache(disk.folder, later=True):
            write(disk.folder, whole=b"engine")
        with verified_cache(disk.folder, later=True):
            (disk.folder / "cut").write_bytes(b"half of an engine")
            disk.fill()
        assert names(disk.folder) == {"whole", CHECKSUMS_FILE}


@pytest.mark.parametrize("damage", ["zeros in the middle", "half", "empty"])
def test_a_damaged_blob_never_answers(data: Path, tmp_path: Path, damage: str) -> None:
    files = tuple(data / "models" / path for path in MODELS["open_vino"])

    def answer() -> Array:
        session = plugins.load("backends", "open_vino")().load(files, LoadOptions(threads=1, cache_dir=tmp_path))
        return np.array(session.infer({"input": cat(data)})["MobilenetV2/Predictions/Softmax"])

    reference = answer()
    (blob,) = tmp_path.rglob("*.blob")
    whole = blob.read_bytes()
    at = len(whole) // 2
    cuts = {"zeros in the middle": whole[:at] + bytes(4096) + whole[at + 4096 :], "half": whole[:at], "empty": b""}
    blob.write_bytes(cuts[damage])
    assert np.array_equal(answer(), reference)
    written_at = blob.stat().st_mtime_ns
    time.sleep(0.01)
    assert np.array_equal(answer(), reference)
    assert blob.stat().st_mtime_ns == written_at


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"proc/driver/nvidia/gpus/0000:01:00.0/information": "Model: \t RTX 4000\nIRQ: 5\n"}, "RTX 4000"),
        ({"proc/device-tree/model": "NVIDIA Jetson Orin Nano\0"}, "NVIDIA Jetson Orin Nano"),
        ({}, "gpu"),
    ],
)
def test_the_gpu_is_named_by_what_it_is(tmp_path: Path, files: dict[str, str], expected: str) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert nvidia_device(0, tmp_path) == expected
