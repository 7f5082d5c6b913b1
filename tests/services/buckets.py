"""A server that speaks S3's protocol, on this machine: moto's, which keeps objects in memory. Not AWS, and not MinIO."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from typing import Any

import pytest


class Buckets:
    """The server, with direct access to its objects for tests."""

    def __init__(self) -> None:
        from moto.server import ThreadedMotoServer

        self._server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
        self._server.start()
        host, port = self._server.get_host_and_port()
        self.endpoint = f"http://{host}:{port}"
        os.environ.setdefault("AWS_ACCESS_KEY_ID", "test")
        os.environ.setdefault("AWS_SECRET_ACCESS_KEY", "test")
        import boto3

        self.client: Any = boto3.client("s3", endpoint_url=self.endpoint, region_name="us-east-1")

    def make(self) -> str:
        """A new bucket's URL."""
        name = f"b-{uuid.uuid4().hex[:12]}"
        self.client.create_bucket(Bucket=name)
        return f"s3://{name}/fleet?endpoint={self.endpoint}&region=us-east-1"

    def names(self, url: str) -> set[str]:
        """The objects of a bucket."""
        found = self.client.list_objects_v2(Bucket=url.split("/")[2]).get("Contents", [])
        return {item["Key"] for item in found}

    def stop(self) -> None:
        self._server.stop()


@pytest.fixture(scope="session")
def buckets() -> Iterator[Buckets]:
    """Skips where moto or boto3 is not installed."""
    pytest.importorskip("moto.server", reason="needs the packages moto[server] and boto3")
    pytest.importorskip("boto3", reason="needs the packages moto[server] and boto3")
    made = Buckets()
    yield made
    made.stop()
