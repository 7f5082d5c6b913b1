"""Hostile requests generated from a seed: for HTTP a path, headers and a body, for gRPC the bytes of a message.

They are valid requests broken in one or two places, because random bytes fail at the first check.
"""

from __future__ import annotations

import gzip
import json
import random
import struct
import zlib
from typing import Any

from edgefleet_agent.serving.grpc.messages import MESSAGES

Http = tuple[str, dict[str, str], bytes]

NUMBERS = (0, 1, -1, 2, 15, 17, 255, 2**15, 2**31 - 1, 2**31, 2**32, 2**53, 2**62, 2**63 - 1, 2**63, 2**64, 10**30, -(2**63))
TEXTS = ("", "x", "INPUT", "FP32", "BYTES", "FP8", "../../etc/passwd", "\x00", "é" * 100, "x" * 5000, "nothing", "%00", "{}")
ODD: tuple[Any, ...] = (None, True, 1.5, 1e308, float("inf"), [], {}, [[]], {"a": [1]}, *NUMBERS, *TEXTS)
PATHS = (
    "/v2/models/identity_fp32/infer", "/v2/models/identity_bytes/infer", "/v2/models/add/infer", "/v2/models/batched/infer",
    "/v2/models/identity_fp32/versions/1/infer", "/v2/models/identity_bf16/infer", "/v2/models/add/generate",
    "/v2/models/identity_bytes/generate_stream", "/v1/models/identity_fp32:predict", "/v1/models/add:classify",
    "/v2/systemsharedmemory/region/x/register", "/v2/repository/index", "/v2/models/nothing/infer",
)  # fmt: skip


def http_request(seed: int) -> Http:
    """The request of a seed; deterministic."""
    chance = random.Random(seed)
    path = chance.choice(PATHS)
    kind = chance.randrange(10)
    if kind == 0:
        return path, {}, chance.randbytes(chance.randrange(300))
    if kind == 1:  # deep JSON
        depth = chance.choice((50, 1000, 50_000))
        return path, {}, chance.choice((b"[", b'{"inputs":', b'{"a":[')) * depth
    if kind == 2:  # bombs and damaged streams
        packed = gzip.compress(bytes(8 * 1024 * 1024)) if chance.random() < 0.3 else gzip.compress(_body(chance)[0])
        if chance.random() < 0.5:
            packed = _mutated(chance, packed)
        return path, {"Content-Encoding": chance.choice(("gzip", "deflate", "gzip, gzip", "br", ""))}, packed
    if kind == 3:
        return path, {"Content-Encoding": "deflate"}, _mutated(chance, zlib.compress(_body(chance)[0]))
    body, raw = _body(chance)
    headers: dict[str, str] = {}
    if raw or chance.random() < 0.3:
        length = len(body) if chance.random() < 0.6 else chance.choice((0, -1, len(body) + 1, len(body) - 1, 2**40, "x", "1e3"))
        headers["Inference-Header-Content-Length"] = str(length)
    if kind == 4:
        body = _mutated(chance, body)
    return path, headers, body + raw


def grpc_message(seed: int) -> bytes:
    """The bytes of a `ModelInferRequest` of a seed: a broken one, often no message at all."""
    chance = random.Random(seed)
    request = MESSAGES["ModelInferRequest"](model_name="identity_fp32")
    tensor = request.inputs.add(name="INPUT", datatype="FP32", shape=[1, 16])
    request.raw_input_contents.append(bytes(64))
    for _ in range(chance.randrange(4)):
        match chance.randrange(8):
            case 0:
                request.model_name = chance.choice(("identity_bytes", "add", "identity_bf16", "nothing", ""))
            case 1:
                request.model_version = chance.choice(("1", "9", "x"))
            case 2:
                tensor = request.inputs.add(name=chance.choice(("INPUT", "A", "B", "")), datatype="FP32", shape=[1, 4])
            case 3:
                tensor.datatype = chance.choice(("BYTES", "BF16", "INT8", "FP8", ""))
            case 4:
                sides = (chance.choice((1, 16, -1, 0, 2**31, 2**62, -(2**63))) for _ in range(chance.choice((0, 1, 2, 20))))
                tensor.shape[:] = sides
            case 5:
                tensor.contents.fp32_contents.extend([1.0] * chance.choice((0, 4, 15, 16)))
            case 6:
                tensor.parameters["shared_memory_region"].string_param = "x"
                tensor.parameters["shared_memory_byte_size"].int64_param = chance.choice((0, -1, 64, 2**62))
            case _:
                request.raw_input_contents[:] = [_raw(chance) for _ in range(chance.randrange(3))]
    for name in ("sequence_id", "sequence_start", "priority", "timeout", "triton_x", "other"):
        if chance.random() < 0.05:
            value = chance.choice((True, -1, 2**62, "text", 1.5))
            kinds = {bool: "bool_param", int: "int64_param", str: "string_param", float: "double_param"}
            setattr(request.parameters[name], kinds[type(value)], value)
    if chance.random() < 0.2:
        requested_output = request.outputs.add(name=chance.choice(("OUTPUT", "SUM", "NO")))
        requested_output.parameters["classification"].int64_param = chance.choice((0, 1, -1, 2**40))
    data: bytes = request.SerializeToString()
    return _mutated(chance, data) if chance.random() < 0.5 else data


def _body(chance: random.Random) -> tuple[bytes, bytes]:
    """A request with an invalid part, followed by tensors."""
    raw = _raw(chance) if chance.random() < 0.5 else b""
    tensor: dict[str, Any] = {"name": "INPUT", "shape": [1, 16], "datatype": "FP32"}
    if raw:
        tensor["parameters"] = {"binary_data_size": chance.choice((len(raw), len(raw), *NUMBERS))}
    else:
        tensor["data"] = chance.choice(([1.0] * 16, [[1.0] * 16], [1.0] * 15, ["x"] * 16, [1e400] * 16, [None] * 16))
    request: dict[str, Any] = {"inputs": [tensor], "instances": [[1.0] * 16], "key": "/x", "byte_size": 64}
    for _ in range(chance.choice((1, 1, 2))):
        where = chance.choice((request, tensor, tensor))
        field = chance.choice((*where, "id", "outputs", "parameters", "data"))
        where[field] = chance.choice(ODD)
        if field == "shape" and chance.random() < 0.7:
            tensor["shape"] = [chance.choice(NUMBERS) for _ in range(chance.choice((1, 2, 3, 17, 500)))]
    if chance.random() < 0.2:
        request["outputs"] = [
            {"name": chance.choice(TEXTS), "parameters": {chance.choice(("classification", "x")): chance.choice(ODD)}}
        ]
    return json.dumps(request).encode(), raw


def _raw(chance: random.Random) -> bytes:
    lying = struct.pack("<I", chance.choice((0, 1, 60, 2**31, 2**32 - 1))) + chance.randbytes(chance.randrange(60))
    return chance.choice((bytes(64), bytes(63), b"", chance.randbytes(64), lying, (struct.pack("<I", 1) + b"\xff") * 16))


def _mutated(chance: random.Random, data: bytes) -> bytes:
    """The data with bytes changed, truncated, doubled or moved in a few places."""
    bent = bytearray(data or b"\x00")
    for _ in range(chance.randrange(1, 6)):
        at = chance.randrange(len(bent))
        match chance.randrange(4):
            case 0:
                bent[at] = chance.randrange(256)
            case 1:
                del bent[at : at + chance.randrange(1, 20)]
            case 2:
                bent[at:at] = bent[at : at + chance.randrange(1, 20)]
            case _:
                bent[at:at] = chance.choice((b"\xff" * 10, b"\x80" * 12, b"\x00", b"[", b'"', b"-1", b"9" * 40))
        bent = bent or bytearray(b"\x00")
    return bytes(bent)
