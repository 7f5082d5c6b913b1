"""Options with nonsense are refused before anything is opened, each in one line that names the option."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from edgefleet_agent.__main__ import main

PACKAGE = str(Path(__file__).parents[3] / "firmware_models/conveyor_inspector/1.1.0")
NUMBERS = ("-1", "x", "1e99", "nan", "", "1.5x")
OPTIONS = {
    "serve": {
        "--profile": ("nonsense", "", "../cpu-x86", "cpu-x86.toml"),
        **dict.fromkeys(("--threads", "--memory-mb", "--cache-mb", "--body-mb", "--sent-models-mb", "--json-values"), NUMBERS),
        **dict.fromkeys(("--repository-poll-secs", "--exit-timeout-secs", "--rate", "--otlp-share"), NUMBERS),
        "--model-control-mode": ("sometimes",),
        "--exit-on-error": ("perhaps",),
    },
    "bench": {
        "--profile": ("nonsense", "", "../cpu-x86"),
        **dict.fromkeys(("--threads", "--streams", "--instances", "--batch", "--seconds"), NUMBERS),
    },
    "doctor": {"--runtime": ("nope", "onnxruntime", "")},
    "selftest": {"--profile": ("nonsense",)},
    "infer": {"--profile": ("nonsense",), "--threads": NUMBERS, "--min-score": (*NUMBERS, "1.1")},
    "perf": {
        "--seconds": NUMBERS,
        "--concurrency": ("x", "-1", "0", "4:1", "0:16", "-1:16", "1:inf", "1:x"),
        "--rate": ("x", "-1", "nan", "0:5"),
        "--data": ("ones",),
    },
}
CASES = [
    (command, option, value) for command, options in OPTIONS.items() for option, values in options.items() for value in values
]


@pytest.mark.parametrize(("command", "option", "value"), CASES)
def test_nonsense_is_refused(command: str, option: str, value: str, capsys: pytest.CaptureFixture[str]) -> None:
    subject = {"infer": ["--package", PACKAGE, "x.png"], "perf": ["model"], "doctor": []}.get(command, [PACKAGE])
    try:
        code = main([command, *subject, f"{option}={value}"])
    except SystemExit as ended:
        code = int(ended.code or 0)
    error = capsys.readouterr().err.strip().splitlines()
    assert code == 2, error
    assert option in error[-1]
    assert "Traceback" not in " ".join(error)


def test_a_memory_limit_of_gigabytes_is_none() -> None:
    """Of memory, not of a count of threads: the folder is what is refused."""
    command = [sys.executable, "-m", "edgefleet_agent", "serve", "nowhere", "--memory-mb", "65536", "--cache-mb", "4096"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 2
    assert "nowhere: no such folder" in done.stderr
