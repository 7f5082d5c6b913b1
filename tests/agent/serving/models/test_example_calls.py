"""Command lines that call a model: they run as they are printed, for every type."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from edgefleet_agent.serving.models.example_calls import ExampleServer, client_line, curl_line
from tests.agent.serving import onnx_file
from tests.agent.serving.conftest import Api


def run_line(line: str) -> str:
    """The output of a printed command, as a shell runs it."""
    settings = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    done = subprocess.run(["sh", "-c", line], env=settings, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
@pytest.mark.parametrize("datatype", onnx_file.ELEMENTS)
def test_the_lines_fit_every_type(api: Api, datatype: str) -> None:
    signature = api.catalogue.find(f"identity_{datatype.lower()}").signature
    server = ExampleServer(api.http.removeprefix("http://"))
    answer = run_line(curl_line(signature, server))
    assert "error" not in answer
    assert signature.model in "".join(answer.split()).replace("\\", "")
    assert bool(client_line(signature, server)) is (datatype != "BF16")


def test_lines_for_servers_that_ask_for_more(api: Api) -> None:
    signature = api.catalogue.find("add").signature
    secure = ExampleServer("0.0.0.0:8000", certificate="/etc/server.pem", keys=True)
    assert curl_line(signature, secure).startswith(
        'curl -s --cacert /etc/server.pem https://127.0.0.1:8000/v2/models/add/infer -H "X-API-Key: $KEY" -d '
    )
    assert "cafile=" in client_line(signature, secure)
    assert "os.environ" in client_line(signature, secure)
    assert "--unix-socket /run/a.sock http://localhost/" in curl_line(signature, ExampleServer("unix:/run/a.sock"))
    assert not client_line(signature, ExampleServer("unix:/run/a.sock"))
    assert '"sequence_start":true' in curl_line(signature, secure, sequences=True)
