"""Blocks arrive in any order, twice, wrong, truncated and over crashes; a complete blob is always correct."""

from __future__ import annotations

import hashlib
import random
import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edgefleet_agent.model_store.blob_store import BlobStore, SealedBlob
from edgefleet_contract.core.errors import StoreError
from edgefleet_contract.package.blob import BlobSpec, BlockPut
from edgefleet_contract.package.manifest import describe
from edgefleet_contract.wire.messages import BLOCK_BYTES

BUDGET = 1 << 30


def noise(length: int) -> bytes:
    return random.Random(length).randbytes(length)


def spec_of(data: bytes) -> BlobSpec:
    return BlobSpec.of(describe("x", data))


def block(data: bytes, index: int) -> bytes:
    return data[index * BLOCK_BYTES : (index + 1) * BLOCK_BYTES]


@settings(max_examples=30, deadline=None)
@given(
    length=st.one_of(st.integers(0, 3), st.integers(BLOCK_BYTES - 1, BLOCK_BYTES + 1), st.integers(1, 4 * BLOCK_BYTES)),
    history=st.lists(st.tuples(st.integers(0, 4), st.sampled_from(["right", "wrong", "short", "long", "restart"])), max_size=25),
)
def test_any_history_ends_in_the_very_bytes(
    tmp_path_factory: pytest.TempPathFactory, length: int, history: list[tuple[int, str]]
) -> None:
    root = tmp_path_factory.mktemp("store")
    data = noise(length)
    spec = spec_of(data)
    store = BlobStore(root)
    have: set[int] = set()
    for index, what in history:
        piece = block(data, index)
        if what == "restart":
            store = BlobStore(root)
        elif what == "right":
            expected = (
                BlockPut.WRONG_LENGTH if index >= spec.block_count else BlockPut.DUPLICATE if index in have else BlockPut.VERIFIED
            )
            assert store.put(spec, index, piece) is expected
            have |= {index} if index < spec.block_count else set()
        elif what == "wrong" and piece:
            assert store.put(spec, index, bytes([piece[0] ^ 1]) + piece[1:]) in (BlockPut.WRONG_HASH, BlockPut.DUPLICATE)
        elif what == "short" and piece:
            assert store.put(spec, index, piece[:-1]) is BlockPut.WRONG_LENGTH
        elif what == "long":
            assert store.put(spec, index, piece + b"x") in (BlockPut.WRONG_LENGTH, BlockPut.WRONG_HASH)
        assert store.missing(spec) == sorted(set(range(spec.block_count)) - have)
        assert store.verified_bytes(spec) == sum(spec.block_length(number) for number in have)
        assert not store.has(spec.digest)
    for index in store.missing(spec):
        assert store.put(spec, index, block(data, index)) is BlockPut.VERIFIED
    assert store.seal(spec, BUDGET) is SealedBlob.DONE
    assert store.path(spec.digest).read_bytes() == data
    assert store.missing(spec) == []
    assert store.incoming() == set()
    shutil.rmtree(root)


def test_a_large_blob_is_sealed_in_several_turns(tmp_path: Path) -> None:
    data = noise(5 * BLOCK_BYTES)
    spec, store = spec_of(data), BlobStore(tmp_path)
    for index in range(5):
        store.put(spec, index, block(data, index))
    assert [store.seal(spec, 2 * BLOCK_BYTES) for _ in range(3)] == [SealedBlob.MORE, SealedBlob.MORE, SealedBlob.DONE]


def test_a_lying_disk_is_found_and_only_its_blocks_are_fetched_again(tmp_path: Path) -> None:
    data = noise(5 * BLOCK_BYTES)
    spec, store = spec_of(data), BlobStore(tmp_path)
    for index in range(5):
        store.put(spec, index, block(data, index))
    with (tmp_path / "incoming" / f"{spec.digest}.part").open("r+b") as file:
        file.seek(3 * BLOCK_BYTES + 5)
        file.write(b"rot")
    assert store.seal(spec, BUDGET) is SealedBlob.DAMAGED
    assert store.missing(spec) == [3]
    store.put(spec, 3, block(data, 3))
    assert store.seal(spec, BUDGET) is SealedBlob.DONE


def test_a_blob_without_block_hashes_is_judged_as_a_whole(tmp_path: Path) -> None:
    data = noise(2 * BLOCK_BYTES)
    spec, store = BlobSpec(hashlib.sha256(data).hexdigest(), len(data)), BlobStore(tmp_path)
    store.put(spec, 0, bytes(BLOCK_BYTES))
    store.put(spec, 1, block(data, 1))
    assert store.seal(spec, BUDGET) is SealedBlob.DAMAGED
    assert store.missing(spec) == [0, 1]


@pytest.mark.parametrize("left", ["map", "part", "short part", "long map"])
def test_half_of_a_blob_in_transfer_is_started_anew(tmp_path: Path, left: str) -> None:
    data = noise(3 * BLOCK_BYTES)
    spec = spec_of(data)
    BlobStore(tmp_path).put(spec, 1, block(data, 1))
    part, bits = tmp_path / "incoming" / f"{spec.digest}.part", tmp_path / "incoming" / f"{spec.digest}.map"
    if left == "map":
        part.unlink()
    elif left == "part":
        bits.unlink()
    elif left == "short part":
        part.write_bytes(b"x")
    else:
        bits.write_bytes(b"\xff\xff\xff")
    assert BlobStore(tmp_path).missing(spec) == [0, 1, 2]


def test_a_blob_is_read_only_and_the_same_bytes_are_stored_once(tmp_path: Path) -> None:
    store = BlobStore(tmp_path / "s")
    (tmp_path / "a").write_bytes(noise(1000))
    first, second = store.add_file(tmp_path / "a", "a.bin"), store.add_file(tmp_path / "a", "b.bin")
    assert first.sha256 == second.sha256 == describe("a", noise(1000)).sha256
    assert store.all() == {first.sha256}
    assert store.path(first.sha256).stat().st_mode & 0o222 == 0


def test_a_missing_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"No such file"):
        BlobStore(tmp_path).add_file(tmp_path / "nothing", "x")
