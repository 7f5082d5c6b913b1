"""The legacy stick: the real backend and the real host process, with a stand-in for the old OpenVINO in it."""

from __future__ import annotations

import contextlib
import re
import sys
from pathlib import Path

import numpy as np
import pytest

from edgefleet_agent.backends.base import LoadOptions, Session
from edgefleet_agent.backends.hosted.host_process import HostProcess
from edgefleet_agent.backends.ncs2.backend import NCS2, Ncs2Backend
from edgefleet_contract.core.errors import MissingError, ModelError


@pytest.fixture
def python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The configured interpreter, whose `openvino` is the stand-in."""
    script = tmp_path / "python"
    stand_in = Path(__file__).parents[1] / "stand_ins/ncs2"
    script.write_text(f'#!/bin/sh\nPYTHONPATH={stand_in} exec {sys.executable} "$@"\n', encoding="utf-8")
    script.chmod(0o755)
    monkeypatch.setenv("EDGEFLEET_NCS2_PYTHON", str(script))
    monkeypatch.setenv("PYTHONPATH", "/nowhere")
    monkeypatch.setenv("STICK", "1")
    return script


def load(folder: Path, name: str = "model", device: str = "myriad") -> Session:
    files = tuple(folder / f"{name}.{end}" for end in ("xml", "bin"))
    for file in files:
        file.write_bytes(b"")
    return Ncs2Backend().load(files, LoadOptions(device=device, strict=True))


def test_a_model_on_the_stick(python: Path, tmp_path: Path) -> None:
    assert Ncs2Backend().installed()
    assert Ncs2Backend().devices() == ["myriad", "cpu"]
    session = load(tmp_path)
    assert (session.placement.runtime, session.placement.version, session.placement.device) == ("ncs2", "2021.4.2", "myriad")
    assert [(spec.name, spec.shape, spec.dtype) for spec in session.inputs] == [("data", (1, 3, 4, 4), np.float32)]
    for value in (1, 2, 3):
        (found,) = session.infer({"data": np.full((1, 3, 4, 4), value, np.float32)}).values()
        assert np.all(found == 2 * value)
    with pytest.raises(ModelError, match="float32"):
        session.infer({"data": np.zeros((1, 3, 4, 4), np.uint8)})
    session.close()


def test_a_missing_stick_is_reported(python: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("STICK")
    assert Ncs2Backend().devices() == ["cpu"]
    with pytest.raises(MissingError, match=r"no device for .* NCS2 \(Can not init Myriad device: NC_ERROR\): plug"):
        load(tmp_path)
    with contextlib.closing(load(tmp_path, device="cpu")) as session:
        assert session.placement.device == "cpu"


def test_a_file_that_it_refuses_is_one_line(python: Path, tmp_path: Path) -> None:
    with pytest.raises(
        ModelError, match=r"refuse.xml: .* cannot load it \(Unknown model format! Cannot find reader for"
    ) as raised:
        load(tmp_path, "refuse")
    assert "\n" not in str(raised.value)


def test_a_process_that_dies_takes_only_itself(python: Path, tmp_path: Path) -> None:
    session = load(tmp_path, "crash")
    with pytest.raises(ModelError, match="was ended by SIGSEGV"):
        session.infer({"data": np.zeros((1, 3, 4, 4), np.float32)})
    with pytest.raises(ModelError, match="was ended by SIGSEGV"):
        session.infer({"data": np.zeros((1, 3, 4, 4), np.float32)})
    session.close()
    with contextlib.closing(load(tmp_path)) as another:
        assert another.infer({"data": np.ones((1, 3, 4, 4), np.float32)})["twice"].max() == 2


def test_a_stick_that_hangs_is_given_up(python: Path) -> None:
    with contextlib.closing(HostProcess(NCS2)) as process:
        request = {"op": "load", "files": ["hang.xml", "hang.bin"], "device": "myriad", "options": {}}
        loaded, _ = process.ask(request, (), 30.0)
        picture = np.zeros((1, 3, 4, 4), np.float32)
        headers = [{"name": "data", "dtype": "float32", "shape": [1, 3, 4, 4]}]
        with pytest.raises(ModelError, match="no response from the process of OpenVINO for the NCS2 for"):
            process.ask({"op": "infer", "model": loaded["model"], "arrays": headers}, (picture,), 0.5)
        with pytest.raises(ModelError, match="was ended by SIGKILL"):
            process.ask({"op": "devices"}, (), 30.0)


@pytest.mark.parametrize("there", ["nothing", "no openvino"])
def test_a_missing_runtime_is_reported_with_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: str) -> None:
    python = tmp_path / "python"
    if there == "no openvino":
        python.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
        python.chmod(0o755)
    monkeypatch.setenv("EDGEFLEET_NCS2_PYTHON", str(python))
    assert Ncs2Backend().installed() is (there != "nothing")
    with pytest.raises((MissingError, ModelError), match=re.escape("pip install openvino==2021.4.2")):
        load(tmp_path)


def test_a_package_cannot_name_the_interpreter(python: Path, tmp_path: Path) -> None:
    (tmp_path / "model.onnx").write_bytes(b"")
    with pytest.raises(ModelError, match="unknown option 'interpreter'"):
        Ncs2Backend().load((tmp_path / "model.onnx",), LoadOptions(device="myriad", options={"interpreter": "/bin/evil"}))
