"""Every way of a tensor into the server and back."""

from __future__ import annotations

import base64
import http.client
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import tritonclient.grpc as triton_grpc
from tritonclient.grpc import service_pb2

from edgefleet_agent.serving.protocol.shared_memory import FOLDER
from edgefleet_agent.serving.protocol.tensors import DTYPES, Array, from_raw, text_of, to_raw
from tests.agent.serving.mqtt.test_service import InferenceClient

WAIT_S = 60.0
REGION = "edgefleet_matrix"
_TYPED = {
    "BOOL": "bool_contents", "UINT8": "uint_contents", "UINT16": "uint_contents", "UINT32": "uint_contents",
    "UINT64": "uint64_contents", "INT8": "int_contents", "INT16": "int_contents", "INT32": "int_contents",
    "INT64": "int64_contents", "FP32": "fp32_contents", "FP64": "fp64_contents", "BYTES": "bytes_contents",
}  # fmt: skip


class WayError(Exception):
    """The server's answer is an error."""


class Callers:
    """One connection for each protocol. names: of the input and the output of each runtime's models are X and Y."""

    def __init__(self, http_address: str, grpc_address: str, mqtt: InferenceClient | None, topics: str) -> None:
        self._line = http.client.HTTPConnection(http_address, timeout=WAIT_S)
        self._grpc = triton_grpc.InferenceServerClient(grpc_address)
        self._mqtt = mqtt
        self._topics = topics
        self._sequence = 0
        self.ways: dict[str, Callable[[str, str, Array], Array]] = {
            "HTTP JSON": self._json,
            "HTTP binary aligned": lambda *what: self._binary(*what, offset=0),
            "HTTP binary unaligned": lambda *what: self._binary(*what, offset=1),
            "gRPC raw": self._raw,
            "gRPC typed": self._typed,
            "shared memory": self._shared,
            "TF Serving": self._tf_serving,
            "generate": self._generate,
            "MQTT": self._topic,
            "ensemble": lambda model, *what: self._binary(f"{model}-ensemble", *what, offset=0),
            "sequence": self._in_sequence,
            "load": self._raw,
        }

    def close(self) -> None:
        self._line.close()
        self._grpc.close()

    def post(self, path: str, body: bytes, **headers: str) -> tuple[bytes, int | None]:
        """The body of an answer, and the length of its JSON if tensors follow.

        Raises:
            WayError: the server refuses.
        """
        self._line.request("POST", path, body, headers)
        answer = self._line.getresponse()
        data = answer.read()
        if answer.status != 200:
            raise WayError(f"{answer.status} {data[:300].decode()}")
        size = answer.getheader("Inference-Header-Content-Length")
        return data, int(size) if size else None

    def load(self, model: str, runtime: str, files: tuple[Path, ...]) -> None:
        """Sends a model."""
        parameters: dict[str, str] = {"config": json.dumps({"runtime": runtime} if runtime == "faulty" else {})}
        parameters |= {f"file:1/{file.name}": base64.b64encode(file.read_bytes()).decode() for file in files}
        self.post(f"/v2/repository/models/{model}/load", json.dumps({"parameters": parameters}).encode())

    def _json(self, model: str, datatype: str, array: Array) -> Array:
        tensor = {"name": "X", "shape": array.shape, "datatype": datatype, "data": _plain(array)}
        data, _ = self.post(f"/v2/models/{model}/infer", json.dumps({"inputs": [tensor]}).encode())
        (found,) = json.loads(data)["outputs"]
        return _from_plain(found["data"], found["datatype"], found["shape"])

    def _binary(self, model: str, datatype: str, array: Array, *, offset: int, **more: Any) -> Array:
        raw = to_raw(array)
        head = _head(datatype, array.shape, len(raw), offset, **more)
        length = {"Inference-Header-Content-Length": str(len(head))}
        data, size = self.post(f"/v2/models/{model}/infer", head + raw, **length)
        return read_outputs(data, size)["Y"]

    def _raw(self, model: str, datatype: str, array: Array) -> Array:
        given = service_pb2.ModelInferRequest.InferInputTensor(name="X", datatype=datatype, shape=array.shape)
        request = service_pb2.ModelInferRequest(model_name=model, inputs=[given], raw_input_contents=[to_raw(array)])
        return self._called(request)

    def _typed(self, model: str, datatype: str, array: Array) -> Array:
        given = service_pb2.ModelInferRequest.InferInputTensor(name="X", datatype=datatype, shape=array.shape)
        getattr(given.contents, _TYPED[datatype]).extend(array.ravel().tolist())
        return self._called(service_pb2.ModelInferRequest(model_name=model, inputs=[given]))

    def _called(self, request: Any) -> Array:
        answer = self._grpc._client_stub.ModelInfer(request, timeout=WAIT_S)
        (found,) = answer.outputs
        return from_raw("Y", found.datatype, list(found.shape), memoryview(answer.raw_output_contents[0]))

    def _shared(self, model: str, datatype: str, array: Array) -> Array:
        raw = to_raw(array)
        file = FOLDER / REGION
        file.write_bytes(raw + bytes(len(raw) + 4096))
        try:
            about = {"key": f"/{REGION}", "offset": 0, "byte_size": file.stat().st_size}
            self.post(f"/v2/systemsharedmemory/region/{REGION}/register", json.dumps(about).encode())
            place = {"shared_memory_region": REGION, "shared_memory_byte_size": len(raw)}
            tensor = {"name": "X", "shape": array.shape, "datatype": datatype, "parameters": place}
            room = {**place, "shared_memory_offset": len(raw), "shared_memory_byte_size": len(raw) + 4096}
            body = {"inputs": [tensor], "outputs": [{"name": "Y", "parameters": room}]}
            data, _ = self.post(f"/v2/models/{model}/infer", json.dumps(body).encode())
            (found,) = json.loads(data)["outputs"]
            with file.open("rb") as stream:
                stream.seek(len(raw))
                return from_raw("Y", found["datatype"], found["shape"], memoryview(stream.read(len(raw))))
        finally:
            self.post(f"/v2/systemsharedmemory/region/{REGION}/unregister", b"{}")
            file.unlink()

    def _tf_serving(self, model: str, datatype: str, array: Array) -> Array:
        data, _ = self.post(f"/v1/models/{model}:predict", json.dumps({"inputs": {"X": _plain(array)}}).encode())
        found = json.loads(data)["outputs"]
        return _from_plain(_flat(found), datatype, array.shape)

    def _generate(self, model: str, datatype: str, array: Array) -> Array:
        """One row: its callers send no batches."""
        data, _ = self.post(f"/v2/models/{model}/generate", json.dumps({"X": _flat(_plain(array))}).encode())
        return _from_plain(_flat(json.loads(data)["Y"]), datatype, array.shape)

    def _topic(self, model: str, datatype: str, array: Array) -> Array:
        assert self._mqtt is not None
        raw = to_raw(array)
        head = _head(datatype, array.shape, len(raw), 0)
        self._mqtt.ask(
            f"{self._topics}/{model}/infer", head + raw, UserProperty=[("inference-header-content-length", str(len(head)))]
        )
        answer = self._mqtt.next()
        sizes = dict(getattr(answer.properties, "UserProperty", []))
        if "inference-header-content-length" not in sizes:
            raise WayError(answer.payload[:300].decode())
        return read_outputs(answer.payload, int(sizes["inference-header-content-length"]))["Y"]

    def _in_sequence(self, model: str, datatype: str, array: Array) -> Array:
        self._sequence += 1
        rows = [
            self._binary(
                f"{model}-sequence",
                datatype,
                np.ascontiguousarray(array[row : row + 1]),
                offset=0,
                sequence_id=self._sequence,
                sequence_start=row == 0,
                sequence_end=row == len(array) - 1,
            )
            for row in range(len(array))
        ]
        return np.concatenate(rows)


def _head(datatype: str, shape: tuple[int, ...], size: int, offset: int, **more: Any) -> bytes:
    """The JSON before a raw tensor, filled up so that this begins `offset` bytes behind a multiple of 64."""
    tensor = {"name": "X", "shape": shape, "datatype": datatype, "parameters": {"binary_data_size": size}}
    head = json.dumps({"inputs": [tensor], "parameters": {"binary_data_output": True, **more}}).encode()
    return head + b" " * ((offset - len(head)) % 64)


def read_outputs(data: bytes, size: int | None) -> dict[str, Array]:
    """The outputs of an answer, in its JSON or behind it."""
    outputs, at = {}, size or len(data)
    for each in json.loads(data[:at])["outputs"]:
        if "data" in each:
            outputs[each["name"]] = _from_plain(each["data"], each["datatype"], each["shape"])
            continue
        length = each["parameters"]["binary_data_size"]
        outputs[each["name"]] = from_raw(each["name"], each["datatype"], each["shape"], memoryview(data[at : at + length]))
        at += length
    return outputs


def _plain(array: Array) -> Any:
    if array.dtype.kind == "O":
        return np.vectorize(lambda each: text_of(each).decode(), otypes=[object])(array).tolist()
    return array.tolist()


def _flat(data: Any) -> list[Any]:
    return [each for part in data for each in _flat(part)] if isinstance(data, list) else [data]


def _from_plain(data: list[Any], datatype: str, shape: Any) -> Array:
    if datatype == "BYTES":
        found = np.empty(math.prod(shape), np.object_)
        found[:] = [each.encode() for each in _flat(data)]
        return found.reshape(shape)
    return np.array(_flat(data), DTYPES[datatype]).reshape(shape)
