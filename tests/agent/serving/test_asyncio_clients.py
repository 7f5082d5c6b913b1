"""The same requests through the asyncio classes of the unmodified client."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator
from typing import Any

import numpy as np
import pytest

from tests.agent.serving.conftest import Api

pytest.importorskip("tritonclient.http.aio", reason="tritonclient[http,grpc] is not installed")

import tritonclient.grpc.aio
import tritonclient.http.aio
import tritonclient.utils.shared_memory as shm
from tritonclient.utils import InferenceServerException, np_to_triton_dtype

MODULES = [tritonclient.http.aio, tritonclient.grpc.aio]


def address(api: Api, module: Any) -> str:
    return api.http if module is tritonclient.http.aio else api.grpc


def tensor(module: Any, array: np.ndarray[Any, Any], name: str = "INPUT") -> Any:
    made = module.InferInput(name, list(array.shape), np_to_triton_dtype(array.dtype))
    made.set_data_from_numpy(array)
    return made


@pytest.mark.parametrize("module", MODULES, ids=["http", "grpc"])
def test_server_and_models(api: Api, module: Any) -> None:
    async def talk() -> None:
        async with module.InferenceServerClient(address(api, module)) as server:
            assert await server.is_server_live()
            assert await server.is_model_ready("add")
            assert (await server.get_server_metadata()) is not None
            assert (await server.get_model_metadata("add")) is not None
            assert (await server.get_model_config("batched")) is not None
            assert (await server.get_inference_statistics("add")) is not None
            assert (await server.get_model_repository_index()) is not None
            await server.load_model("versions")
            assert (await server.get_trace_settings()) is not None
            assert (await server.get_log_settings()) is not None
            with pytest.raises(InferenceServerException):
                await server.update_log_settings({"log_file": "/tmp/x"})
            with pytest.raises(InferenceServerException):
                await server.load_model("nowhere")

    asyncio.run(talk())


@pytest.mark.parametrize("module", MODULES, ids=["http", "grpc"])
def test_texts_classes_and_halves(api: Api, module: Any) -> None:
    async def talk() -> None:
        async with module.InferenceServerClient(address(api, module)) as server:
            texts = np.array([[b"a", "größe".encode(), *[b""] * 14]], np.object_)
            found = await server.infer("identity_bytes", [tensor(module, texts)])
            assert found.as_numpy("OUTPUT").tolist() == texts.tolist()
            halves = np.arange(16, dtype=np.float16).reshape(1, 16)
            found = await server.infer("identity_fp16", [tensor(module, halves)])
            assert np.array_equal(found.as_numpy("OUTPUT"), halves)
            requested_output = module.InferRequestedOutput("OUTPUT", class_count=1)
            found = await server.infer("identity_fp32", [tensor(module, halves.astype(np.float32))], outputs=[requested_output])
            assert found.as_numpy("OUTPUT").tolist() == [[b"15.000000:15"]]

    asyncio.run(talk())


@pytest.mark.parametrize("module", MODULES, ids=["http", "grpc"])
def test_shared_memory(api: Api, module: Any) -> None:
    array = np.arange(16, dtype=np.float32).reshape(1, 16)
    key = f"/edgefleet-{uuid.uuid4().hex}"
    region = shm.create_shared_memory_region("mine", key, 128)
    shm.set_shared_memory_region(region, [array])

    async def talk() -> None:
        async with module.InferenceServerClient(address(api, module)) as server:
            await server.register_system_shared_memory("mine", key, 128)
            assert (await server.get_system_shared_memory_status()) is not None
            given = module.InferInput("INPUT", [1, 16], "FP32")
            given.set_shared_memory("mine", 64)
            requested_output = module.InferRequestedOutput("OUTPUT")
            requested_output.set_shared_memory("mine", 64, offset=64)
            await server.infer("identity_fp32", [given], outputs=[requested_output])
            await server.unregister_system_shared_memory()

    asyncio.run(talk())
    assert np.array_equal(shm.get_contents_as_numpy(region, np.float32, [1, 16], offset=64), array)
    shm.destroy_shared_memory_region(region)


def test_a_stream(api: Api) -> None:
    module = tritonclient.grpc.aio

    async def talk() -> list[float]:
        async def requests() -> AsyncIterator[dict[str, Any]]:
            for number in range(5):
                array = np.full((1, 16), number, np.float32)
                yield {"model_name": "identity_fp32", "inputs": [tensor(module, array)]}

        async with module.InferenceServerClient(api.grpc) as server:
            answers = []
            async for result, error in server.stream_infer(requests()):
                assert error is None
                answers.append(float(result.as_numpy("OUTPUT")[0, 0]))
            return answers

    assert asyncio.run(talk()) == [0, 1, 2, 3, 4]
