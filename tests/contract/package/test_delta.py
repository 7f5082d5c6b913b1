"""Chunks of delta manifests: the same from a file as from memory, in little memory, and the same as in older versions."""

from __future__ import annotations

import hashlib
import random
import tracemalloc
from pathlib import Path

import pytest

from edgefleet_contract.package.delta import PART_BYTES, WINDOW_BYTES, chunk_name, chunks, file_chunks


@pytest.mark.parametrize("length", [0, 1, 31, 33, WINDOW_BYTES - 1, WINDOW_BYTES + 31, PART_BYTES + WINDOW_BYTES + 7])
def test_a_file_has_the_chunks_of_its_bytes(tmp_path: Path, length: int) -> None:
    data = random.Random(length).randbytes(length)
    (tmp_path / "blob").write_bytes(data)
    with (tmp_path / "blob").open("rb") as file:
        found = list(file_chunks(file))
    assert found == [(at, size, chunk_name(data[at : at + size])) for at, size in chunks(data)]


def test_chunks_are_those_of_version_0_2() -> None:
    """Manifests of the server and files on devices meet across versions. Recorded with 0.2.0."""
    data = random.Random(5).randbytes(2 * WINDOW_BYTES + 77_777)
    listed = repr(list(chunks(data))).encode()
    assert hashlib.sha256(listed).hexdigest() == "bcbcc4989a741fb897d2d9db2df55b2a6ae304a4321c37e33bca804ed7ebd6e1"


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    with (tmp_path / "blob").open("wb") as file:
        file.truncate(6 * PART_BYTES)
    tracemalloc.start()
    try:
        with (tmp_path / "blob").open("rb") as file:
            total = sum(size for _, size, _ in file_chunks(file))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert total == 6 * PART_BYTES
    assert peak < 3 * PART_BYTES
