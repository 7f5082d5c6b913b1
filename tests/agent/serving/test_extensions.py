"""Shared memory, traces, logging and generate, as unmodified clients use them."""

from __future__ import annotations

import json
import logging
import os
import uuid
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from edgefleet_agent.serving.frontend.listener_context import ListenerLimits
from edgefleet_agent.serving.frontend.server_state import Server
from edgefleet_agent.serving.open_listeners import open_grpc, open_http
from edgefleet_agent.serving.protocol.shared_memory import REGIONS_MAX
from edgefleet_agent.serving.protocol.tracing import Traces
from tests.agent.serving.conftest import Api
from tests.agent.serving.grpc.test_hostile import ask

pytest.importorskip("tritonclient.http", reason="tritonclient[http,grpc] is not installed")

import tritonclient.grpc
import tritonclient.http
import tritonclient.utils.shared_memory as shm
from tritonclient.utils import InferenceServerException


@pytest.fixture(params=["http", "grpc"])
def client(request: pytest.FixtureRequest, api: Api) -> Iterator[tuple[ModuleType, Any]]:
    module = getattr(tritonclient, request.param)
    opened = module.InferenceServerClient(getattr(api, request.param))
    yield module, opened
    opened.unregister_system_shared_memory()
    opened.close()


@pytest.fixture
def region() -> Iterator[Any]:
    handle = shm.create_shared_memory_region("mine", f"/edgefleet-{uuid.uuid4().hex}", 256)
    yield handle
    shm.destroy_shared_memory_region(handle)


def key_of(handle: Any) -> str:
    return str(handle._shm_key) if hasattr(handle, "_shm_key") else str(shm.mapped_shared_memory_regions()[0])


def test_tensors_in_shared_memory(client: tuple[ModuleType, Any], region: Any) -> None:
    module, server = client
    array = np.arange(16, dtype=np.float32).reshape(1, 16)
    shm.set_shared_memory_region(region, [array])
    server.register_system_shared_memory("mine", key_of(region), 256)
    status = server.get_system_shared_memory_status(**({} if module is tritonclient.http else {"as_json": True}))
    status = status[0] if module is tritonclient.http else status["regions"]["mine"]
    assert (status["name"], int(status["byte_size"])) == ("mine", 256)
    tensor = module.InferInput("INPUT", [1, 16], "FP32")
    tensor.set_shared_memory("mine", 64)
    requested_output = module.InferRequestedOutput("OUTPUT")
    requested_output.set_shared_memory("mine", 64, offset=128)
    result = server.infer("identity_fp32", [tensor], outputs=[requested_output])
    assert np.array_equal(shm.get_contents_as_numpy(region, np.float32, [1, 16], offset=128), array)
    described = result.get_output("OUTPUT")
    parameters = described.get("parameters") if module is tritonclient.http else described.parameters
    assert not parameters  # as in Triton, and as required by its C++ client
    plain = server.infer("identity_fp32", [tensor]).as_numpy("OUTPUT")  # from memory, and back over the wire
    assert np.array_equal(plain, array)
    server.unregister_system_shared_memory("mine")
    with pytest.raises(InferenceServerException, match="Unable to find"):
        server.infer("identity_fp32", [tensor])


def test_texts_in_shared_memory(client: tuple[ModuleType, Any], region: Any) -> None:
    module, server = client
    array = np.array([[b"x" * number for number in range(16)]], np.object_)
    packed = tritonclient.utils.serialize_byte_tensor(array)
    shm.set_shared_memory_region(region, [packed])
    server.register_system_shared_memory("mine", key_of(region), 256)
    tensor = module.InferInput("INPUT", [1, 16], "BYTES")
    tensor.set_shared_memory("mine", len(packed.item()))
    assert server.infer("identity_bytes", [tensor]).as_numpy("OUTPUT").tolist() == array.tolist()


def test_shared_memory_has_bounds(client: tuple[ModuleType, Any], region: Any) -> None:
    module, server = client
    key = key_of(region)
    for wrong_key in ("/nowhere", "/../etc/passwd", "", "/", "/a/b", "..", "x" * 300):
        with pytest.raises(InferenceServerException, match="shared memory"):
            server.register_system_shared_memory("other", wrong_key, 64)
    for size, offset in ((257, 0), (64, 200), (0, 0), (2**62, 2**62)):
        with pytest.raises(InferenceServerException, match="shared memory"):
            server.register_system_shared_memory("other", key, size, offset)
    server.register_system_shared_memory("part", key, 128, 128)
    with pytest.raises(InferenceServerException, match="already registered"):
        server.register_system_shared_memory("part", key, 128)
    for size, offset, message in ((64, 100, "Invalid offset"), (2**40, 0, "limit|Invalid"), (63, 0, "requires 64 bytes")):
        tensor = module.InferInput("INPUT", [1, 16], "FP32")
        tensor.set_shared_memory("part", size, offset)
        with pytest.raises(InferenceServerException, match=message):
            server.infer("identity_fp32", [tensor])
    tensor = module.InferInput("INPUT", [1, 16], "FP32")
    tensor.set_shared_memory("part", 64)
    requested_output = module.InferRequestedOutput("OUTPUT")
    requested_output.set_shared_memory("part", 60)
    with pytest.raises(InferenceServerException, match="at least 64 bytes"):
        server.infer("identity_fp32", [tensor], outputs=[requested_output])


def test_regions_have_names_and_there_are_not_too_many(client: tuple[ModuleType, Any], region: Any) -> None:
    _, server = client
    key = key_of(region)
    with pytest.raises(InferenceServerException, match="characters"):
        server.register_system_shared_memory("x" * 300, key, 64)
    for number in range(REGIONS_MAX):
        server.register_system_shared_memory(f"part {number}", key, 64)
    with pytest.raises(InferenceServerException, match="unregister some"):
        server.register_system_shared_memory("one more", key, 64)
    server.unregister_system_shared_memory()
    server.register_system_shared_memory("one more", key, 64)


def test_a_shared_memory_object_that_shrinks_is_an_error(client: tuple[ModuleType, Any], region: Any) -> None:
    module, server = client
    key = key_of(region)
    server.register_system_shared_memory("mine", key, 256)
    os.truncate(f"/dev/shm{key}", 0)
    tensor = module.InferInput("INPUT", [1, 16], "FP32")
    tensor.set_shared_memory("mine", 64)
    with pytest.raises(InferenceServerException, match="smaller"):
        server.infer("identity_fp32", [tensor])
    os.truncate(f"/dev/shm{key}", 256)
    assert server.is_server_live()


def test_shared_memory_is_off_unless_allowed(api: Api) -> None:
    closed = Server("edgefleet", "test")
    http = open_http("127.0.0.1:0", api.catalogue, api.repository, closed, ListenerLimits())
    grpc = open_grpc("127.0.0.1:0", api.catalogue, api.repository, closed, ListenerLimits())
    try:
        for module, address in ((tritonclient.http, http.address), (tritonclient.grpc, grpc.address)):
            with module.InferenceServerClient(address) as server:
                with pytest.raises(InferenceServerException, match="not allowed"):
                    server.register_system_shared_memory("mine", "/mine", 64)
                tensor = module.InferInput("INPUT", [1, 16], "FP32")
                tensor.set_shared_memory("mine", 64)
                with pytest.raises(InferenceServerException, match="not allowed"):
                    server.infer("identity_fp32", [tensor])
    finally:
        grpc.close()
        http.close()


def test_cuda_memory_is_not_there_and_clients_that_clean_up_first_go_on(client: tuple[ModuleType, Any]) -> None:
    _, server = client
    server.unregister_cuda_shared_memory()
    with pytest.raises(InferenceServerException, match="CUDA"):
        server.register_cuda_shared_memory("mine", b"aGFuZGxl", 0, 64)


def test_trace_settings_act(api: Api, tmp_path: Path) -> None:
    file = tmp_path / "trace.json"
    server_ = Server("edgefleet", "test", traces=Traces(file))
    http = open_http("127.0.0.1:0", api.catalogue, api.repository, server_, ListenerLimits())
    grpc = open_grpc("127.0.0.1:0", api.catalogue, api.repository, server_, ListenerLimits())
    array = np.ones((1, 16), np.float32)

    def call(module: ModuleType, client_: Any, model: str = "identity_fp32") -> None:
        tensor = module.InferInput("INPUT", [1, 16], "FP32")
        tensor.set_data_from_numpy(array)
        client_.infer(model, [tensor], request_id="r")

    with (
        tritonclient.http.InferenceServerClient(http.address) as first,
        tritonclient.grpc.InferenceServerClient(grpc.address) as second,
    ):
        assert first.get_trace_settings()["trace_level"] == ["OFF"]
        settings = {"trace_level": ["TIMESTAMPS", "TENSORS"], "trace_rate": "2", "trace_count": "3"}
        assert first.update_trace_settings("identity_fp32", settings)["trace_rate"] == "2"
        assert first.get_trace_settings()["trace_level"] == ["OFF"]
        reported = second.get_trace_settings("identity_fp32", as_json=True)["settings"]
        assert reported["trace_level"]["value"] == ["TIMESTAMPS", "TENSORS"]
        for _ in range(5):
            call(tritonclient.http, first)
            call(tritonclient.grpc, second)
        call(tritonclient.http, first, "versions")
        second.update_trace_settings("identity_fp32", {"trace_level": None, "trace_rate": None})
        assert first.get_trace_settings("identity_fp32")["trace_level"] == ["OFF"]
        for changes in ({"trace_file": "/etc/x"}, {"trace_level": ["MUCH"]}, {"trace_rate": "0"}, {"nothing": "1"}, {"": None}):
            with pytest.raises(InferenceServerException):
                first.update_trace_settings(settings=changes)
        with pytest.raises(InferenceServerException, match="unknown model"):
            second.get_trace_settings("nothing")
    grpc.close()
    http.close()
    server_.traces.close()
    records = json.loads(file.read_text())
    heads = [each for each in records if "model_name" in each]
    assert [each["model_name"] for each in heads] == ["identity_fp32"] * 3
    stamps = next(each["timestamps"] for each in records if "timestamps" in each)
    times = {each["name"]: each["ns"] for each in stamps}
    computing = ("COMPUTE_START", "COMPUTE_INPUT_END", "COMPUTE_OUTPUT_START", "COMPUTE_END")
    assert [name for name in ("REQUEST_START", "QUEUE_START", *computing, "REQUEST_END") if name not in times] == []
    assert times["COMPUTE_START"] <= times["COMPUTE_INPUT_END"] <= times["COMPUTE_OUTPUT_START"]
    assert {each["activity"] for each in records if "activity" in each} == {"TENSOR_QUEUE_INPUT", "TENSOR_BACKEND_OUTPUT"}


def test_every_form_of_a_call_is_traced(api: Api, tmp_path: Path) -> None:
    server = Server("edgefleet", "test", traces=Traces(tmp_path / "trace.json"))
    listener = open_http("127.0.0.1:0", api.catalogue, api.repository, server, ListenerLimits())
    finish_trace = Api(listener.address, "", api.root, api.catalogue, api.repository)
    ask(finish_trace, "POST", "/v2/trace/setting", b'{"trace_level": ["TIMESTAMPS"], "trace_rate": "1"}')
    pair = {"A": [1, 2, 3, 4], "B": [1, 1, 1, 1]}
    tensors = [{"name": name, "shape": [1, 4], "datatype": "FP32", "data": data} for name, data in pair.items()]
    for path, body in (
        ("/v2/models/add/generate", pair),
        ("/v2/models/add/generate_stream", pair),
        ("/v1/models/add:predict", {"instances": [pair]}),
        ("/v2/models/add/infer", {"inputs": tensors}),
    ):
        assert ask(finish_trace, "POST", path, json.dumps(body).encode())[0] == 200
    listener.close()
    server.traces.close()
    records = json.loads((tmp_path / "trace.json").read_text())
    assert [each["model_name"] for each in records if "model_name" in each] == ["add"] * 4


def test_log_settings_act(client: tuple[ModuleType, Any], caplog: pytest.LogCaptureFixture) -> None:
    module, server = client
    as_json = {} if module is tritonclient.http else {"as_json": True}
    log = logging.getLogger("edgefleet_agent.serving.test")
    root = logging.getLogger()
    handler = logging.Handler()
    seen: list[str] = []
    handler.emit = lambda record: seen.append(record.getMessage())  # type: ignore[method-assign]
    root.addHandler(handler)
    before = [(each, each.formatter) for each in root.handlers]
    try:
        server.update_log_settings({"log_info": False, "log_verbose_level": 0})
        log.info("quiet")
        log.warning("loud")
        server.update_log_settings({"log_info": True, "log_verbose_level": 1})
        log.debug("deep")
        settings = server.get_log_settings(**as_json)
        if module is not tritonclient.http:
            settings = {k: next(iter(v.values())) for k, v in settings["settings"].items() if v}
        assert settings["log_verbose_level"] == 1
        for changes in ({"log_file": "/etc/x"}, {"log_format": "poem"}, {"log_verbose_level": 100}):
            with pytest.raises(InferenceServerException):
                server.update_log_settings(changes)
        server.update_log_settings({"log_verbose_level": 0})
    finally:
        root.removeHandler(handler)
        for each, formatter in before:
            each.setFormatter(formatter)
    assert [text for text in seen if text in ("quiet", "loud", "deep")] == ["loud", "deep"]


def test_generate(api: Api) -> None:
    body = json.dumps({"A": [1, 2, 3, 4], "B": [1, 1, 1, 1], "id": "7", "parameters": {"priority": 0}}).encode()
    status, answer, _ = ask(api, "POST", "/v2/models/add/generate", body)
    assert (status, answer) == (200, {"id": "7", "model_name": "add", "model_version": "1", "SUM": [2.0, 3.0, 4.0, 5.0]})
    status, events, headers = ask(api, "POST", "/v2/models/add/generate_stream", body)
    assert headers["Content-Type"] == "text/event-stream"
    assert json.loads(events.decode().removeprefix("data: "))["SUM"] == [2.0, 3.0, 4.0, 5.0]
    for wrong, message in (
        ({"A": [1]}, "4 elements"),
        ({"A": "x"}, "not FP32"),
        ([], "parse"),
        ({"A": [1, 2, 3, 4], "C": []}, "not an input"),
    ):
        status, answer, _ = ask(api, "POST", "/v2/models/add/generate", json.dumps(wrong).encode())
        assert (status, message in answer["error"]) == (400, True), answer
    assert ask(api, "POST", "/v2/models/nothing/generate", body)[0] == 404
    assert ask(api, "GET", "/v2/models/add/generate")[0] == 405


def test_the_last_answer_of_a_stream_is_marked_on_request(api: Api) -> None:
    import queue

    answers: queue.Queue[tuple[Any, Any]] = queue.Queue()
    server = tritonclient.grpc.InferenceServerClient(api.grpc)
    server.start_stream(lambda result, error: answers.put((result, error)))
    tensor = tritonclient.grpc.InferInput("INPUT", [1, 16], "FP32")
    tensor.set_data_from_numpy(np.ones((1, 16), np.float32))
    server.async_stream_infer("identity_fp32", [tensor], enable_empty_final_response=True)
    result, error = answers.get(timeout=120)
    server.stop_stream()
    server.close()
    assert error is None
    assert result.get_response().parameters["triton_final_response"].bool_param


def test_metadata_names_the_extensions(api: Api) -> None:
    with tritonclient.http.InferenceServerClient(api.http) as server:
        assert {"sequence", "trace", "logging", "system_shared_memory", "generate"} <= set(
            server.get_server_metadata()["extensions"]
        )
