"""One line a request, for every outcome."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest
import tritonclient.grpc as triton

from edgefleet_agent.serving.frontend.access_log import AccessLog
from edgefleet_agent.serving.frontend.server_state import Server
from edgefleet_agent.serving.open_listeners import open_grpc, open_http
from edgefleet_contract.core.errors import InputError
from tests.agent.serving.conftest import LIMITS, Api


def lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def test_requests_of_both_listeners(api: Api, tmp_path: Path) -> None:
    log = AccessLog(str(tmp_path / "access"))
    server = Server("edgefleet", "test", access=log)
    http = open_http("127.0.0.1:0", api.catalogue, api.repository, server, LIMITS)
    grpc = open_grpc("127.0.0.1:0", api.catalogue, api.repository, server, LIMITS)
    with urllib.request.urlopen(f"http://{http.address}/v2/models/identity_fp32?x=%0A", timeout=30) as answer:
        size = len(answer.read())
    with pytest.raises(urllib.error.HTTPError):
        urllib.request.urlopen(f"http://{http.address}/v2/models/nothing", timeout=30)
    client = triton.InferenceServerClient(grpc.address)
    assert client.is_server_live()
    with pytest.raises(triton.InferenceServerException):
        client.get_model_metadata("nothing")
    client.close()
    http.close()
    grpc.close()
    log.close()
    found = lines(tmp_path / "access")
    assert [(each["protocol"], each["request"], each["status"]) for each in found] == [
        ("HTTP", "GET /v2/models/identity_fp32?x=%0A", 200),
        ("HTTP", "GET /v2/models/nothing", 404),
        ("gRPC", "/inference.GRPCInferenceService/ServerLive", 0),
        ("gRPC", "/inference.GRPCInferenceService/ModelMetadata", 5),
    ]
    assert found[0]["bytes"] == size
    assert all(each["peer"] == "127.0.0.1" and each["ms"] >= 0 for each in found)


def test_the_file_turns_over_and_there_are_never_more_than_two(tmp_path: Path) -> None:
    file = tmp_path / "access"
    for _ in range(3):
        log = AccessLog(str(file), bytes_max=2000)
        for number in range(100):
            log.note("HTTP", "", b"GET /%d\n" % number, 200, 0, 0.0)
        log.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["access", "access.1"]
    assert len(lines(tmp_path / "access.1")) >= 1


def test_a_file_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written"):
        AccessLog(str(tmp_path / "nothing" / "access"))
