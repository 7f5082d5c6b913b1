"""The contract of every blob store, kept by the folder and by the bucket; and what only a bucket can do wrong."""

from __future__ import annotations

import hashlib
import os
import random
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from edgefleet_contract.wire.messages import BLOCK_BYTES
from edgefleet_server.core.errors import InputError, StoreError
from edgefleet_server.registry.blob_store import BlobStore
from edgefleet_server.registry.s3_blob_store import Bucket, S3BlobStore
from tests.services.buckets import Buckets

Make = Callable[[], BlobStore]
"""Another store on the same bytes: as after a restart, or on another server."""


def body(seed: int, length: int) -> tuple[str, bytes]:
    data = random.Random(seed).randbytes(length)
    return hashlib.sha256(data).hexdigest(), data


def put(store: BlobStore, sha256: str, data: bytes) -> None:
    with store.staging() as folder:
        (folder / "file").write_bytes(data)
        store.adopt(folder / "file", sha256)


@pytest.fixture(params=["folder", "bucket"])
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Make:
    if request.param == "folder":
        return lambda: BlobStore(tmp_path / "blobs")
    url = request.getfixturevalue("buckets").make()
    numbers = iter(range(100))
    return lambda: S3BlobStore(tmp_path / f"cache-{next(numbers)}", Bucket.parse(url))


def test_what_is_adopted_is_there_whole_block_by_block_and_after_a_restart(make: Make) -> None:
    sha256, data = body(1, 3 * BLOCK_BYTES + 5)
    store = make()
    store.open()
    assert not store.has(sha256)
    assert not store.path(sha256).exists()
    put(store, sha256, data)
    put(store, sha256, data)
    again = make()
    again.open()
    for one in (store, again):
        assert one.has(sha256)
        assert one.path(sha256).read_bytes() == data
        blocks = [one.read_block(sha256, number) for number in range(5)]
        assert b"".join(blocks) == data
        assert [len(block) for block in blocks[3:]] == [5, 0]
        assert one.read_block("0" * 64, 0) == b""
        assert one.read_block(sha256, 10**30) == b""


def test_a_dropped_blob_may_be_added_again(make: Make) -> None:
    sha256, data = body(2, 1000)
    store = make()
    store.open()
    put(store, sha256, data)
    store.drop(sha256)
    store.drop(sha256)
    assert (store.has(sha256), store.read_block(sha256, 0)) == (False, b"")
    put(store, sha256, data)
    assert store.read_block(sha256, 0) == data


def test_many_read_at_once(make: Make) -> None:
    sha256, data = body(3, 2 * BLOCK_BYTES)
    first = make()
    first.open()
    put(first, sha256, data)
    store = make()
    store.open()
    read: list[bytes] = []
    threads = [threading.Thread(target=lambda: read.append(store.path(sha256).read_bytes())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert read == [data] * 8


def test_a_sweep_keeps_what_is_named(make: Make) -> None:
    """Of a bucket only what is old as well: other servers may be uploading."""
    (keep, first), (drop, second) = body(4, 100), body(5, 100)
    store = make()
    store.open()
    put(store, keep, first)
    put(store, drop, second)
    removed = store.sweep({keep})
    assert store.has(keep)
    assert (removed, store.has(drop)) == ((0, True) if isinstance(store, S3BlobStore) else (1, False))


def test_a_bucket_that_lies_is_found_out(buckets: Buckets, tmp_path: Path) -> None:
    url = buckets.make()
    sha256, _ = body(6, 100)
    bucket = Bucket.parse(url)
    buckets.client.put_object(Bucket=bucket.name, Key=f"fleet/{sha256[:2]}/{sha256}", Body=b"something else")
    store = S3BlobStore(tmp_path / "cache", bucket)
    store.open()
    with pytest.raises(StoreError, match="does not match its SHA-256; push the package again"):
        store.path(sha256)
    assert not list((tmp_path / "cache").glob("??/*"))


def test_what_was_read_longest_ago_gives_way_here_and_stays_there(buckets: Buckets, tmp_path: Path) -> None:
    url = buckets.make()
    store = S3BlobStore(tmp_path / "cache", Bucket.parse(url), cache_bytes=2_500)
    store.open()
    bodies = [body(seed, 1000) for seed in range(10, 14)]
    for number, (sha256, data) in enumerate(bodies):
        put(store, sha256, data)
        if number < 3:
            os.utime(tmp_path / f"cache/{sha256[:2]}/{sha256}", (1e9 + number,) * 2)
    cached = {path.name for path in (tmp_path / "cache").glob("??/*")}
    assert cached == {bodies[2][0], bodies[3][0]}
    assert buckets.names(url) == {f"fleet/{sha256[:2]}/{sha256}" for sha256, _ in bodies}
    assert [store.read_block(sha256, 0) for sha256, _ in bodies] == [data for _, data in bodies]


def test_a_missing_bucket_is_reported_in_one_line(buckets: Buckets, tmp_path: Path) -> None:
    missing = Bucket.parse(f"s3://nowhere?endpoint={buckets.endpoint}&region=us-east-1")
    with pytest.raises(StoreError, match=r"s3://nowhere cannot be used: .*; check the endpoint, the credentials"):
        S3BlobStore(tmp_path / "cache", missing).open()


@pytest.mark.parametrize("url", ["http://bucket", "s3://", "s3://key:secret@bucket", "s3://bucket?endpint=x"])
def test_urls_that_are_none(url: str) -> None:
    with pytest.raises(InputError, match="must be s3://bucket/prefix"):
        Bucket.parse(url)
    assert Bucket.parse("s3://b/a/c/") == Bucket("b", "a/c/")
