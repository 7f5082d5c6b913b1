"""A folder with an IR, asked a thousand times by unmodified clients: every answer is the bare runtime's."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import tritonclient.grpc as triton_grpc
import tritonclient.http as triton_http

from edgefleet_agent.backends.installed import cpu_profile, installed_runtimes
from edgefleet_agent.serving.engine.model_registry import ModelRegistry
from edgefleet_agent.serving.models.model_loader import LoadTarget
from edgefleet_agent.serving.models.repository import FolderRepository
from edgefleet_agent.serving.open_listeners import open_grpc, open_http
from tests.agent.serving.conftest import LIMITS, SERVER
from tests.agent.serving.matrix.models import bare, write_model

CALLS = 500
"""Over each protocol."""


@pytest.mark.parametrize("module", [triton_http, triton_grpc], ids=["http", "grpc"])
def test_every_call_is_answered_as_by_the_bare_runtime(tmp_path: Path, module: object) -> None:
    files = write_model("open_vino", "FP32", "open", tmp_path / "ir" / "1")
    catalogue = ModelRegistry()
    repository = FolderRepository([tmp_path], catalogue, LoadTarget(tuple(installed_runtimes()), cpu_profile()))
    assert repository.load_all() == []
    opened, kind = (open_http, triton_http) if module is triton_http else (open_grpc, triton_grpc)
    listener = opened("127.0.0.1:0", catalogue, repository, SERVER, LIMITS)
    client = kind.InferenceServerClient(listener.address)
    rng = np.random.default_rng(11)
    samples = [rng.standard_normal((rows, 6)).astype(np.float32) for rows in (1, 2, 5, 16)]
    expected = [bare("open_vino", files, each).tobytes() for each in samples]
    for number in range(CALLS):
        sample = samples[number % len(samples)]
        given = kind.InferInput("X", sample.shape, "FP32")
        given.set_data_from_numpy(sample)
        # The id moves the tensor in the body: it comes at every alignment.
        found = client.infer("ir", [given], request_id="x" * (1 + number // len(samples) % 64)).as_numpy("Y")
        assert found.tobytes() == expected[number % len(samples)]
    client.close()
    listener.close()
    catalogue.close()
