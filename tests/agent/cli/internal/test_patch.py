"""Deltas: chunks shared with an older version are found at any position; a wrong delta never produces accepted bytes."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgefleet_agent.cli.internal.patch import index, put_together
from edgefleet_agent.model_store.blob_store import BlobStore
from edgefleet_agent.model_store.local_sources import LocalSources
from edgefleet_contract.encoding.codec import encode
from edgefleet_contract.package.blob import BlobSpec, BlockPut
from edgefleet_contract.package.delta import CHUNK_BYTES_MAX, DeltaManifest, chunk_name, chunks
from edgefleet_contract.package.manifest import describe
from edgefleet_contract.wire.messages import BLOCK_BYTES

OLD = random.Random(1).randbytes(3_000_000)


def delta(data: bytes) -> list[tuple[int, str]]:
    return [(length, chunk_name(data[at : at + length])) for at, length in chunks(data)]


@given(seed=st.integers(0, 99), length=st.integers(0, 300_000), period=st.sampled_from([0, 1, 7]))
def test_chunks_cover_everything_once(seed: int, length: int, period: int) -> None:
    data = random.Random(seed).randbytes(length) if not period else (bytes(range(period)) * (length // period + 1))[:length]
    at = 0
    for offset, size in chunks(data):
        assert offset == at
        assert 0 < size <= CHUNK_BYTES_MAX
        at += size
    assert at == len(data)


@pytest.mark.parametrize(
    ("new", "spared"),
    [
        (OLD, 1.0),
        (OLD[:1_500_000] + b"a retrained head" + OLD[1_500_000:], 0.85),
        (OLD[700:], 0.9),
        (OLD[:2_000_000] + random.Random(2).randbytes(1_000_000), 0.6),
        (random.Random(3).randbytes(3_000_000), 0.0),
    ],
)
def test_what_is_shared_is_not_fetched(tmp_path: Path, new: bytes, spared: float) -> None:
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "model.onnx").write_bytes(OLD)
    spec = BlobSpec.of(describe("model.onnx", new))
    near, store = LocalSources(), BlobStore(tmp_path)
    (tmp_path / "near").mkdir()
    reused_bytes = put_together(delta(new), index([tmp_path / "old"]), tmp_path / "near" / spec.digest)
    near.add(tmp_path / "near")
    verified = 0
    for number in range(spec.block_count):
        data = near.read(spec, number)
        if data is not None and store.put(spec, number, data) is BlockPut.VERIFIED:
            verified += 1
    assert verified >= spared * spec.block_count
    assert reused_bytes // BLOCK_BYTES <= verified, "what it says of itself is no more than what is there"
    assert len(encode(DeltaManifest(files={spec.digest: delta(new)}))) < 0.01 * len(new)


def test_a_delta_that_lies(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "model.onnx").write_bytes(OLD)
    here = index([tmp_path / "old"])
    parts = delta(OLD)
    assert put_together([(10**15, "00"), *parts], here, tmp_path / "huge") == 0
    put_together(parts[::-1], here, tmp_path / "turned")
    spec, store = BlobSpec.of(describe("model.onnx", OLD)), BlobStore(tmp_path)
    data = (tmp_path / "turned").read_bytes()[: spec.block_length(0)]
    assert store.put(spec, 0, data) is BlockPut.WRONG_HASH
