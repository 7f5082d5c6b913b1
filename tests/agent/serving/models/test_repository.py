"""Models on disk: discovery, choice of versions, and reloads under load without errors."""

from __future__ import annotations

import http.client
import itertools
import json
import logging
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from edgefleet_agent.backends.base import default_threads
from edgefleet_agent.backends.installed import cpu_profile, installed_runtimes
from edgefleet_agent.machine.vitals import rss_bytes
from edgefleet_agent.serving.config.config_json import config_from_plain
from edgefleet_agent.serving.engine.model_registry import ModelRegistry
from edgefleet_agent.serving.engine.multicore_session import LONE_MIN
from edgefleet_agent.serving.frontend.listener_context import ListenerLimits
from edgefleet_agent.serving.models.model_source import LoadTarget
from edgefleet_agent.serving.models.repository import FolderRepository
from edgefleet_agent.serving.open_listeners import open_http
from edgefleet_agent.serving.protocol.errors import CallError
from edgefleet_agent.serving.protocol.inference_request import InferenceRequest
from edgefleet_contract.core.errors import InputError
from tests.agent.serving import onnx_file
from tests.agent.serving.conftest import SERVER, put_model
from tests.packages import MakePackage


@pytest.fixture
def catalogue() -> Iterator[ModelRegistry]:
    made = ModelRegistry()
    yield made
    made.close()


def repository(catalogue: ModelRegistry, *folders: Path) -> FolderRepository:
    return FolderRepository(folders, catalogue, LoadTarget(tuple(installed_runtimes()), cpu_profile()))


def test_packages_bare_files_and_one_model_alone(catalogue: ModelRegistry, tmp_path: Path, package: MakePackage) -> None:
    put_model(tmp_path / "root", "adder", onnx_file.add(), "3")
    put_model(tmp_path, "single", onnx_file.identity(), "1")
    folders = tmp_path / "root", tmp_path / "single", package("mobilenet_v2")
    assert repository(catalogue, *folders).load_all() == []
    assert {(each.signature.model, each.signature.version) for each in catalogue.all()} == {
        ("adder", "3"),
        ("single", "1"),
        ("mobilenet_v2", "1.0.0"),
        ("mobilenet_v2.picture", "1.0.0"),
        ("mobilenet_v2.clip", "1.0.0"),
    }
    assert len(catalogue.find("mobilenet_v2").signature.labels) > 1000


def test_folders_that_are_no_models_are_reported(catalogue: ModelRegistry, tmp_path: Path) -> None:
    put_model(tmp_path, "good", onnx_file.add())
    put_model(tmp_path, "odd name-ü", onnx_file.add())
    (tmp_path / "empty" / "1").mkdir(parents=True)
    (tmp_path / ".git").mkdir()
    lines = repository(catalogue, tmp_path).load_all()
    assert [line.partition(" is not served")[0] for line in lines] == [str(tmp_path / "empty"), str(tmp_path / "odd name-ü")]
    assert catalogue.names() == ["good"]


def test_a_model_that_cannot_be_loaded_does_not_stop_the_others(catalogue: ModelRegistry, tmp_path: Path) -> None:
    put_model(tmp_path, "good", onnx_file.add())
    put_model(tmp_path, "bad", b"noise")
    put_model(tmp_path, "odd", onnx_file.add(), config="max_batch_size = -3")
    put_model(tmp_path, "fixed", onnx_file.add((1, 4)), config="max_batch_size = 8")
    models = repository(catalogue, tmp_path)
    faults = models.load_all()
    assert [each.split("'")[1] for each in faults] == ["bad", "fixed", "odd"]
    assert [each.signature.model for each in catalogue.all()] == ["good"]
    states = {each["name"]: (each["state"], bool(each["reason"])) for each in models.index(ready=False)}
    assert states["good"] == ("READY", False)
    assert states["bad"] == ("UNAVAILABLE", True)
    assert [each["name"] for each in models.index(ready=True)] == ["good"]


def test_no_folder_and_no_model(catalogue: ModelRegistry, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such folder"):
        repository(catalogue, tmp_path / "nothing")
    with pytest.raises(InputError, match="no model in"):
        repository(catalogue, tmp_path).load_all()
    (tmp_path / "text.txt").write_text("text")
    with pytest.raises(InputError, match=r"text.txt: is not a model; specify a .onnx"):
        repository(catalogue, tmp_path / "text.txt")


def test_files_are_models_of_their_own(catalogue: ModelRegistry, tmp_path: Path, package: MakePackage) -> None:
    (tmp_path / "-my model.onnx").write_bytes(onnx_file.add())
    (tmp_path / "labels.txt").write_text("a\nb")
    other = tmp_path / "other"
    put_model(other, "x", onnx_file.identity())
    files = [tmp_path / "-my model.onnx", Path(f"named={other / 'x/1/model.onnx'}"), package("mobilenet_v2") / "model.toml"]
    assert [line.partition(";")[0] for line in repository(catalogue, *files).load_all()] == [
        f"{files[0]} is served as 'my_model'"
    ]
    assert {name for name in catalogue.names() if "mobilenet_v2." not in name} == {"my_model", "named", "mobilenet_v2"}
    assert catalogue.find("my_model").signature.labels == ("a", "b")
    with pytest.raises(InputError, match=r"a model named 'my_model' is given already; specify OTHER_NAME="):
        repository(catalogue, files[0], files[0])


def test_links_out_of_the_repository_names_and_versions_are_names(catalogue: ModelRegistry, tmp_path: Path) -> None:
    put_model(tmp_path, "good", onnx_file.add())
    put_model(tmp_path, ".hidden", onnx_file.add())
    models = repository(catalogue, tmp_path)
    models.load_all()
    for name in (".hidden", "..", "good/1", "", "GOOD"):
        with pytest.raises(CallError, match="no such model"):
            models.load(name)


def test_what_was_measured_decides_how_a_model_is_served(catalogue: ModelRegistry, tmp_path: Path) -> None:
    put_model(tmp_path, "heavy", onnx_file.matmul(500))
    put_model(tmp_path, "told", onnx_file.matmul(500), config="[[instance_group]]\ncount = 3")
    models = repository(catalogue, tmp_path)
    assert models.load_all() == []
    assert catalogue.find("told").engine.instances == 3
    assert catalogue.find("heavy").config_to_json()["instance_group"][0]["count"] >= 1


@pytest.mark.skipif(default_threads() < 2, reason="there is one core")
@pytest.mark.parametrize("frugal", [False, True])
def test_lone_calls_open_a_session_over_the_cores_unless_memory_is_bounded(
    catalogue: ModelRegistry, tmp_path: Path, caplog: pytest.LogCaptureFixture, frugal: bool
) -> None:
    put_model(tmp_path, "heavy", onnx_file.matmul(400))
    device = LoadTarget(tuple(installed_runtimes()), cpu_profile(), frugal=frugal)
    assert FolderRepository([tmp_path], catalogue, device).load_all() == []
    side = np.ones((400, 400), np.float32)
    answered = threading.Semaphore(0)
    caplog.set_level(logging.INFO, "edgefleet_agent.serving.engine.multicore_session")
    ends_s = time.monotonic() + 60
    for count in itertools.count():
        catalogue.find("heavy").submit(InferenceRequest({"A": side, "B": side}), lambda *_: answered.release())
        assert answered.acquire(timeout=30)
        if "several cores" in caplog.text or time.monotonic() > ends_s or (frugal and count > 3 * LONE_MIN):
            break
        time.sleep(0.005)  # the next one would not be alone
    assert ("a single request takes" in caplog.text) is not frugal


def test_instance_groups_say_how_many_and_where(catalogue: ModelRegistry, tmp_path: Path) -> None:
    groups = "[[instance_group]]\ncount = 2\nkind = 'KIND_CPU'\n[[instance_group]]\ndevice = 'cpu'\nname = 'own'\n"
    put_model(tmp_path, "two", onnx_file.add(), config=groups)
    models = repository(catalogue, tmp_path)
    assert models.load_all() == []
    groups = catalogue.find("two").config_to_json()["instance_group"]
    assert [(each["name"], each["kind"], each["count"]) for each in groups] == [("two_0", "KIND_CPU", 2), ("own", "KIND_CPU", 1)]
    assert catalogue.find("two").engine.instances == 3
    for wrong, message in (
        ("device = 'npu:7'", "no device 'npu:7'"),
        ("kind = 'KIND_GPU'\ngpus = [0, 63]", "cuda"),  # no test machine has the second one
        ("gpus = [-1]", "gpus"),
    ):
        put_model(tmp_path, "two", onnx_file.add(), config=f"[[instance_group]]\n{wrong}\n")
        with pytest.raises(CallError, match=message):
            models.load("two")
    assert catalogue.find("two").engine.instances == 3


def test_gpus_are_called_as_the_runtime_calls_them() -> None:
    config = config_from_plain({"instance_group": [{"kind": "KIND_GPU", "gpus": [0, 2], "count": 2}, {"kind": "KIND_MODEL"}]})
    assert config.devices("onnx_runtime") == ["cuda:0", "cuda:0", "cuda:2", "cuda:2", ""]
    assert config.devices("open_vino") == ["gpu.0", "gpu.0", "gpu.2", "gpu.2", ""]
    assert config.instances == 5
    with pytest.raises(InputError, match="does not support GPUs"):
        config.devices("lite_rt")


def test_reloads_under_load_fail_no_request_and_leave_nothing(catalogue: ModelRegistry, tmp_path: Path) -> None:
    put_model(
        tmp_path,
        "adder",
        onnx_file.add(),
        config="[[instance_group]]\ncount = 2\n[dynamic_batching]\nmax_queue_delay_microseconds = 100",
    )
    models = repository(catalogue, tmp_path)
    assert models.load_all() == []
    listener = open_http("127.0.0.1:0", catalogue, models, SERVER, ListenerLimits())
    raw = np.ones(4, np.float32).tobytes()
    tensors = [{"name": name, "shape": [1, 4], "datatype": "FP32", "parameters": {"binary_data_size": 16}} for name in "AB"]
    head = json.dumps({"inputs": tensors}).encode()
    statuses: set[int] = set()
    ending = threading.Event()

    def call() -> None:
        host, _, port = listener.address.rpartition(":")
        mine = http.client.HTTPConnection(host, int(port), timeout=30)
        while not ending.is_set():
            mine.request("POST", "/v2/models/adder/infer", head + raw + raw, {"Inference-Header-Content-Length": str(len(head))})
            answer = mine.getresponse()
            answer.read()
            statuses.add(answer.status)
        mine.close()

    callers = [threading.Thread(target=call) for _ in range(3)]
    for thread in callers:
        thread.start()
    try:
        for _ in range(20):
            models.load("adder")
        before = rss_bytes()
        for _ in range(150):
            models.load("adder")
        grown = rss_bytes() - before
    finally:
        ending.set()
        for thread in callers:
            thread.join()
        listener.close()
    assert statuses == {200}
    assert grown < 30 * 1024 * 1024
