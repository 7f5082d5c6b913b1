"""Hundreds of hostile requests over HTTP and gRPC; `tests/long/test_hostile_seeds.py` sends ten thousand."""

from __future__ import annotations

import http.client
from collections import Counter
from typing import Any

import grpc
import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgefleet_agent.machine.vitals import rss_bytes
from edgefleet_agent.serving.grpc.messages import MESSAGES
from tests.agent.serving.conftest import Api
from tests.agent.serving.hostile_requests import grpc_message, http_request

REFUSED = (
    grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.NOT_FOUND, grpc.StatusCode.RESOURCE_EXHAUSTED,
    grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.UNIMPLEMENTED,
)  # fmt: skip
GROWN_BYTES_MAX = 30 * 1024 * 1024


def send_http(address: str, seeds: range) -> Counter[int]:
    """Counts of the statuses."""
    host, _, port = address.rpartition(":")
    connection = http.client.HTTPConnection(host, int(port), timeout=30)
    found: Counter[int] = Counter()
    for seed in seeds:
        path, headers, body = http_request(seed)
        connection.request("POST", path, body, headers)
        answer = connection.getresponse()
        text = answer.read()
        assert answer.status < 500 or answer.status == 503, (seed, text)
        assert answer.status == 200 or b'"error":' in text, (seed, answer.status, text)
        found[answer.status] += 1
    connection.close()
    return found


def send_grpc(address: str, seeds: range) -> Counter[str]:
    """Counts of the codes."""
    found: Counter[str] = Counter()
    with grpc.insecure_channel(address) as channel:
        call = channel.unary_unary("/inference.GRPCInferenceService/ModelInfer")
        for seed in seeds:
            found[code_of(call, grpc_message(seed)).name] += 1
    return found


def code_of(call: Any, data: bytes) -> grpc.StatusCode:
    state = call.future(data, timeout=30)
    code: grpc.StatusCode = state.code()
    assert code in (grpc.StatusCode.OK, *REFUSED), state.details()
    return code


def test_hostile_http_is_refused_or_served(api: Api) -> None:
    send_http(api.http, range(200))
    before = rss_bytes()
    found = send_http(api.http, range(200, 900))
    assert found[400] > 300
    assert found[200] > 10
    assert rss_bytes() - before < GROWN_BYTES_MAX


def test_hostile_grpc_is_refused_or_served(api: Api) -> None:
    send_grpc(api.grpc, range(200))
    before = rss_bytes()
    found = send_grpc(api.grpc, range(200, 700))
    assert found["INVALID_ARGUMENT"] > 100
    assert found["OK"] > 5
    assert rss_bytes() - before < GROWN_BYTES_MAX


SCALARS: dict[int, st.SearchStrategy[Any]] = {
    1: st.floats(), 2: st.floats(width=32), 3: st.integers(-(2**63), 2**63 - 1), 4: st.integers(0, 2**64 - 1),
    5: st.integers(-(2**31), 2**31 - 1), 8: st.booleans(), 9: st.text(max_size=20), 12: st.binary(max_size=80),
    13: st.integers(0, 2**32 - 1),
}  # fmt: skip
NAMES = st.sampled_from(["identity_fp32", "add", "INPUT", "A", "B", "OUTPUT", "FP32", "BYTES", "1", ""])


@st.composite
def messages(draw: st.DrawFn, name: str) -> Any:
    """Any message of a kind: each field is set, omitted or repeated within its description."""
    made = MESSAGES[name]()
    _fill(draw, made, depth=3)
    return made


def _fill(draw: st.DrawFn, made: Any, depth: int) -> None:
    for field in made.DESCRIPTOR.fields:
        if not draw(st.booleans()):
            continue
        count = draw(st.integers(0, 3)) if field.is_repeated else 1
        if field.message_type is not None and field.message_type.GetOptions().map_entry:
            for _ in range(count if depth else 0):
                value = field.message_type.fields_by_name["value"]
                into = getattr(made, field.name)
                key = draw(NAMES | st.sampled_from(["sequence_id", "priority", "classification", "shared_memory_region"]))
                if value.message_type is None:
                    into[key] = draw(SCALARS[value.type])
                else:
                    _fill(draw, into[key], depth - 1)
        elif field.message_type is not None:
            for _ in range(count if depth else 0):
                _fill(draw, getattr(made, field.name).add() if field.is_repeated else getattr(made, field.name), depth - 1)
        elif field.enum_type is None:
            values = SCALARS[field.type] | NAMES if field.type == 9 else SCALARS[field.type]
            if field.is_repeated:
                getattr(made, field.name).extend(draw(values) for _ in range(count))
            else:
                setattr(made, field.name, draw(values))


@pytest.mark.parametrize(
    "name",
    ["ModelInfer", "ModelMetadata", "ModelConfig", "ModelStatistics", "ModelReady", "RepositoryIndex", "TraceSetting",
     "LogSettings", "SystemSharedMemoryStatus", "SystemSharedMemoryRegister", "SystemSharedMemoryUnregister"],
)  # fmt: skip
def test_any_message_is_refused_or_served(api: Api, name: str) -> None:
    with grpc.insecure_channel(api.grpc) as channel:
        call = channel.unary_unary(f"/inference.GRPCInferenceService/{name}")

        @given(messages(f"{name}Request"))
        def send(message: Any) -> None:
            code_of(call, message.SerializeToString())

        send()
