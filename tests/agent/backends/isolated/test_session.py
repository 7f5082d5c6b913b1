"""Models in processes of their own: a crash is an error of one run, the process comes back, nothing is left behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest

from edgefleet_agent.backends.base import BFLOAT16, LoadOptions
from edgefleet_agent.backends.contained import RuntimeFaultError
from edgefleet_agent.backends.installed import find_backend
from edgefleet_agent.backends.isolated.child_process import LostProcessError
from edgefleet_agent.backends.isolated.session import IsolatedSession, open_isolated
from edgefleet_contract.core.errors import ModelError
from tests.agent.backends.faulty.installation import install
from tests.agent.serving import onnx_file

ROW = np.ones((1, 4), np.float32)
WAIT_S = 20.0
Opener = Callable[..., IsolatedSession]


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    (tmp_path / "site").mkdir()
    install(tmp_path / "site", monkeypatch)
    sessions: list[IsolatedSession] = []

    def make(run_s_max: float = WAIT_S, **script: Any) -> IsolatedSession:
        file = tmp_path / "model.onnx"
        file.write_text(json.dumps(script))
        sessions.append(open_isolated("faulty", (file,), LoadOptions(), run_s_max))
        return sessions[-1]

    yield make
    for session in sessions:
        session.close()


def never() -> bool:
    return False


def ended(pid: int) -> bool:
    until_s = time.monotonic() + WAIT_S
    while time.monotonic() < until_s:
        if not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
            return True
        time.sleep(0.02)
    return False


@pytest.mark.parametrize("script", [{"signal": "SIGFPE"}, {"signal": "SIGSEGV"}, {"signal": "SIGKILL"}, {"exit": 3}])
def test_a_process_that_ends_is_an_error_of_its_run_and_comes_back(opened: Opener, script: dict[str, Any]) -> None:
    session = opened(at="infer", when=13, **script)
    assert (session.infer({"X": ROW})["Y"] == ROW).all()
    expected = f"was ended by {script['signal']}" if "signal" in script else "ended with exit code 3"
    with pytest.raises(LostProcessError, match=expected):
        session.infer({"X": ROW * 13})
    assert session.pid == 0
    session.recover(never)
    assert (session.infer({"X": ROW})["Y"] == ROW).all()


def test_pauses_grow_and_a_run_meanwhile_is_refused(opened: Opener) -> None:
    session = opened(at="infer", when=13, signal="SIGKILL")
    for _ in range(2):  # the second run starts the process again
        with pytest.raises(LostProcessError):
            session.infer({"X": ROW * 13})
    with pytest.raises(RuntimeFaultError, match="was ended by SIGKILL, 2 times; it starts again in 1 s"):
        session.infer({"X": ROW})
    began_s = time.monotonic()
    session.recover(lambda: time.monotonic() - began_s > 0.3)
    assert session.pid == 0  # it had to stop
    session.recover(never)
    assert time.monotonic() - began_s > 0.7
    assert (session.infer({"X": ROW})["Y"] == ROW).all()


def test_a_process_that_hangs_is_ended(opened: Opener) -> None:
    session = opened(run_s_max=0.5, at="infer", when=13, hang_s=3600)
    pid = session.pid
    with pytest.raises(LostProcessError, match=r"did not respond for 0.5 s and was killed"):
        session.infer({"X": ROW * 13})
    assert ended(pid)


def test_errors_of_a_run_keep_the_process(opened: Opener) -> None:
    session = opened(at="infer", when=13, **{"raise": "SystemExit"})
    pid = session.pid
    with pytest.raises(RuntimeFaultError, match="nobody foresaw this"):
        session.infer({"X": ROW * 13})
    with pytest.raises(ModelError, match="inputs are called"):
        session.infer({"Q": ROW})
    assert (session.infer({"X": ROW})["Y"] == ROW).all()
    assert session.pid == pid


@pytest.mark.parametrize("script", [{"raise": "SystemExit"}, {"signal": "SIGSEGV"}, {"exit": 0}])
def test_a_load_that_fails_leaves_no_process(opened: Opener, script: dict[str, Any]) -> None:
    before = {each.pid for each in psutil.Process().children()}
    with pytest.raises(ModelError):
        opened(at="load", **script)
    assert {each.pid for each in psutil.Process().children()} <= before


def test_reloads_leave_no_process_descriptor_or_memory(opened: Opener) -> None:
    big = np.ones((40_000, 4), np.float32)
    opened().close()
    descriptors, children = psutil.Process().num_fds(), len(psutil.Process().children())
    for _ in range(3):
        session = opened()
        assert (session.infer({"X": big})["Y"] == big).all()
        session.close()
    assert psutil.Process().num_fds() == descriptors
    assert len(psutil.Process().children()) == children


AGENT = """
import sys, time
from pathlib import Path
from edgefleet_agent.backends.base import LoadOptions
from edgefleet_agent.backends.isolated.session import open_isolated
import numpy as np, threading
session = open_isolated("faulty", (Path(sys.argv[1]),), LoadOptions(), 3600)
threading.Thread(target=session.infer, args=({"X": np.full((1, 4), 13, np.float32)},), daemon=True).start()
time.sleep(0.3)
print(session.pid, flush=True)
time.sleep(3600)
"""


def test_the_process_ends_with_the_agent_even_while_it_hangs(opened: Opener, tmp_path: Path) -> None:
    file = tmp_path / "hangs.onnx"
    file.write_text(json.dumps({"at": "infer", "when": 13, "hang_s": 3600}))
    agent = subprocess.Popen([sys.executable, "-c", AGENT, str(file)], stdout=subprocess.PIPE, env=os.environ)
    assert agent.stdout is not None
    pid = int(agent.stdout.readline())
    assert psutil.pid_exists(pid)
    agent.send_signal(signal.SIGKILL)
    agent.wait()
    agent.stdout.close()
    assert ended(pid)


@pytest.mark.parametrize("datatype", ["BF16", "BYTES", "BOOL", "INT64"])
def test_every_type_and_a_shape_without_elements(tmp_path: Path, datatype: str) -> None:
    file = tmp_path / "model.onnx"
    file.write_bytes(onnx_file.identity(datatype, ("n", "m")))
    session = find_backend("onnx_runtime").load((file,), LoadOptions(threads=1, options={"isolation": "process"}))
    dtype = session.inputs[0].dtype
    for shape in ((3, 5), (0, 5), (300, 300)):
        count = shape[0] * shape[1]
        if dtype.kind == "O":
            given = np.array([f"é{number}".encode() for number in range(count)] or [b""], np.object_)[:count].reshape(shape)
        else:
            given = (np.arange(count) % 2).astype("<u2" if dtype == BFLOAT16 else dtype).view(dtype).reshape(shape)
        (found,) = session.infer({"INPUT": given}).values()
        assert found.shape == shape
        assert found.dtype == dtype
        assert [str(each, "utf-8") if isinstance(each, bytes) else each for each in given.flat] == list(found.flat) or (
            given.tobytes() == found.tobytes()
        )
    session.close()


def test_a_tensor_of_unknown_rank_takes_any_shape(tmp_path: Path) -> None:
    file = tmp_path / "model.onnx"
    file.write_bytes(onnx_file.identity("FP32", None))
    session = find_backend("onnx_runtime").load((file,), LoadOptions(threads=1, options={"isolation": "process"}))
    assert all(spec.any_rank for spec in (*session.inputs, *session.outputs))
    for shape in ((), (4,), (2, 3)):
        assert session.infer({"INPUT": np.ones(shape, np.float32)})["OUTPUT"].shape == shape
    session.close()


@pytest.mark.parametrize("options", [{"isolation": "jail"}, {"isolation": "process", "isolation_run_s_max": 0}])
def test_options_that_are_not_valid_are_refused(tmp_path: Path, options: dict[str, Any]) -> None:
    file = tmp_path / "model.onnx"
    file.write_bytes(onnx_file.identity())
    with pytest.raises(ModelError, match="isolation"):
        find_backend("onnx_runtime").load((file,), LoadOptions(options=options))
