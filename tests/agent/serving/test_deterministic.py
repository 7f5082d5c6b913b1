"""`deterministic = true`: equal requests give equal bits, alone or in a crowd, in every runtime."""

from __future__ import annotations

import concurrent.futures
import http.client
import json
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from edgefleet_agent.backends.installed import cpu_profile, installed_runtimes
from edgefleet_agent.serving.engine.instance_pool import InstancePool
from edgefleet_agent.serving.engine.model_registry import ModelRegistry
from edgefleet_agent.serving.engine.multicore_session import LONE_MIN, PAIRS
from edgefleet_agent.serving.models.model_loader import LoadTarget
from edgefleet_agent.serving.models.repository import FolderRepository
from edgefleet_agent.serving.open_listeners import open_http
from tests.agent.serving import onnx_file
from tests.agent.serving.conftest import LIMITS, SERVER, put_model

WAIT_S = 60.0
SETTINGS = "deterministic = true\nmax_batch_size = 16\n[dynamic_batching]\nmax_queue_delay_microseconds = 5000\n"
"""A delay for batches, which is not heeded then."""
SIDE = 384
CALLERS = 6
CALLS = 2 * (LONE_MIN + 2 * PAIRS)
"""Lone calls enough for the session over several cores, were there one."""


def network() -> bytes:
    """Long sums of floats: rows that are computed together, or threads that share a sum, round in another order."""
    rng = np.random.default_rng(3)
    weights = {name: rng.standard_normal((SIDE, SIDE)).astype(np.float32) for name in ("W1", "W2", "W3")}
    steps = [("MatMul", ["X", "W1"], "a"), ("Tanh", ["a"], "b"), ("MatMul", ["b", "W2"], "c"), ("Softmax", ["c"], "d")]
    steps += [("MatMul", ["d", "W3"], "Y")]
    return onnx_file.chain(steps, weights, {"X": ("n", SIDE)}, {"Y": ("n", SIDE)})


@pytest.fixture(params=["onnx_runtime", "open_vino"])
def site(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[str, ModelRegistry]]:
    put_model(tmp_path, "m", network(), config=f'runtime = "{request.param}"\n{SETTINGS}')
    yield from served(tmp_path)


def served(root: Path) -> Iterator[tuple[str, ModelRegistry]]:
    catalogue = ModelRegistry()
    repository = FolderRepository([root], catalogue, LoadTarget(tuple(installed_runtimes()), cpu_profile()))
    assert repository.load_all() == []
    listener = open_http("127.0.0.1:0", catalogue, repository, SERVER, LIMITS)
    yield listener.address, catalogue
    listener.close()
    catalogue.close()
    repository.close()


class Caller:
    """One connection."""

    def __init__(self, address: str, name: str, datatype: str) -> None:
        self._line = http.client.HTTPConnection(address, timeout=WAIT_S)
        self._name, self._datatype = name, datatype

    def ask(self, array: np.ndarray, padding: int = 0) -> bytes:
        """The bits of the answer. padding: moves the tensor in the body."""
        raw = array.tobytes()
        tensor = {
            "name": self._name,
            "shape": array.shape,
            "datatype": self._datatype,
            "parameters": {"binary_data_size": len(raw)},
        }
        head = json.dumps({"inputs": [tensor], "parameters": {"binary_data_output": True}}).encode() + b" " * padding
        self._line.request("POST", "/v2/models/m/infer", head + raw, {"Inference-Header-Content-Length": str(len(head))})
        answer = self._line.getresponse()
        size = answer.getheader("Inference-Header-Content-Length")
        data = answer.read()
        assert answer.status == 200, data
        return data[int(size or 0) :]

    def close(self) -> None:
        self._line.close()


def different_answers(address: str, name: str, datatype: str, samples: list[np.ndarray], calls: int) -> int:
    """Asks for the samples alone, then with all callers at once, at all alignments; counts the different answers of the worst."""
    found: list[set[bytes]] = [set() for _ in samples]
    alone = Caller(address, name, datatype)
    for number in range(calls):
        found[number % len(samples)].add(alone.ask(samples[number % len(samples)], number % 64))
    alone.close()
    lock = threading.Lock()

    def crowd(seed: int) -> None:
        caller = Caller(address, name, datatype)
        for number in range(calls // 2):
            which = (number * seed + seed) % len(samples)
            answer = caller.ask(samples[which], (number * seed) % 64)
            with lock:
                found[which].add(answer)
        caller.close()

    with concurrent.futures.ThreadPoolExecutor(CALLERS) as pool:
        list(pool.map(crowd, range(1, CALLERS + 1)))
    return max(map(len, found))


def test_every_answer_has_the_same_bits(site: tuple[str, ModelRegistry]) -> None:
    address, catalogue = site
    rng = np.random.default_rng(5)
    samples = [rng.standard_normal((rows, SIDE)).astype(np.float32) for rows in (1, 1, 3)]
    assert different_answers(address, "X", "FP32", samples, CALLS) == 1
    engine = catalogue.find("m").engine
    assert isinstance(engine, InstancePool)
    assert engine.statistics.executions == engine.statistics.success.count  # no request was joined to another
    assert engine._wide is None
    assert json.loads(json.dumps(catalogue.find("m").config_to_json()))["deterministic"] is True


def test_lite_rt_gives_the_same_bits(data: Path, tmp_path: Path) -> None:
    folder = tmp_path / "m" / "1"
    folder.mkdir(parents=True)
    name = "mobilenet_v2_1.0_224_quant"
    shutil.copyfile(data / "models/tflite" / name / f"{name}.tflite", folder / "model.tflite")
    (tmp_path / "m" / "serving.toml").write_text("deterministic = true\n")
    for address, _ in served(tmp_path):
        sample = np.random.default_rng(5).integers(0, 256, (1, 224, 224, 3), np.uint8)
        assert different_answers(address, "input", "UINT8", [sample], 12) == 1


def test_devices_of_several_kinds_are_refused(tmp_path: Path) -> None:
    groups = '[[instance_group]]\ndevice = "cpu"\n[[instance_group]]\ndevice = "cuda"\n'
    put_model(tmp_path, "m", network(), config="deterministic = true\n" + groups)
    repository = FolderRepository([tmp_path], ModelRegistry(), LoadTarget(("onnx_runtime",), cpu_profile()))
    (fault,) = repository.load_all()
    assert "deterministic requires one kind of device; instance_group has cpu, cuda" in fault
