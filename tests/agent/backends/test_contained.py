"""Whatever a third-party runtime raises, at whichever call, its callers get one of the errors of the contract."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from edgefleet_agent.backends import installed
from edgefleet_agent.backends.base import LoadOptions, Session
from edgefleet_agent.backends.contained import RuntimeFaultError
from edgefleet_agent.core import plugins
from edgefleet_contract.core.errors import MissingError, ModelError
from tests.agent.backends.faulty.faulty_runtime import ENVIRONMENT, KINDS
from tests.agent.backends.faulty.installation import install

ROW = np.ones((1, 4), np.float32)
ELSEWHERE = sorted(set(KINDS) - {"KeyboardInterrupt"})
"""On the main thread Ctrl-C has to end a command."""


@pytest.fixture(autouse=True)
def _plug_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "site").mkdir()
    install(tmp_path / "site", monkeypatch)


def opened(tmp_path: Path, **script: Any) -> Session:
    file = tmp_path / "model.onnx"
    file.write_text(json.dumps(script))
    return installed.find_backend("faulty").load((file,), LoadOptions())


@pytest.mark.parametrize("kind", ELSEWHERE)
def test_any_exception_of_a_run_is_a_fault_with_its_text_and_place(tmp_path: Path, kind: str) -> None:
    session = opened(tmp_path, at="infer", **{"raise": kind, "when": 13})
    with pytest.raises(RuntimeFaultError, match=r"runtime faulty failed: .*nobody foresaw this'? \(faulty_runtime.py, line \d+"):
        session.infer({"X": ROW * 13})
    with pytest.raises(RuntimeFaultError):
        list(session.infer_all([{"X": ROW}, {"X": ROW * 13}]))
    assert (session.infer({"X": ROW})["Y"] == ROW).all()


@pytest.mark.parametrize("kind", ELSEWHERE)
def test_any_exception_of_the_other_calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    with pytest.raises(RuntimeFaultError, match=r"model.onnx: runtime faulty failed: .*nobody foresaw this"):
        opened(tmp_path, at="load", **{"raise": kind})
    opened(tmp_path, at="close", **{"raise": kind}).close()
    for at in ("new", "installed", "devices"):
        monkeypatch.setenv(ENVIRONMENT, json.dumps({"at": at, "raise": kind}))
        assert ("faulty" in installed.installed_runtimes()) == (at == "devices")
    with pytest.raises(RuntimeFaultError, match="cannot list its devices"):
        installed.find_backend("faulty").devices()


def test_ctrl_c_ends_a_command_and_no_thread(tmp_path: Path) -> None:
    session = opened(tmp_path, at="infer", **{"raise": "KeyboardInterrupt"})
    with pytest.raises(KeyboardInterrupt):
        session.infer({"X": ROW})
    found: list[BaseException] = []

    def run() -> None:
        try:
            session.infer({"X": ROW})
        except ModelError as cause:
            found.append(cause)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert [type(each) for each in found] == [RuntimeFaultError]


@pytest.mark.parametrize("give", ["nothing", "no name", "other type", "other byte order", "no array"])
def test_outputs_that_are_not_as_declared_are_a_fault(tmp_path: Path, give: str) -> None:
    with pytest.raises(RuntimeFaultError):
        opened(tmp_path, give=give).infer({"X": ROW})


def test_an_exception_of_the_rows_maker_is_not_the_runtimes(tmp_path: Path) -> None:
    def rows() -> Any:
        yield {"X": ROW}
        raise LookupError("the archive is gone")

    with pytest.raises(LookupError, match="the archive is gone"):
        list(opened(tmp_path).infer_all(rows()))


@pytest.mark.parametrize("text", ["import nowhere_at_all", "raise SystemExit(3)", "1 / 0", "def"])
def test_a_plug_in_that_cannot_be_imported_is_missing(tmp_path: Path, text: str) -> None:
    (tmp_path / "site/faulty_runtime.py").write_text(text)
    with pytest.raises(MissingError, match="faulty"):
        plugins.load("backends", "faulty")
    assert "onnx_runtime" in installed.installed_runtimes()
    assert "faulty" not in installed.installed_runtimes()


def test_unaligned_arrays_reach_a_runtime_aligned(tmp_path: Path) -> None:
    unaligned = np.frombuffer(b"\0" + ROW.tobytes(), np.uint8)[1:].view(np.float32).reshape(1, 4)
    assert not unaligned.flags.aligned
    session = opened(tmp_path)
    assert (session.infer({"X": unaligned})["Y"] == ROW).all()
    assert [(each["Y"] == ROW).all() for each in session.infer_all([{"X": unaligned}])] == [True]
