"""The unmodified `tritonclient`, over HTTP and gRPC, synchronous and asyncio."""

from __future__ import annotations

import asyncio
import queue
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from tests.agent.serving import onnx_file
from tests.agent.serving.conftest import Api, put_model

pytest.importorskip("tritonclient.http", reason="tritonclient[http,grpc] is not installed")

import tritonclient.grpc
import tritonclient.grpc.aio
import tritonclient.http
import tritonclient.http.aio
from tritonclient.grpc import model_config_pb2, service_pb2
from tritonclient.utils import InferenceServerException, np_to_triton_dtype, triton_to_np_dtype

from edgefleet_agent.serving.grpc.messages import MESSAGES


@pytest.fixture(params=["http", "grpc"])
def client(request: pytest.FixtureRequest, api: Api) -> Iterator[tuple[ModuleType, Any]]:
    module = getattr(tritonclient, request.param)
    opened = module.InferenceServerClient(getattr(api, request.param))
    yield module, opened
    opened.close()


def tensor(module: ModuleType, name: str, array: np.ndarray[Any, Any], **how: Any) -> Any:
    found = module.InferInput(name, list(array.shape), np_to_triton_dtype(array.dtype))
    found.set_data_from_numpy(array, **how)
    return found


def sample(datatype: str, shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    rng = np.random.default_rng(7)
    if datatype == "BYTES":
        texts = [b"", "größe".encode(), b"a\x00b", *(rng.bytes(5).hex().encode() for _ in range(int(np.prod(shape)) - 3))]
        return np.array(texts, np.object_).reshape(shape)
    dtype = np.dtype(triton_to_np_dtype(datatype))
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        return rng.integers(limits.min, limits.max, shape, dtype, endpoint=True)
    return (rng.random(shape) * 100).astype(dtype) if dtype.kind == "f" else rng.random(shape) > 0.5


def test_bfloat16_comes_back_as_it_went(client: tuple[ModuleType, Any]) -> None:
    module, server = client
    ml_dtypes = pytest.importorskip("ml_dtypes", reason="the client's type for bfloat16 is not installed")
    array = np.array([[1.0, -2.5, 3e38, 0.0] * 4], ml_dtypes.bfloat16)
    sent = module.InferInput("INPUT", [1, 16], "BF16")
    sent.set_data_from_numpy(array)
    found = server.infer("identity_bf16", [sent]).as_numpy("OUTPUT")
    assert np.array_equal(found.astype(np.float32), array.astype(np.float32))


@pytest.mark.parametrize("datatype", sorted(set(onnx_file.ELEMENTS) - {"BF16"}))
def test_every_datatype_comes_back_as_it_went(client: tuple[ModuleType, Any], datatype: str) -> None:
    module, server = client
    array = sample(datatype, (3, 16))
    result = server.infer(f"identity_{datatype.lower()}", [tensor(module, "INPUT", array)], request_id="42")
    assert np.array_equal(result.as_numpy("OUTPUT"), array)


@pytest.mark.parametrize("shape", [(), (5,), (2, 3, 4), (0, 2)])
def test_a_tensor_of_unknown_rank_takes_any_shape(client: tuple[ModuleType, Any], shape: tuple[int, ...]) -> None:
    module, server = client
    array = np.full(shape, 1.5, np.float32)
    found = server.infer("unranked", [tensor(module, "INPUT", array)]).as_numpy("OUTPUT")
    assert found.shape == shape
    assert np.array_equal(found, array)


def test_unknown_ranks_are_shown_as_one_open_axis_and_single_numbers_as_none(api: Api) -> None:
    with tritonclient.http.InferenceServerClient(api.http) as server:
        assert [each["shape"] for each in server.get_model_metadata("unranked")["inputs"]] == [[-1]]
        assert [each["dims"] for each in server.get_model_config("unranked")["output"]] == [[-1]]
        assert server.get_model_config("unranked")["max_batch_size"] == 0
        assert [each["shape"] for each in server.get_model_metadata("narrow")["inputs"]] == [[], [], []]


@pytest.mark.parametrize("datatype", sorted(set(onnx_file.ELEMENTS) - {"FP16", "BF16", "BYTES"}))
def test_every_datatype_as_json(api: Api, datatype: str) -> None:
    array = sample(datatype, (2, 16))
    with tritonclient.http.InferenceServerClient(api.http) as server:
        result = server.infer(
            f"identity_{datatype.lower()}",
            [tensor(tritonclient.http, "INPUT", array, binary_data=False)],
            outputs=[tritonclient.http.InferRequestedOutput("OUTPUT", binary_data=False)],
        )
    assert np.array_equal(result.as_numpy("OUTPUT"), array)


def test_bytes_as_json(api: Api) -> None:
    array = np.array([["größe"] * 16], np.object_)
    with tritonclient.http.InferenceServerClient(api.http) as server:
        result = server.infer("identity_bytes", [tensor(tritonclient.http, "INPUT", array, binary_data=False)])
    assert result.as_numpy("OUTPUT")[0][0] == "größe".encode()


@pytest.mark.parametrize("algorithm", ["gzip", "deflate"])
def test_compressed_both_ways(client: tuple[ModuleType, Any], algorithm: str) -> None:
    module, server = client
    array = sample("FP32", (4, 16))
    how = {"compression_algorithm": algorithm} if module is tritonclient.grpc else {
        "request_compression_algorithm": algorithm, "response_compression_algorithm": algorithm
    }  # fmt: skip
    result = server.infer("identity_fp32", [tensor(module, "INPUT", array)], **how)
    assert np.array_equal(result.as_numpy("OUTPUT"), array)


def test_what_the_server_is(client: tuple[ModuleType, Any]) -> None:
    module, server = client
    as_json = {} if module is tritonclient.http else {"as_json": True}
    assert server.is_server_live()
    assert server.is_server_ready()
    assert server.is_model_ready("add")
    assert not server.is_model_ready("nothing")
    assert server.get_server_metadata(**as_json)["name"] == "edgefleet"
    metadata = server.get_model_metadata("add", **as_json)
    assert [each["name"] for each in metadata["inputs"]] == ["A", "B"]
    assert [int(side) for side in metadata["inputs"][0]["shape"]] == [-1, 4]
    config = server.get_model_config("batched", **as_json)
    config = config if module is tritonclient.http else config["config"]
    assert config["max_batch_size"] == 8
    assert [int(size) for size in config["dynamic_batching"]["preferred_batch_size"]] == [4, 8]


def test_the_newest_version_is_served_unless_configured_otherwise(client: tuple[ModuleType, Any]) -> None:
    module, server = client
    server.load_model("versions")
    array = sample("FP32", (1, 16))
    assert server.is_model_ready("versions", "10")
    assert not _ready(server, "versions", "2")
    server.load_model("versions", config='{"version_policy": {"all": {}}}')
    assert server.is_model_ready("versions", "2")
    assert np.array_equal(server.infer("versions", [tensor(module, "INPUT", array)], model_version="1").as_numpy("OUTPUT"), array)


def _ready(server: Any, model: str, version: str) -> bool:
    try:
        return bool(server.is_model_ready(model, version))
    except InferenceServerException:
        return False


def test_classification_gives_the_best_classes_of_each_row(client: tuple[ModuleType, Any]) -> None:
    module, server = client
    array = np.arange(32, dtype=np.float32).reshape(2, 16)
    requested_output = module.InferRequestedOutput("OUTPUT", class_count=2)
    found = server.infer("identity_fp32", [tensor(module, "INPUT", array)], outputs=[requested_output]).as_numpy("OUTPUT")
    assert found.tolist() == [[b"15.000000:15", b"14.000000:14"], [b"31.000000:15", b"30.000000:14"]]


def test_statistics_count_requests(client: tuple[ModuleType, Any]) -> None:
    module, server = client
    before = _counts(server, module)
    one, three = np.ones((1, 4), np.float32), np.ones((3, 4), np.float32)
    for array in (one, three):
        server.infer("add", [tensor(module, "A", array), tensor(module, "B", array)])
    after = _counts(server, module)
    assert [now - then for now, then in zip(after, before, strict=True)] == [4, 2, 2]


def _counts(server: Any, module: ModuleType) -> list[int]:
    as_json = {} if module is tritonclient.http else {"as_json": True}
    stats = server.get_inference_statistics("add", **as_json)["model_stats"][0]
    success = stats.get("inference_stats", {}).get("success", {})
    return [int(stats.get("inference_count", 0)), int(stats.get("execution_count", 0)), int(success.get("count", 0))]


def test_requests_that_wait_together_run_together(client: tuple[ModuleType, Any], api: Api) -> None:
    module, _ = client
    served = api.catalogue.find("batched")
    before = served.statistics.to_json("", "")
    pairs = [np.full((1, 4), number, np.float32) for number in range(4)]
    if module is tritonclient.http:
        server = module.InferenceServerClient(api.http, concurrency=4)
        waiting = [server.async_infer("batched", [tensor(module, "A", each), tensor(module, "B", each)]) for each in pairs]
        results = [each.get_result() for each in waiting]
    else:
        server = module.InferenceServerClient(api.grpc)
        done: queue.Queue[Any] = queue.Queue()
        for each in pairs:
            inputs = [tensor(module, "A", each), tensor(module, "B", each)]
            server.async_infer(
                "batched", inputs, request_id=str(int(each[0, 0])), callback=lambda result, error: done.put((result, error))
            )
        answers = [done.get(timeout=120) for _ in pairs]
        assert all(error is None for _, error in answers)
        results = [result for result, _ in sorted(answers, key=lambda answer: str(answer[0].get_response().id))]
    server.close()
    for each, result in zip(pairs, results, strict=True):
        assert np.array_equal(result.as_numpy("SUM"), each * 2)
    after = served.statistics.to_json("", "")
    assert after["inference_count"] - before["inference_count"] == 4
    assert after["execution_count"] - before["execution_count"] < 4


def test_stream_answers_in_order_and_errors_in_place(api: Api) -> None:
    server = tritonclient.grpc.InferenceServerClient(api.grpc)
    answers: queue.Queue[tuple[Any, Any]] = queue.Queue()
    server.start_stream(lambda result, error: answers.put((result, error)))
    for number in range(6):
        array = np.full((1, 16), number, np.float32)
        server.async_stream_infer("nothing" if number == 3 else "identity_fp32", [tensor(tritonclient.grpc, "INPUT", array)])
    found = [answers.get(timeout=120) for _ in range(6)]
    server.stop_stream()
    server.close()
    assert [None if error else result.as_numpy("OUTPUT")[0, 0] for result, error in found] == [0, 1, 2, None, 4, 5]
    assert "unknown model" in str(found[3][1])


def test_typed_contents(api: Api) -> None:
    request = service_pb2.ModelInferRequest(model_name="add")
    for name in ("A", "B"):
        request.inputs.add(name=name, datatype="FP32", shape=[1, 4]).contents.fp32_contents.extend([1, 2, 3, 4])
    with tritonclient.grpc.InferenceServerClient(api.grpc) as server:
        response = server._client_stub.ModelInfer(request)
        assert np.frombuffer(response.raw_output_contents[0], np.float32).tolist() == [2, 4, 6, 8]
        small = service_pb2.ModelInferRequest(model_name="identity_int8")
        small.inputs.add(name="INPUT", datatype="INT8", shape=[1, 16]).contents.int_contents.extend([300] * 16)
        with pytest.raises(Exception, match="does not fit into INT8"):
            server._client_stub.ModelInfer(small)


def test_repository_control(client: tuple[ModuleType, Any], api: Api) -> None:
    module, server = client
    name = f"fresh_{module.__name__.rpartition('.')[2]}"
    put_model(api.root, name, onnx_file.identity())
    assert _index(server, module)[name] == "UNAVAILABLE"
    server.load_model(name)
    assert server.is_model_ready(name)
    assert _index(server, module)[name] == "READY"
    put_model(api.root, name, b"not a model", version="2")
    with pytest.raises(InferenceServerException, match="failed to load"):
        server.load_model(name)
    assert server.is_model_ready(name, "1")
    server.unload_model(name)
    assert not server.is_model_ready(name)
    with pytest.raises(InferenceServerException, match="no such model"):
        server.load_model("nowhere")
    with pytest.raises(InferenceServerException, match="count"):
        server.load_model(name, config='{"instance_group": [{"count": 100000}]}')


def _index(server: Any, module: ModuleType) -> dict[str, str]:
    as_json = {} if module is tritonclient.http else {"as_json": True}
    index = server.get_model_repository_index(**as_json)
    return {each["name"]: each["state"] for each in (index if module is tritonclient.http else index["models"])}


def test_asyncio_forms(api: Api) -> None:
    async def ask(module: Any, address: str) -> None:
        async with module.InferenceServerClient(address) as server:
            assert await server.is_server_ready()
            arrays = [np.full((1, 16), number, np.float32) for number in range(20)]
            results = await asyncio.gather(*(server.infer("identity_fp32", [tensor(module, "INPUT", each)]) for each in arrays))
            for array, result in zip(arrays, results, strict=True):
                assert np.array_equal(result.as_numpy("OUTPUT"), array)

    async def both() -> None:
        await ask(tritonclient.http.aio, api.http)
        await ask(tritonclient.grpc.aio, api.grpc)

    asyncio.run(both())


@pytest.mark.parametrize("name", sorted(set(MESSAGES)))
def test_our_messages_are_the_clients(name: str) -> None:
    """Every field of our messages has the number, type and cardinality of the published client."""
    theirs = {**service_pb2.DESCRIPTOR.message_types_by_name, **model_config_pb2.DESCRIPTOR.message_types_by_name}[name]
    _same(MESSAGES[name].DESCRIPTOR, theirs)


def _same(ours: Any, theirs: Any) -> None:
    for field in ours.fields:
        other = theirs.fields_by_name[field.name]
        assert (field.number, field.type, field.is_repeated) == (other.number, other.type, other.is_repeated), field.full_name
        if field.enum_type is not None:
            assert [(each.name, each.number) for each in field.enum_type.values] == [
                (each.name, each.number) for each in other.enum_type.values
            ]
        if field.message_type is not None and field.message_type.containing_type is not None:
            _same(field.message_type, other.message_type)
