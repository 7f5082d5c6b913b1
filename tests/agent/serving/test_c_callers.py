"""The callers in C of the benchmarks: what they count was answered, and what was refused ends the measurement."""

from __future__ import annotations

import pytest

from benchmarks.serving import c_callers
from edgefleet_agent.cli.measure.load_clients import INFER, Tensor, grpc_infer, http_infer
from tests.agent.serving.conftest import Api

try:
    c_callers.check_installed()
    ABSENT = ""
except SystemExit as cause:
    ABSENT = str(cause)

needs_programs = pytest.mark.skipif(bool(ABSENT), reason=ABSENT)
TENSOR = Tensor("INPUT", "FP32", (1, 16), bytes(64))


def call(api: Api, protocol: str, model: str) -> c_callers.Result:
    host, _, port = getattr(api, protocol).removeprefix("http://").rpartition(":")
    if protocol == "http":
        return c_callers.call_http((host, int(port)), http_infer(model, [TENSOR]), 4, 1.0)
    return c_callers.call_grpc((host, int(port)), INFER, grpc_infer(model, [TENSOR]), 4, 1.0)


@needs_programs
@pytest.mark.parametrize("protocol", ["http", "grpc"])
def test_answers_are_counted(api: Api, protocol: str) -> None:
    before = api.catalogue.find("identity_fp32").statistics.inferences
    found = call(api, protocol, "identity_fp32")
    computed = api.catalogue.find("identity_fp32").statistics.inferences - before
    assert 0 < found["count"] <= computed <= found["count"] + 5  # one call before, and those that the end cut off
    assert 0 < found["per_s"] <= 1.05 * found["count"]  # a busy machine takes more than the second
    assert 0 < found["p50_ms"] <= found["p99_ms"]
    assert found["caller_us"] > 0


@needs_programs
@pytest.mark.parametrize("protocol", ["http", "grpc"])
def test_a_refused_call_ends_the_measurement(api: Api, protocol: str) -> None:
    with pytest.raises(SystemExit, match=r"failed|refused"):
        call(api, protocol, "missing")


def test_missing_programs_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(SystemExit, match="wrk and h2load not found: apt-get install wrk nghttp2-client"):
        c_callers.check_installed()
