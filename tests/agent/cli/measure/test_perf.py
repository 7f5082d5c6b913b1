"""`edgefleet-agent perf` against a real server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from edgefleet_agent.__main__ import main
from edgefleet_agent.backends.installed import installed_runtimes
from edgefleet_agent.cli.measure.load_clients import HttpLoadClient, http_post, open_loop
from edgefleet_agent.serving.engine.model_registry import ModelRegistry
from edgefleet_agent.serving.frontend.authentication import Authentication, Key, Tls
from edgefleet_agent.serving.models.model_source import LoadTarget
from edgefleet_agent.serving.models.repository import FolderRepository
from edgefleet_agent.serving.open_listeners import open_grpc, open_http
from tests.agent.serving import onnx_file
from tests.agent.serving.conftest import LIMITS, SERVER, put_model
from tests.agent.serving.frontend.test_authentication import certificate

KEY = "k" * 20


@pytest.fixture(scope="module")
def addresses(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    import hashlib

    root = tmp_path_factory.mktemp("models")
    put_model(root, "model", onnx_file.identity())
    put_model(root, "text", onnx_file.identity("BYTES"))
    put_model(root, "open", onnx_file.identity("UINT8", ("n", "m")))
    put_model(root, "refusing", onnx_file.count())
    catalogue = ModelRegistry()
    repository = FolderRepository([root], catalogue, LoadTarget(tuple(installed_runtimes())))
    assert repository.load_all() == []
    guard = Authentication({hashlib.sha256(KEY.encode()).digest(): Key("perf")})
    listeners = [opening("127.0.0.1:0", catalogue, repository, SERVER, LIMITS, guard) for opening in (open_http, open_grpc)]
    yield listeners[0].address, listeners[1].address
    for listener in listeners:
        listener.close()
    catalogue.close()


def perf(capsys: pytest.CaptureFixture[str], addresses: tuple[str, str], *options: str) -> tuple[int, list[dict[str, Any]]]:
    code = main(["perf", "--url", addresses[0], "--api-key", KEY, "--seconds", "0.2", "--json", *options])
    out = capsys.readouterr().out
    return code, json.loads(out) if out else []


@pytest.mark.parametrize("over", ["http", "grpc"])
@pytest.mark.parametrize("model", ["model", "text"])
def test_closed_loops(capsys: pytest.CaptureFixture[str], addresses: tuple[str, str], model: str, over: str) -> None:
    options = ["--grpc", addresses[1]] if over == "grpc" else []
    code, rows = perf(capsys, addresses, model, "--concurrency", "1:4", "--data", "random", *options)
    assert (code, [row["concurrency"] for row in rows]) == (0, [1, 2, 4])
    for row in rows:
        assert row["count"] > 0
        assert row["p50_ms"] <= row["p90_ms"] <= row["p99_ms"]
        assert row["server_us"]["compute_infer"] > 0


def test_an_open_loop_sends_at_the_requested_rate(capsys: pytest.CaptureFixture[str], addresses: tuple[str, str]) -> None:
    code, rows = perf(capsys, addresses, "model", "--rate", "50", "--even")
    assert (code, rows[0]["rate"], rows[0]["count"]) == (0, 50, 10)


def test_open_dimensions_have_to_be_given(capsys: pytest.CaptureFixture[str], addresses: tuple[str, str]) -> None:
    assert perf(capsys, addresses, "open")[0] != 0
    assert perf(capsys, addresses, "open", "--shape", "INPUT:2,5")[0] == 0
    for wrong in (["--shape", "X:1"], ["--shape", "INPUT"], ["--concurrency", "0"], ["--concurrency", "a"]):
        assert perf(capsys, addresses, "model", *wrong)[0] != 0
    assert main(["perf", "model", "--url", addresses[0]]) != 0  # no key
    assert main(["perf", "model", "--url", "127.0.0.1:1"]) != 0


def test_failures_are_counted_and_reported(capsys: pytest.CaptureFixture[str], addresses: tuple[str, str]) -> None:
    code, rows = perf(capsys, addresses, "refusing")  # steps of zero
    assert code == 1
    assert rows[0]["count"] == 0
    assert any("delta in Range operator can not be zero" in text for text in rows[0]["failures"])
    assert main(["perf", "refusing", "--url", addresses[0], "--api-key", KEY, "--seconds", "0.1"]) == 1
    assert "failed" in capsys.readouterr().err


def test_latency_counts_from_when_a_request_was_due(addresses: tuple[str, str], tmp_path: Path) -> None:
    host, _, port = addresses[0].rpartition(":")
    request = http_post("/v2/repository/index", b"", f"X-API-Key: {KEY}")
    result = open_loop([HttpLoadClient((host, int(port)), request)], [0.0] * 20)  # twenty at once, one caller
    assert len(result.latencies_s) == 20
    assert result.latencies_s == sorted(result.latencies_s)
    assert result.latencies_s[-1] > result.latencies_s[0]


def test_over_tls_with_a_certificate_of_our_own(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    authority = certificate(tmp_path, "authority", None)
    for name in ("server", "client"):
        certificate(tmp_path, name, authority)
    put_model(tmp_path / "models", "wide", onnx_file.identity("UINT8", (1, 100_000)))  # more than a TLS record holds
    catalogue = ModelRegistry()
    FolderRepository([tmp_path / "models"], catalogue, LoadTarget(tuple(installed_runtimes()))).load_all()
    guard = Authentication(tls=Tls(tmp_path / "server.pem", tmp_path / "server.key", tmp_path / "authority.pem"))
    repository = FolderRepository([tmp_path / "models"], catalogue, LoadTarget(tuple(installed_runtimes())))
    listeners = [opening("localhost:0", catalogue, repository, SERVER, LIMITS, guard) for opening in (open_http, open_grpc)]
    http, grpc = (f"localhost:{listener.address.rpartition(':')[2]}" for listener in listeners)
    ca = ["--tls-ca", str(tmp_path / "authority.pem")]
    own = ["--tls-cert", str(tmp_path / "client.pem"), "--tls-key", str(tmp_path / "client.key")]
    try:
        for over in ([], ["--grpc", grpc]):
            command = ["perf", "wide", "--url", f"https://{http}", "--seconds", "0.2", "--concurrency", "2", "--json", *over]
            assert main([*command, *ca, *own]) == 0
            assert json.loads(capsys.readouterr().out)[0]["count"] > 0
            assert main([*command, *ca]) != 0  # the server requires a client certificate
            assert main(command) != 0
            assert "--tls-ca" in capsys.readouterr().err
            assert main([*command, "--tls-ca", str(tmp_path / "client.key")]) != 0
    finally:
        for listener in listeners:
            listener.close()
        catalogue.close()
