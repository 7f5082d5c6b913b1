"""`edgefleet-agent serve`, as a user starts it: one line to the first answer, control modes, the page, metrics alone."""

from __future__ import annotations

import argparse
import contextlib
import json
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from edgefleet_agent.cli.serve import add_arguments
from edgefleet_agent.cli.support.serving_options import check_model_names, load_models
from edgefleet_agent.serving.engine.model_registry import ModelRegistry
from edgefleet_agent.serving.models.model_source import LoadTarget
from edgefleet_agent.serving.models.repository import FolderRepository
from edgefleet_contract.core.errors import InputError
from tests.agent.serving import onnx_file
from tests.agent.serving.conftest import put_model
from tests.agent.serving.models.test_example_calls import run_line

START_S_MAX = 60.0


class Served:
    """A running `serve`: its lines on stdout up to the page of the API, and its addresses."""

    def __init__(self, *arguments: str) -> None:
        command = [sys.executable, "-m", "edgefleet_agent", "serve", *arguments, "--http", "127.0.0.1:0"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.lines: list[str] = []
        ends_s = time.monotonic() + START_S_MAX
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line.rstrip("\n"))
            if line.startswith("All calls: ") or time.monotonic() > ends_s:
                break
        self.addresses = dict(line.split(" on ") for line in self.lines if re.match(r"(HTTP|gRPC|Metrics) on ", line))

    def get(self, path: str, listener: str = "HTTP") -> tuple[int, bytes]:
        """Status and body of a GET."""
        try:
            with urllib.request.urlopen(f"http://{self.addresses[listener]}{path}", timeout=60) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()

    def index(self) -> dict[str, str]:
        """Model -> its state."""
        request = urllib.request.Request(f"http://{self.addresses['HTTP']}/v2/repository/index", b"{}", method="POST")
        with urllib.request.urlopen(request, timeout=60) as answer:
            return {row["name"]: row["state"] for row in json.loads(answer.read())}

    def end(self) -> str:
        """End it. Returns stderr."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.communicate(timeout=30)[1]


@contextlib.contextmanager
def serving(*arguments: str) -> Iterator[Served]:
    served = Served(*arguments)
    try:
        yield served
    finally:
        if served.process.stderr is not None and not served.process.stderr.closed:
            served.end()


@pytest.fixture
def models(tmp_path: Path) -> Path:
    """Model files with a small and a large input, and a repository."""
    for name, datatype in (("texts", "BYTES"), ("other", "FP32")):
        put_model(tmp_path / "root", name, onnx_file.identity(datatype))
    (tmp_path / "my model.onnx").write_bytes(onnx_file.add())
    (tmp_path / "large.onnx").write_bytes(onnx_file.matmul(40))
    return tmp_path


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_the_printed_lines_run(models: Path) -> None:
    pytest.importorskip("tritonclient.http", reason="tritonclient[http] is not installed")
    with serving(str(models / "my model.onnx"), f"big={models / 'large.onnx'}", str(models / "root")) as served:
        names = [line.removeprefix("# ") for line in served.lines if line.startswith("# ")]
        assert names == ["my_model", "big", "other"]
        curls = [line for line in served.lines if "curl -s" in line]
        clients = [line for line in served.lines if line.startswith("python3 -c")]
        assert [json.loads(run_line(line))["model_name"] for line in curls] == names
        assert len(clients) == 3
        assert run_line("; ".join(clients)).count("[[") == 3


def test_the_page_and_metrics_have_what_they_need(models: Path) -> None:
    with serving(str(models / "my model.onnx"), "--metrics", "127.0.0.1:0") as served:
        assert served.index() == {"my_model": "READY"}
        status, page = served.get("/docs")
        assert status == 200
        assert not re.findall(rb"(?:src|href)=[\"']?(?:https?:)?//", page), "it loads nothing from elsewhere"
        assert json.loads(served.get("/openapi.json")[1])["paths"]
        assert b"edgefleet_inference_rows_total" in served.get("/metrics", "Metrics")[1]
        assert served.get("/v2", "Metrics")[0] == 404


def test_control_modes(models: Path) -> None:
    root = models / "root"
    (root / "python/1").mkdir(parents=True)
    (root / "python/config.pbtxt").write_text('backend: "python"\n')
    explicit = ("--model-control-mode", "explicit", "--load-model")
    with serving(str(root), *explicit, "texts", "--load-model", "python", "--load-model", "absent") as served:
        assert served.index() == {"texts": "READY", "other": "UNAVAILABLE", "python": "UNAVAILABLE"}
        faults = served.end()
    assert "failed to load 'absent': no such model" in faults
    assert "config.pbtxt:1: backend: 'python' is not available" in faults
    with serving(str(root), "--exit-on-error", "true") as served:
        assert served.process.wait(120) == 2
        assert "--exit-on-error is true" in served.end()
    with serving(str(root), "--model-control-mode", "poll", "--repository-poll-secs", "0.2") as served:
        put_model(root, "new", onnx_file.add())
        ends_s = time.monotonic() + 120
        while served.index().get("new") != "READY" and time.monotonic() < ends_s:
            time.sleep(0.1)
        assert served.index()["new"] == "READY"


def test_load_model_requires_its_mode(models: Path) -> None:
    with serving(str(models / "root"), "--load-model", "texts") as served:
        assert served.process.wait(120) == 2
        assert "--load-model requires --model-control-mode explicit" in served.end()


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        (["--isolation", "nope=process"], "--isolation nope=process: no such model; there are other, texts"),
        (["--max-batch-size", "nope=4"], "--max-batch-size nope=4: no such model; there are other, texts"),
        (["--split", "nope=1:50"], "--split nope=1:50: no such model; there are other, texts"),
        (["--split", "other=1:50,7:50"], "--split other=1:50,7:50: model 'other' has no version 7; there are 1"),
    ],
)
def test_options_name_models_that_are_there(
    models: Path, options: list[str], fault: str, capsys: pytest.CaptureFixture[str]
) -> None:
    repository = FolderRepository([models / "root"], ModelRegistry(), LoadTarget(()))
    with pytest.raises(InputError, match=re.escape(fault)):
        check_model_names(parsed(str(models / "root"), *options), repository)
    check_model_names(parsed(str(models / "root"), "--isolation", "other=process", "--split", "texts=1:5"), repository)
    check_model_names(parsed(str(models / "root"), *options, "--model-control-mode", "poll"), repository)  # it may come
    assert fault in capsys.readouterr().err


@pytest.mark.parametrize(
    "option",
    [
        "--threads=0", "--threads=257", "--threads=-1", "--threads=x", "--max-batch-size=m", "--max-batch-size=m=-1",
        "--max-batch-size=m=1025", "--max-batch-size==1", "--split=m=1:x", "--isolation=m=thread",
    ],
)  # fmt: skip
def test_options_with_wrong_values_are_refused(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parsed("models", option)
    assert "must be" in (text := capsys.readouterr().err) or "is not" in text


def test_an_option_of_polling_requires_polling() -> None:
    with pytest.raises(InputError, match="--repository-poll-secs requires --model-control-mode poll"):
        load_models(parsed("models", "--repository-poll-secs", "5"), None)  # type: ignore[arg-type]


def parsed(*arguments: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return parser.parse_args(arguments)
