"""A server in this process, with real models and real sockets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from edgefleet_agent.backends.installed import cpu_profile, installed_runtimes
from edgefleet_agent.serving.engine.model_registry import ModelRegistry
from edgefleet_agent.serving.frontend.listener_context import ListenerLimits
from edgefleet_agent.serving.frontend.server_state import Server
from edgefleet_agent.serving.models.model_source import LoadTarget
from edgefleet_agent.serving.models.repository import FolderRepository
from edgefleet_agent.serving.open_listeners import open_grpc, open_http
from edgefleet_agent.serving.protocol.shared_memory import SharedMemoryRegions
from tests.agent.serving import onnx_file

SERVER = Server("edgefleet", "test", SharedMemoryRegions(allowed=True))
LIMITS = ListenerLimits(body_bytes=4 * 1024 * 1024, bodies_bytes=64 * 1024 * 1024, connections=64, receive_s=1.0)
BATCHED = """
max_batch_size = 8
[dynamic_batching]
preferred_batch_size = [4, 8]
max_queue_delay_microseconds = 50000
priority_levels = 2
default_priority_level = 2
"""

NARROW = """
[dynamic_batching.default_queue_policy]
max_queue_size = 1
[[instance_group]]
count = 1
"""


def put_model(root: Path, name: str, data: bytes, version: str = "1", config: str = "") -> None:
    """Writes a bare model to a repository."""
    folder = root / name / version
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.onnx").write_bytes(data)
    if config:
        (folder.parent / "serving.toml").write_text(config)


@dataclass
class Api:
    """The open listeners, with their catalogue and repository."""

    http: str
    grpc: str
    root: Path
    catalogue: ModelRegistry
    repository: FolderRepository


@pytest.fixture(scope="session")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    """identity_<type> for every data type, `add`, `batched`, `unranked`, `narrow`, and `versions` with 1, 2, 10."""
    root = tmp_path_factory.mktemp("models")
    for datatype in onnx_file.ELEMENTS:
        put_model(root, f"identity_{datatype.lower()}", onnx_file.identity(datatype))
    put_model(root, "add", onnx_file.add())
    put_model(root, "batched", onnx_file.add(), config=BATCHED)
    put_model(root, "unranked", onnx_file.identity("FP32", None))
    put_model(root, "narrow", onnx_file.count(), config=NARROW)
    for version in ("1", "2", "10"):
        put_model(root, "versions", onnx_file.identity(), version)
    catalogue = ModelRegistry()
    repository = FolderRepository([root], catalogue, LoadTarget(tuple(installed_runtimes()), cpu_profile()))
    assert repository.load_all() == []
    http = open_http("127.0.0.1:0", catalogue, repository, SERVER, LIMITS)
    grpc = open_grpc("127.0.0.1:0", catalogue, repository, SERVER, LIMITS)
    yield Api(http.address, grpc.address, root, catalogue, repository)
    grpc.close()
    http.close()
    catalogue.close()
