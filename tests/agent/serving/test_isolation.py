"""The known abort of a runtime: ONNX Runtime divides INT32_MIN by -1 and is ended by SIGFPE, with all that is in its process."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from tests.agent.serving import onnx_file
from tests.agent.serving.conftest import put_model

pytestmark = pytest.mark.system

WAIT_S = 60.0


@pytest.fixture
def models(tmp_path: Path) -> Path:
    put_model(tmp_path, "divide", onnx_file.one_node("Div", "INT32", {"A": ("n",), "B": ("n",)}, {"C": ("n",)}))
    put_model(tmp_path, "other", onnx_file.identity("FP32", ("n", 2)))
    return tmp_path


class Serving:
    """The command, with the address that it prints."""

    def __init__(self, *arguments: str) -> None:
        command = [sys.executable, "-m", "edgefleet_agent", "serve", *arguments, "--http", "127.0.0.1:0"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().removeprefix("HTTP on ").strip()

    def post(self, model: str, *inputs: dict[str, Any]) -> tuple[int, Any]:
        request = urllib.request.Request(
            f"http://{self.address}/v2/models/{model}/infer", json.dumps({"inputs": inputs}).encode()
        )
        try:
            with urllib.request.urlopen(request, timeout=WAIT_S) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)

    def divide(self, by: int) -> tuple[int, Any]:
        given = {"shape": [1], "datatype": "INT32"}
        return self.post("divide", {"name": "A", "data": [-(2**31)], **given}, {"name": "B", "data": [by], **given})

    def other(self) -> int:
        return self.post("other", {"name": "INPUT", "shape": [1, 2], "datatype": "FP32", "data": [1, 2]})[0]

    def close(self) -> None:
        self.process.terminate()
        assert self.process.wait(WAIT_S) == 0
        assert self.process.stdout is not None
        self.process.stdout.close()


def test_in_the_same_process_all_models_end(models: Path) -> None:
    serving = Serving(str(models))
    assert serving.divide(2)[0] == 200
    with pytest.raises((ConnectionError, urllib.error.URLError)):
        serving.divide(-1)
    assert serving.process.wait(WAIT_S) == -signal.SIGFPE
    assert serving.process.stdout is not None
    serving.process.stdout.close()


def test_in_a_process_of_its_own_one_request_fails(models: Path) -> None:
    serving = Serving(str(models), "--isolation", "divide=process")
    for _ in range(2):
        assert serving.divide(-1) == (500, {"error": "model 'divide': the model's process was ended by SIGFPE"})
        assert serving.other() == 200
        status, answer = serving.divide(2)
        assert (status, answer["outputs"][0]["data"]) == (200, [-(2**30)])
    serving.close()
