"""HTTP requests to both servers: (method, path, body, tensors behind it). The order matters: some change state."""

from __future__ import annotations

import struct
from typing import Any

INFER = "/v2/models/identity_fp32/infer"
GIVEN = {"name": "INPUT", "shape": [1, 16], "datatype": "FP32"}
GOOD = {**GIVEN, "data": [1.0] * 16}


def with_output(**parameters: Any) -> dict[str, Any]:
    return {"inputs": [GOOD], "outputs": [{"name": "OUTPUT", "parameters": parameters}]}


def sized(size: Any, **changes: Any) -> dict[str, Any]:
    return {"inputs": [{**GIVEN, "parameters": {"binary_data_size": size}, **changes}]}


def typed(datatype: str, value: Any) -> tuple[str, str, Any]:
    return (
        "POST",
        f"/v2/models/identity_{datatype.lower()}/infer",
        {"inputs": [{**GIVEN, "datatype": datatype, "data": [value] * 16}]},
    )


def counted(value: float, **parameters: Any) -> tuple[str, str, Any]:
    tensor = {"name": "INPUT", "shape": [1, 1], "datatype": "FP32", "data": [value]}
    outputs_requested = [{"name": name} for name in ("START_WAS", "END_WAS", "READY_WAS")]
    return "POST", "/v2/models/sum/infer", {"inputs": [tensor], "outputs": outputs_requested, "parameters": parameters}


SAME: list[tuple[Any, ...]] = [
    *(("GET", path) for path in (
        "/v2/models/nothing", "/v2/models/add/versions/9", "/v2/models/add/versions/x", "/v2/models/versions/versions/2",
        "/v2/models/nothing/ready", "/v2/models/add/versions/9/ready", "/v2/models/nothing/config", "/v2/models/nothing/stats",
        "/v2/models/add/versions/9/stats", "/v2/models/nothing/trace/setting", "/v2/", "/v2/nothing", "/v2/models",
        "/v2/trace/setting", "/v2/logging", "/v2/systemsharedmemory/status", "/v2/systemsharedmemory/region/x/status",
        "/v2/cudasharedmemory/status", "/v2/repository/index", INFER,
    )),
    ("POST", "/v2/models/add"), ("DELETE", "/v2/models/add"), ("POST", "/v2/health/live"), ("PUT", INFER, {"inputs": [GOOD]}),
    *(("POST", INFER, body) for body in (
        {"inputs": [GOOD]}, {"inputs": [GOOD], "id": "abc"}, with_output(), with_output(binary_data=True),
        with_output(classification=3), with_output(classification=100), with_output(classification=2, binary_data=True),
        {"inputs": [GOOD], "outputs": []},
        {"inputs": [GOOD], "outputs": [{"name": "OUTPUT"}, {"name": "OUTPUT"}]}, {"inputs": [GOOD], "outputs": [{"name": "NO"}]},
        {"inputs": [GOOD], "parameters": {"binary_data_output": True}},
        {"inputs": [GOOD], "parameters": {"custom": "x", "number": 3, "flag": True}},
        {"inputs": [GOOD], "parameters": {"custom": {"a": 1}}}, {"inputs": [GOOD], "parameters": {"triton_x": "x"}},
        {"inputs": [GOOD], "parameters": {"priority": 7}}, {"inputs": [GOOD], "parameters": {"timeout": 1_000_000}},
        {"inputs": [GOOD], "parameters": {"sequence_id": 5}}, {"inputs": []}, {"inputs": [GIVEN]},
        {"inputs": [{**GIVEN, "data": [[1.0] * 16]}]}, {"inputs": [{**GIVEN, "data": [1] * 16}]},
        {"inputs": [{**GOOD, "name": "OTHER"}]}, {"inputs": [{**GOOD, "datatype": "INT32", "data": [1] * 16}]},
        {"inputs": [{**GOOD, "datatype": "FP8"}]}, {"inputs": [{**GOOD, "shape": [16]}]}, {"inputs": [{**GOOD, "shape": [2, 8]}]},
        {"inputs": [{**GOOD, "shape": [0, 16], "data": []}]},
        {"inputs": [GOOD, GOOD]}, {"inputs": [GOOD], "extra": 1},
        {"inputs": [{**GIVEN, "shape": [2, 16], "data": list(range(32))}],
         "outputs": [{"name": "OUTPUT", "parameters": {"classification": 2}}]},
    )),
    ("POST", INFER, sized(64), bytes(64)), ("POST", INFER, sized(63), bytes(63)), ("POST", INFER, sized(64), bytes(63)),
    ("POST", INFER, sized(64), bytes(65)),
    ("POST", INFER, {**sized(64), "outputs": [{"name": "OUTPUT", "parameters": {"binary_data": True}}]}, bytes(64)),
    typed("BOOL", True), typed("UINT8", 200), typed("INT8", -100), typed("UINT16", 60000), typed("INT16", -30000),
    typed("UINT32", 4_000_000_000), typed("INT32", -2_000_000_000), typed("UINT64", 2**64 - 1), typed("INT64", -(2**63)),
    typed("FP64", 1e300), typed("BYTES", "größe"), typed("BF16", 1.5),
    ("POST", "/v2/models/nothing/infer", {"inputs": [GOOD]}), ("POST", "/v2/models/versions/infer", {"inputs": [GOOD]}),
    ("POST", "/v2/models/versions/versions/1/infer", {"inputs": [GOOD]}),
    ("POST", "/v2/models/versions/versions/2/infer", {"inputs": [GOOD]}),
    ("POST", "/v2/models/identity_bytes/infer",
     {"inputs": [{**GIVEN, "datatype": "BYTES", "parameters": {"binary_data_size": 80}}]}, (struct.pack("<I", 1) + b"x") * 16),
    ("POST", "/v2/models/identity_bytes/infer",
     {"inputs": [{**GIVEN, "datatype": "BYTES", "parameters": {"binary_data_size": 80}}]}, (struct.pack("<I", 9) + b"x") * 16),
    counted(1), counted(1, sequence_id=1), counted(1, sequence_id=0, sequence_start=True),
    counted(1, sequence_id=1, sequence_start=True), counted(2, sequence_id=1), counted(3, sequence_id=1, sequence_end=True),
    counted(3, sequence_id=1), counted(1, sequence_id=2, sequence_start=True, sequence_end=True),
    counted(1, sequence_id=3, sequence_start=True), counted(7, sequence_id=3, sequence_start=True),
    counted(1, sequence_id=3, sequence_end=True),
    ("POST", "/v2/models/sum/infer", {"inputs": [{"name": "INPUT", "shape": [2, 1], "datatype": "FP32", "data": [1, 2]}],
                                      "parameters": {"sequence_id": 9, "sequence_start": True}}),
    ("POST", "/v2/models/twice/infer", {"inputs": [{"name": "X", "shape": [1, 5], "datatype": "FP32", "data": [1] * 5}]}),
    ("POST", "/v2/models/twice/infer", {"inputs": [{"name": "X", "shape": [5, 4], "datatype": "FP32", "data": [1] * 20}]}),
    *(("POST", "/v2/models/add/generate", body) for body in (
        {"A": [1, 2, 3, 4], "B": [1] * 4}, {"A": [1, 2, 3, 4]}, {"A": 1, "B": [1] * 4}, {"A": [1] * 4, "B": [1] * 4, "x": 1},
        {"A": [1] * 4, "B": [1] * 4, "id": "q"}, {"A": [1] * 4, "B": [1] * 4, "x": {"a": 1}},
    )),
    ("POST", "/v2/models/nothing/generate", {}), ("POST", "/v2/models/identity_bytes/generate", {"INPUT": ["a"] * 16}),
    ("POST", "/v2/trace/setting", {"trace_file": "/tmp/x"}), ("POST", "/v2/trace/setting", {"trace_rate": "x"}),
    ("POST", "/v2/models/nothing/trace/setting", {"trace_rate": "7"}),
    ("POST", "/v2/models/add/trace/setting", {"trace_rate": "7"}), ("GET", "/v2/models/add/trace/setting"),
    ("POST", "/v2/models/add/trace/setting", {"trace_rate": None}),
    ("POST", "/v2/logging", {"log_verbose_level": 1}), ("POST", "/v2/logging", {"log_verbose_level": 0}),
    ("POST", "/v2/logging", {"log_file": "/tmp/x"}), ("POST", "/v2/logging", {"log_format": "ISO8601"}),
    ("POST", "/v2/logging", {"log_format": "default"}),
    ("POST", "/v2/repository/index", {"ready": True}),
]  # fmt: skip

WRONG = (
    "a request that is wrong: no JSON, no `inputs`, a number of the wrong kind, negative sizes, `index` and `load` of nonsense"
)
DIFFERENT: list[tuple[str, tuple[Any, ...]]] = [
    *((WRONG, ("POST", INFER, body)) for body in (
        b"{", b"[]", {}, {"inputs": "x"}, {"inputs": [{**GIVEN, "data": [1.0] * 15}]},
        {"inputs": [{**GIVEN, "data": ["x"] * 16}]}, {"inputs": [{**GOOD, "shape": [-1, -16]}]},
        {"inputs": [GOOD], "id": 5}, {"inputs": [GOOD], "outputs": {}},
        {"inputs": [GOOD], "parameters": {"priority": -1}}, {"inputs": [GOOD], "parameters": {"timeout": "x"}},
    )),
    (WRONG, ("POST", INFER, sized(-1), bytes(64))), (WRONG, typed("BOOL", 2)), (WRONG, typed("INT32", 1.5)),
    (WRONG, typed("UINT64", -1)), (WRONG, typed("BYTES", 5)), (WRONG, ("POST", "/v2/repository/index", b"{")),
    (WRONG, ("POST", "/v2/repository/models/nothing/load")), (WRONG, ("POST", "/v2/logging", {"log_info": 1})),
    ("a text as `binary_data_size`", ("POST", INFER, sized("x"), bytes(64))),
    ("registering memory that is not there",
     ("POST", "/v2/systemsharedmemory/region/r/register", {"key": "/nothing", "offset": 0, "byte_size": 64})),
    ("a number in JSON that does not fit its type, as 256 as UINT8", typed("UINT8", 256)),
    ("a number in JSON that does not fit its type, as 256 as UINT8", typed("INT8", -129)),
    ("FP16 as numbers in JSON", typed("FP16", 1.5)),
    ("NaN as an element of BYTES", ("POST", "/v2/models/identity_bytes/infer",
     b'{"inputs":[{"name":"INPUT","shape":[1,16],"datatype":"BYTES","data":[NaN' + b',"x"' * 15 + b"]}]}")),
    ("unloading a model that is not there", ("POST", "/v2/repository/models/nothing/unload")),
    ("text as the id of a sequence, for a model that takes numbers: bytes of Triton's memory reach the model",
     counted(1, sequence_id="text", sequence_start=True)),
    ("traces without a trace file; here they go into the log", ("POST", "/v2/trace/setting", {"trace_level": ["TIMESTAMPS"]})),
    ("trace and log settings that there are not", ("POST", "/v2/trace/setting", {"nothing": "1"})),
    ("trace and log settings that there are not", ("POST", "/v2/logging", {"nothing": 1})),
    ("levels of traces that there are not", ("POST", "/v2/trace/setting", {"trace_level": ["X"]})),
    ("trace settings as numbers instead of text", ("POST", "/v2/trace/setting", {"trace_rate": 1000})),
    ("a `log_format` that there is not", ("POST", "/v2/logging", {"log_format": "x"})),
    ("levels of traces: off", ("POST", "/v2/trace/setting", {"trace_level": ["OFF"]})),
    ("registering CUDA memory", ("POST", "/v2/cudasharedmemory/region/r/register",
     {"raw_handle": {"b64": "AAAA"}, "device_id": 0, "byte_size": 64})),
    ("`/`, which lists here what is served", ("GET", "/")),
    ("more rows than the largest batch, which nothing sets; here they are computed alone",
     ("POST", INFER, {"inputs": [{**GOOD, "shape": [17, 16], "data": [0.0] * 272}]})),
]  # fmt: skip
"""What is asked, as the list of differences says it, and a request whose status differs."""
