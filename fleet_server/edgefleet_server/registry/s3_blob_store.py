"""Blob store in a bucket of S3, or of a server with its protocol (MinIO, Ceph, Garage): `s3://bucket/prefix`.

The bucket is the source of truth and is shared by all servers of a fleet; each server has a bounded cache folder, because a wave
reads the same blocks repeatedly. A blob from the bucket is compared with its SHA-256 before it is added to the cache. Credentials
come from the same places as for AWS's own tools: the environment, `~/.aws`, or the machine's role.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
import threading
import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

from edgefleet_server.core.errors import InputError, MissingError, StoreError
from edgefleet_server.registry.blob_store import BlobStore

CACHE_BYTES_MAX: Final = 8 * 1024**3
IN_USE_S: Final = 600.0
"""A file that was requested within this time may be in use."""
UPLOAD_GRACE_S: Final = 3_600.0
"""A younger object that no version needs may belong to an upload in progress on another server."""
CONNECT_S: Final = 5.0
READ_S: Final = 60.0
TRIES: Final = 4


@dataclass(frozen=True, slots=True)
class Bucket:
    """Location of the blobs: `s3://NAME/PREFIX?endpoint=URL&region=R`. No endpoint: AWS."""

    name: str
    prefix: str = ""
    endpoint: str = ""
    region: str = ""

    @classmethod
    def parse(cls, url: str) -> Bucket:
        """Parse the URL.

        Raises:
            InputError: it is not such a URL.
        """
        parts = urlsplit(url)
        query = parse_qs(parts.query, keep_blank_values=True)
        unknown = set(query) - {"endpoint", "region"}
        if parts.scheme != "s3" or not parts.netloc or parts.username or unknown:
            raise InputError(
                f"--blobs {url!r}: must be s3://bucket/prefix?endpoint=https://host:9000&region=R (both optional);"
                " set the credentials in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
            )
        prefix = parts.path.strip("/")
        return cls(parts.netloc, f"{prefix}/" if prefix else "", query.get("endpoint", [""])[0], query.get("region", [""])[0])


class S3BlobStore(BlobStore):
    """The store. `folder`: the cache, and files that are not verified yet. Thread-safe."""

    def __init__(self, folder: Path, bucket: Bucket, cache_bytes: int = CACHE_BYTES_MAX) -> None:
        """Create the client of the bucket; `cache_bytes`: limit of the cache.

        Raises:
            MissingError: the client library is not installed.
        """
        super().__init__(folder)
        self._bucket = bucket
        self._cache_bytes = cache_bytes
        self._client, self._refused = _connect(bucket)
        self._locks: dict[str, threading.Lock] = {}
        self._guard = threading.Lock()

    def open(self) -> None:
        """Create the folder, and check that the bucket answers.

        Raises:
            StoreError: it does not answer.
        """
        super().open()
        with self._as_store_error("cannot be used"):
            self._client.head_bucket(Bucket=self._bucket.name)

    def path(self, sha256: str) -> Path:
        """The file of a blob, fetched if necessary; a path that does not exist if the bucket does not have the blob.

        Raises:
            StoreError: the bucket does not answer, or its bytes do not match.
        """
        cached = self._place(sha256)
        if not _touched(cached):
            with self._alone(sha256):
                if not cached.is_file():
                    self._fetch(sha256)
        return cached

    def adopt(self, file: Path, sha256: str) -> None:
        """Put a staged file into the bucket and into the cache.

        Raises:
            StoreError: the bucket refuses.
        """
        if not self._there(sha256):
            with self._as_store_error(f"does not take {file.name!r}"):
                self._client.upload_file(str(file), self._bucket.name, self._key(sha256))
        super().adopt(file, sha256)
        self._make_room()

    def has(self, sha256: str) -> bool:
        """Whether the bucket has a blob.

        Raises:
            StoreError: the bucket does not answer.
        """
        return self._there(sha256)

    def drop(self, sha256: str) -> None:
        """Delete a blob from the bucket and the cache.

        Raises:
            StoreError: the bucket refuses.
        """
        with self._as_store_error("does not delete"):
            self._client.delete_object(Bucket=self._bucket.name, Key=self._key(sha256))
        super().drop(sha256)

    def sweep(self, keep: Collection[str]) -> int:
        """Delete objects that are not in `keep` and older than `UPLOAD_GRACE_S`, because other servers may use the same
        bucket."""
        removed, before = 0, time.time() - UPLOAD_GRACE_S
        with self._as_store_error("cannot be listed"):
            pages = self._client.get_paginator("list_objects_v2").paginate(Bucket=self._bucket.name, Prefix=self._bucket.prefix)
            for page in pages:
                for item in page.get("Contents", []):
                    name = item["Key"].rpartition("/")[2]
                    if item["Key"] == self._key(name) and name not in keep and item["LastModified"].timestamp() < before:
                        self._client.delete_object(Bucket=self._bucket.name, Key=item["Key"])
                        removed += 1
        return removed

    def _key(self, sha256: str) -> str:
        return f"{self._bucket.prefix}{sha256[:2]}/{sha256}"

    def _there(self, sha256: str) -> bool:
        with self._as_store_error("does not answer"):
            try:
                self._client.head_object(Bucket=self._bucket.name, Key=self._key(sha256))
            except self._client.exceptions.ClientError as error:
                if _is_absent(error):
                    return False
                raise
        return True

    def _fetch(self, sha256: str) -> None:
        handle, name = tempfile.mkstemp(dir=self._staging)
        os.close(handle)
        fetched = Path(name)
        try:
            with self._as_store_error("does not answer"):
                try:
                    self._client.download_file(self._bucket.name, self._key(sha256), name)
                except self._client.exceptions.ClientError as error:
                    if _is_absent(error):
                        return
                    raise
            if _digest(fetched) != sha256:
                raise StoreError(f"{self._shown}/{self._key(sha256)} does not match its SHA-256; push the package again")
            super().adopt(fetched, sha256)
            self._make_room()
        finally:
            fetched.unlink(missing_ok=True)

    def _make_room(self) -> None:
        """Delete the least recently used files of the cache until the rest fits."""
        with self._guard:
            stats = []
            for path in self._folder.glob("[0-9a-f][0-9a-f]/*"):
                with contextlib.suppress(FileNotFoundError):
                    stats.append((path.stat().st_mtime, path.stat().st_size, path))
            total, now = sum(size for _, size, _ in stats), time.time()
            for used_at, size, path in sorted(stats):
                if total <= self._cache_bytes or now - used_at < IN_USE_S:
                    return
                path.unlink(missing_ok=True)
                total -= size

    @contextlib.contextmanager
    def _alone(self, sha256: str) -> Iterator[None]:
        """Allow one fetch of a blob at a time."""
        with self._guard:
            lock = self._locks.setdefault(sha256, threading.Lock())
        with lock:
            yield
        with self._guard:
            self._locks.pop(sha256, None)

    @property
    def _shown(self) -> str:
        return f"s3://{self._bucket.name}"

    @contextlib.contextmanager
    def _as_store_error(self, what: str) -> Iterator[None]:
        try:
            yield
        except self._refused as error:
            advice = "check the endpoint, the credentials and the bucket policy"
            raise StoreError(f"{self._shown} {what}: {str(error).splitlines()[0]}; {advice}") from error


def _connect(bucket: Bucket) -> tuple[Any, tuple[type[Exception], ...]]:
    try:
        import boto3
        from boto3.exceptions import Boto3Error
        from botocore.config import Config
        from botocore.exceptions import BotoCoreError, ClientError
    except ModuleNotFoundError as error:
        raise MissingError(f"{error.name} is missing: pip install 'edgefleet-server[s3]'") from error
    config = Config(
        connect_timeout=CONNECT_S,
        read_timeout=READ_S,
        retries={"mode": "standard", "total_max_attempts": TRIES},
        s3={"addressing_style": "path" if bucket.endpoint else "auto"},  # a single endpoint has no host names of buckets
    )
    where = {"endpoint_url": bucket.endpoint or None, "region_name": bucket.region or None}
    try:
        return boto3.client("s3", config=config, **where), (BotoCoreError, ClientError, Boto3Error)
    except (BotoCoreError, ValueError) as error:
        raise InputError(f"--blobs s3://{bucket.name}: {error}") from error


def _is_absent(error: Any) -> bool:
    return str(error.response.get("Error", {}).get("Code")) in ("404", "NoSuchKey", "NotFound")


def _touched(path: Path) -> bool:
    """Whether the file exists; if so, mark it as used now."""
    try:
        os.utime(path)
    except FileNotFoundError:
        return False
    return True


def _digest(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while data := file.read(1 << 20):
            digest.update(data)
    return digest.hexdigest()
