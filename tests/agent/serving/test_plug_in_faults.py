"""A third-party runtime raises whatever it likes, at any of its calls: calls to it fail with a reason, all others go on."""

from __future__ import annotations

import http.client
import json
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tritonclient.grpc as triton_grpc
from tritonclient.utils import InferenceServerException

from edgefleet_agent.backends.installed import cpu_profile, installed_runtimes
from edgefleet_agent.serving.engine.model_registry import ModelRegistry
from edgefleet_agent.serving.models.model_source import LoadTarget
from edgefleet_agent.serving.models.repository import FolderRepository
from edgefleet_agent.serving.open_listeners import open_grpc, open_http
from tests.agent.backends.faulty.faulty_runtime import KINDS
from tests.agent.backends.faulty.installation import install
from tests.agent.serving import onnx_file
from tests.agent.serving.conftest import LIMITS, SERVER, put_model

BAD = 13.0
FAULT = "runtime faulty failed: .*nobody foresaw this"
WAIT_S = 30.0
FAULTY = 'runtime = "faulty"\n'
ELSEWHERE = sorted(set(KINDS) - {"KeyboardInterrupt"})
"""On the main thread Ctrl-C has to end the program."""
WARM_UP = """
[[model_warmup]]
name = "w"
batch_size = 1
inputs = { X = { data_type = "TYPE_FP32", dims = [4], zero_data = true } }
"""


class Site:
    """A repository with the model `good` and models of the faulty runtime, and its listeners."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.catalogue = ModelRegistry()
        put_model(root, "good", onnx_file.identity("FP32", ("n", 4)))
        self.repository = FolderRepository([root], self.catalogue, LoadTarget(tuple(installed_runtimes()), cpu_profile()))
        self.http_listener = open_http("127.0.0.1:0", self.catalogue, self.repository, SERVER, LIMITS)
        self.grpc_listener = open_grpc("127.0.0.1:0", self.catalogue, self.repository, SERVER, LIMITS)
        self.grpc = triton_grpc.InferenceServerClient(self.grpc_listener.address)
        self.line = http.client.HTTPConnection(self.http_listener.address, timeout=WAIT_S)

    def add(self, name: str, config: str = "", **script: Any) -> None:
        put_model(self.root, name, json.dumps(script).encode(), config=FAULTY + config)

    def ask(self, path: str, body: Any = None, method: str = "POST") -> tuple[int, Any]:
        self.line.request(method, path, json.dumps(body or {}))
        answer = self.line.getresponse()
        text = answer.read()
        return answer.status, json.loads(text) if text[:1] in (b"{", b"[") else text.decode()

    def post(self, model: str, value: float = 1.0, **more: Any) -> tuple[int, Any]:
        name = "INPUT" if model == "good" else "X"
        tensor = {"name": name, "shape": [1, 4], "datatype": "FP32", "data": [value] * 4}
        return self.ask(f"/v2/models/{model}/infer", {"inputs": [tensor], **more})

    def call(self, model: str, value: float) -> float:
        given = triton_grpc.InferInput("X", [1, 4], "FP32")
        given.set_data_from_numpy(np.full((1, 4), value, np.float32))
        return float(self.grpc.infer(model, [given], client_timeout=WAIT_S).as_numpy("Y")[0, 0])

    def row(self, model: str) -> dict[str, str]:
        return next(each for each in self.ask("/v2/repository/index")[1] if each["name"] == model)

    def close(self) -> None:
        self.grpc.close()
        self.line.close()
        self.grpc_listener.close()
        self.http_listener.close()
        self.catalogue.close()
        self.repository.close()


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    (tmp_path / "site").mkdir()
    install(tmp_path / "site", monkeypatch)
    lost: list[threading.ExceptHookArgs] = []
    monkeypatch.setattr(threading, "excepthook", lost.append)
    made = Site(tmp_path / "models")
    yield made
    made.close()
    assert lost == []


@pytest.mark.parametrize("threaded", [False, True], ids=["on the caller's thread", "on the model's thread"])
def test_every_exception_of_a_run_is_an_error_of_its_call(site: Site, threaded: bool) -> None:
    delay = "[dynamic_batching]\nmax_queue_delay_microseconds = 100\n" if threaded else ""
    for kind in KINDS:
        site.add(f"m{kind}", "faults_max = 0\n" + delay, at="infer", **{"raise": kind, "when": BAD})
    assert site.repository.load_all() == []
    for kind in KINDS:
        status, answer = site.post(f"m{kind}", BAD)
        assert status == 500
        assert re.match(f"model 'm{kind}': {FAULT}", answer["error"])
        with pytest.raises(InferenceServerException, match=FAULT) as caught:
            site.call(f"m{kind}", BAD)
        assert caught.value.status() == "StatusCode.INTERNAL"
        assert site.post(f"m{kind}")[0] == 200
        assert site.call(f"m{kind}", 2.0) == 2.0
    assert site.post("good")[0] == 200


def test_every_exception_of_a_load_is_an_answer_and_what_is_served_stays(site: Site) -> None:
    site.add("m")
    assert site.repository.load_all() == []
    for kind in ELSEWHERE:
        site.add("m", at="load", **{"raise": kind})
        status, answer = site.ask("/v2/repository/models/m/load")
        assert status == 400
        assert re.search(f"failed to load 'm': model.onnx: {FAULT}", answer["error"])
        assert site.post("m")[0] == 200
    for name in ELSEWHERE[:3]:
        site.add(f"m{name}", at="load", **{"raise": name})
    faults = FolderRepository([site.root], ModelRegistry(), LoadTarget(("onnx_runtime",), "")).load_all()
    assert len(faults) == 4
    assert site.post("good")[0] == 200


def test_every_exception_of_a_close_and_of_the_warm_up(site: Site) -> None:
    for kind in ELSEWHERE:
        site.add(f"c{kind}", at="close", **{"raise": kind})
        site.add(f"w{kind}", WARM_UP, at="infer", **{"raise": kind})
    site.repository.load_all()
    for kind in ELSEWHERE:
        assert site.ask(f"/v2/repository/models/c{kind}/load")[0] == 200
        assert site.ask(f"/v2/repository/models/c{kind}/unload")[0] == 200
        assert re.search(FAULT, site.row(f"w{kind}")["reason"])
    assert site.post("good")[0] == 200


@pytest.mark.parametrize("give", ["nothing", "no name", "other type", "no array"])
def test_wrong_outputs_of_models_with_a_cache_a_sequence_or_an_ensemble(site: Site, give: str) -> None:
    sequence = "max_batch_size = 4\nfaults_max = 0\n[sequence_batching]\nmax_sequence_idle_microseconds = 60000000\n"
    site.add("plain", "faults_max = 0\n", give=give, when=BAD)
    site.add("cached", "faults_max = 0\n[response_cache]\nenable = true\n", give=give, when=BAD)
    site.add("stateful", sequence, give=give, when=BAD)
    joined = site.root / "joined" / "1"
    joined.mkdir(parents=True)
    (joined / "model.toml").write_text(ENSEMBLE)
    site.repository.load_all()
    for model in ("plain", "cached", "joined"):
        assert site.post(model, BAD)[0] == 500, model
        assert site.post(model)[0] == 200, model
    for value, status in ((BAD, 500), (1.0, 200), (BAD, 500), (1.0, 200)):
        marks = {"sequence_id": 7, "sequence_start": True}
        assert site.post("stateful", value, parameters=marks)[0] == status
    assert all(each.engine.pending == 0 for each in site.catalogue.all())


ENSEMBLE = """
[[ensemble.step]]
model = "plain"
input_map = { X = "X" }
output_map = { Y = "Y" }
"""


def test_a_model_that_fails_repeatedly_is_out_of_service_until_it_is_loaded_again(site: Site) -> None:
    site.add("m", "faults_max = 3\n", at="infer", **{"raise": "SystemExit", "when": BAD})
    assert site.repository.load_all() == []
    assert [site.post("m", BAD)[0] for _ in range(3)] == [500] * 3
    status, answer = site.post("m")
    assert status == 503
    assert answer["error"].startswith("model 'm' is out of service after 3 failures in a row: ")
    assert site.ask("/v2/models/m/ready", method="GET")[0] == 503
    assert not site.grpc.is_model_ready("m")
    row = site.row("m")
    assert (row["state"], row["reason"][:15]) == ("UNAVAILABLE", "out of service ")
    assert "m" not in {each["name"] for each in site.ask("/v2/repository/index", {"ready": True})[1]}
    page = site.ask("/metrics", method="GET")[1]
    assert 'edgefleet_model_out_of_service{model="m",version="1"} 1' in page
    assert 'edgefleet_model_outages_total{model="m",version="1"} 1' in page
    assert 'edgefleet_model_out_of_service{model="good",version="1"} 0' in page
    assert site.post("good")[0] == 200
    assert site.ask("/v2/repository/models/m/load")[0] == 200
    assert site.post("m")[0] == 200
    assert site.row("m")["state"] == "READY"


def test_a_crash_of_an_isolated_model_is_an_error_of_one_call(site: Site) -> None:
    """The calls of a batch share its fate; the model is back for the next one."""
    isolated = 'isolation = "process"\nfaults_max = 0\n[[instance_group]]\ncount = 1\n'
    site.add("m", isolated, at="infer", when=BAD, signal="SIGSEGV")
    assert site.repository.load_all() == []
    for _ in range(2):
        status, answer = site.post("m", BAD)
        assert (status, answer["error"]) == (500, "model 'm': the model's process was ended by SIGSEGV")
        assert site.post("good")[0] == 200
        assert site.post("m")[0] == 200
    config = site.ask("/v2/models/m/config", method="GET")[1]
    assert config["isolation"] == "process"
