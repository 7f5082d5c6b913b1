"""Settings of `serving.toml` over HTTP: cache, warm-up, rate limiter, adaptive delay, memory budget."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tritonclient.http as triton

from edgefleet_agent.backends.installed import cpu_profile, installed_runtimes
from edgefleet_agent.cli.measure.load_clients import HttpLoadClient, Tensor, closed_loop, http_infer
from edgefleet_agent.serving.engine.model_registry import ModelRegistry
from edgefleet_agent.serving.engine.rate_limiter import RateLimiter
from edgefleet_agent.serving.engine.response_cache import ENTRY_BYTES, ResponseCache, key_of
from edgefleet_agent.serving.models.memory_eviction import REASON
from edgefleet_agent.serving.models.model_source import LoadTarget
from edgefleet_agent.serving.models.repository import FolderRepository
from edgefleet_agent.serving.open_listeners import open_http
from tests.agent.serving import onnx_file
from tests.agent.serving.conftest import LIMITS, SERVER, put_model

WAIT_S = 30.0


class Site:
    """A repository and its HTTP listener."""

    def __init__(self, root: Path, memory_bytes: int = 0, **device: Any) -> None:
        self.root = root
        self.device = LoadTarget(tuple(installed_runtimes()), cpu_profile(), **device)
        self.catalogue = ModelRegistry()
        self.repository = FolderRepository([root], self.catalogue, self.device, memory_bytes)
        self.faults = self.repository.load_all()
        self.listener = open_http("127.0.0.1:0", self.catalogue, self.repository, SERVER, LIMITS)
        self.client = triton.InferenceServerClient(self.listener.address, concurrency=8)

    def close(self) -> None:
        self.client.close()
        self.listener.close()
        self.catalogue.close()

    def ask(self, model: str = "model", value: float = 1.0) -> Any:
        given = triton.InferInput("INPUT", [1, 16], "FP32")
        given.set_data_from_numpy(np.full((1, 16), value, np.float32))
        return self.client.infer(model, [given]).as_numpy("OUTPUT")

    def statistics(self, model: str = "model") -> dict[str, Any]:
        statistics = self.client.get_inference_statistics(model)
        return dict(statistics["model_stats"][0])


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Any]:
    made: list[Site] = []

    def make(configs: dict[str, str], **options: Any) -> Site:
        for name, config in configs.items():
            put_model(tmp_path, name, onnx_file.identity(), config=config)
        made.append(Site(tmp_path, **options))
        return made[-1]

    yield make
    for each in made:
        each.close()


def test_a_cached_answer_is_no_inference_and_survives_a_reload(site: Any) -> None:
    here = site({"model": "[response_cache]\nenable = true"})
    assert (here.ask(value=1.0) == 1.0).all()
    assert (here.ask(value=1.0) == 1.0).all()
    assert (here.ask(value=2.0) == 2.0).all()
    statistics = here.statistics()
    stats = statistics["inference_stats"]
    assert (statistics["inference_count"], statistics["execution_count"]) == (2, 2)
    assert [stats[name]["count"] for name in ("success", "cache_hit", "cache_miss")] == [3, 1, 2]
    here.client.load_model("model")
    assert (here.ask(value=1.0) == 1.0).all()
    assert here.statistics()["inference_stats"]["cache_hit"]["count"] == 1
    (here.root / "model" / "1" / "model.onnx").write_bytes(onnx_file.identity() + b"\x1a\x00")  # other bytes: another model
    here.client.load_model("model")
    here.ask(value=1.0)
    assert here.statistics()["inference_stats"]["cache_miss"]["count"] == 1


def test_the_cache_has_a_bound_and_evicts_the_least_recently_used() -> None:
    cache = ResponseCache(2 * (ENTRY_BYTES + 400))
    outputs = {"Y": np.zeros(100, np.float32)}
    for key in (b"1", b"2"):
        cache.store(key, outputs)
    assert cache.find(b"1") is not None
    cache.store(b"3", outputs)
    assert [cache.find(key) is not None for key in (b"1", b"2", b"3")] == [True, False, True]
    cache.store(b"4", {"Y": np.zeros(10_000, np.float32)})  # more than all of it
    assert len(cache) == 2
    assert cache.size_bytes == 2 * (ENTRY_BYTES + 400)


def test_keys_differ_by_name_type_shape_and_text() -> None:
    array = np.zeros((2, 4), np.uint8)
    text = np.array([b"ab", b"c"], np.object_)
    other = np.array([b"a", b"bc"], np.object_)
    keys = [
        key_of(b"d", {"X": array}),
        key_of(b"e", {"X": array}),
        key_of(b"d", {"Y": array}),
        key_of(b"d", {"X": array.reshape(4, 2)}),
        key_of(b"d", {"X": array.view(np.int8)}),
        key_of(b"d", {"X": text}),
        key_of(b"d", {"X": other}),
    ]
    assert len(set(keys)) == len(keys)


WARM = """
[[model_warmup]]
name = "first"
batch_size = 2
count = 3
[model_warmup.inputs.INPUT]
data_type = "TYPE_FP32"
dims = [16]
%s
"""


def test_warm_up_runs_and_what_is_no_request_of_the_model_refuses_it(site: Any) -> None:
    here = site(
        {
            "zeros": WARM % "zero_data = true",
            "random": WARM % "random_data = true",
            "file": WARM % 'input_data_file = "first"',
            "both": WARM % "zero_data = true\nrandom_data = true",
            "outside": WARM % 'input_data_file = "../1/model.onnx"',
            "wrong": (WARM % "zero_data = true").replace("[16]", "[17]"),
        }
    )
    statistics = " ".join(here.faults)
    assert "zeros" not in statistics
    assert "random'" not in statistics
    assert "'both'" in statistics
    assert "'outside'" in statistics
    assert "unexpected shape" in statistics
    assert "no such file" in statistics  # the file
    (here.root / "file" / "warmup").mkdir()
    (here.root / "file" / "warmup" / "first").write_bytes(bytes(2 * 16 * 4))
    here.client.load_model("file")
    config = here.client.get_model_config("file")
    assert config["model_warmup"][0]["inputs"]["INPUT"]["input_data_file"] == "first"


def test_runs_that_share_a_resource_do_not_overlap(tmp_path: Path) -> None:
    shared = "[[instance_group]]\ncount = 1\n[[instance_group.rate_limiter.resources]]\nname = 'npu'\ncount = 1\n"
    for name in ("one", "two"):
        put_model(tmp_path, name, onnx_file.count(), config=shared)
    put_model(tmp_path, "greedy", onnx_file.identity(), config=shared.replace("\ncount = 1\n[[", "\ncount = 1\n[[")[:-2] + "9\n")
    limiter = RateLimiter({"npu": 1})
    here = Site(tmp_path, limiter=limiter)
    assert any("'npu', the server has 1" in fault for fault in here.faults)
    most: list[int] = []

    def ask(model: str) -> None:
        client = triton.InferenceServerClient(here.listener.address)
        inputs = []
        for name, value in (("START", 0.0), ("LIMIT", 2e6), ("DELTA", 1.0)):
            inputs.append(triton.InferInput(name, [], "FP32"))
            inputs[-1].set_data_from_numpy(np.array(value, np.float32))
        for _ in range(3):
            client.infer(model, inputs)
        client.close()

    askers = [threading.Thread(target=ask, args=(model,)) for model in ("one", "two", "one", "two")]
    for asker in askers:
        asker.start()
    while any(asker.is_alive() for asker in askers):
        most.append(limiter.usage()["npu"][0])
        time.sleep(0.001)
    here.close()
    assert max(most) == 1
    assert limiter.usage() == {}


def test_who_has_hung_up_is_not_computed_for(tmp_path: Path) -> None:
    put_model(tmp_path, "slow", onnx_file.count(), config="[[instance_group]]\ncount = 1\n")
    here = Site(tmp_path)

    def tensors(limit: float) -> list[Tensor]:
        given = {"START": 0.0, "LIMIT": limit, "DELTA": 1.0}
        return [Tensor(name, "FP32", (), np.array(value, np.float32).tobytes()) for name, value in given.items()]

    host, _, port = here.listener.address.rpartition(":")
    address = host, int(port)
    callers = [HttpLoadClient(address, http_infer("slow", tensors(3e7))) for _ in range(6)]
    for caller in callers:
        caller.ask()
    give_up_s = time.monotonic() + WAIT_S
    while here.catalogue.find("slow").engine.pending < 5:
        assert time.monotonic() < give_up_s
        time.sleep(0.001)
    for caller in callers:
        caller.line.close()
    while here.catalogue.find("slow").statistics.refused["CANCELED"] < 4:
        assert time.monotonic() < give_up_s
        time.sleep(0.01)
    assert not closed_loop([HttpLoadClient(address, http_infer("slow", tensors(2.0)))], 0.2).failures
    here.close()


def test_a_learned_delay_answers_everyone(site: Any) -> None:
    config = "max_batch_size = 8\n[dynamic_batching]\nadaptive_delay = true\nmax_queue_delay_microseconds = 20000\n"
    here = site({"model": config})
    for _ in range(5):
        given = [triton.InferInput("INPUT", [1, 16], "FP32") for _ in range(6)]
        for value, tensor in enumerate(given):
            tensor.set_data_from_numpy(np.full((1, 16), value, np.float32))
        pending = [here.client.async_infer("model", [tensor]) for tensor in given]
        assert [each.get_result().as_numpy("OUTPUT")[0, 0] for each in pending] == [0, 1, 2, 3, 4, 5]
    assert here.statistics()["inference_count"] == 30


def answered(here: Site, model: str) -> bool:
    try:
        return bool((here.ask(model) == 1.0).all())
    except triton.InferenceServerException as error:
        if "is being" not in str(error):  # loaded, or unloaded
            raise
        return False


def test_only_a_version_that_was_served_gave_way(site: Any, tmp_path: Path) -> None:
    """The version policy chooses the newest: the older ones were never loaded, and needed no memory."""
    for version in ("1", "2"):
        put_model(tmp_path, "first", onnx_file.identity(), version=version)
    here = site({"second": ""}, memory_bytes=1)
    reasons = {(row["name"], row["version"]): row.get("reason", "") for row in here.client.get_model_repository_index()}
    assert reasons == {("first", "1"): "unloaded", ("first", "2"): REASON, ("second", "1"): ""}


def test_models_beyond_the_budget_give_way_and_come_back_when_called(site: Any) -> None:
    here = site({"first": "", "second": ""}, memory_bytes=1)
    states = {each["name"]: each["state"] for each in here.client.get_model_repository_index()}
    assert states == {"first": "UNAVAILABLE", "second": "READY"}
    for model in ("first", "second", "first"):
        give_up_s = time.monotonic() + WAIT_S
        while not answered(here, model):
            assert time.monotonic() < give_up_s
            time.sleep(0.02)
    statistics = json.dumps(here.client.get_model_repository_index())
    assert "other models needed its memory" in statistics
    here.client.unload_model("first")
    with pytest.raises(triton.InferenceServerException, match="not found"):
        here.ask("first")
