"""Models saved by frameworks become packages; without the framework, one line names the package to install."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from edgefleet_agent.pipeline.model.loaded_model import LoadedModel, installed_runtimes
from edgefleet_server.__main__ import main
from tests.fleet_server.model_tools.saved_models import write_saved_model


def test_a_saved_model_becomes_an_ir(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("openvino", reason="needs the extra openvino")
    source = write_saved_model(tmp_path / "colours")
    assert main(["model", "import", str(source), "--into", str(tmp_path / "models"), "--json"]) == 0
    (made,) = json.loads(capsys.readouterr().out)
    assert made["id"] == "colours@1.0.0"
    model = LoadedModel.open(Path(made["folder"]), runtimes=installed_runtimes(), threads=1)
    (picture,) = model.session.inputs
    assert (picture.shape, model.manifest.head.family) == ((1, 8, 8, 3), "classification")
    model.close()


def test_a_damaged_saved_model_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = write_saved_model(tmp_path / "colours")
    (source / "saved_model.pb").write_bytes((source / "saved_model.pb").read_bytes()[:300])
    assert main(["model", "import", str(source), "--into", str(tmp_path / "models")]) in (2, 3)
    assert capsys.readouterr().err.count("\n") == 1
    assert not (tmp_path / "models").exists()


@pytest.fixture(scope="module")
def bare_python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An interpreter that has no framework at all."""
    folder = tmp_path_factory.mktemp("bare")
    venv.create(folder, with_pip=False)
    return folder / "bin/python"


@pytest.mark.parametrize(
    ("name", "reason"),
    [("model.pt2", "needs the Python module torch"), ("saved", "needs the Python module tensorflow or openvino")],
)
def test_a_missing_framework_is_named_with_its_install_command(
    tmp_path: Path, bare_python: Path, capsys: pytest.CaptureFixture[str], name: str, reason: str
) -> None:
    source = tmp_path / name
    if source.suffix:
        source.write_bytes(b"PK")
    else:
        write_saved_model(source)
    assert main(["model", "import", str(source), "--into", str(tmp_path / "models"), "--python", str(bare_python)]) == 3
    output = capsys.readouterr().err
    assert output.count("\n") == 1
    assert reason in output
    assert main(["model", "import", str(source), "--python", str(tmp_path / "no-python")]) == 2
    assert "cannot be started" in capsys.readouterr().err


MAKE = """
import sys, torch
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer, self.last = torch.nn.Conv2d(3, 4, 3, 2, 1), torch.nn.Linear(4, 5)
    def forward(self, x):
        return self.last(torch.relu(self.layer(x)).mean((2, 3)))
net, example = Net().eval(), torch.zeros(1, 3, 16, 16)
torch.jit.save(torch.jit.trace(net, example), sys.argv[1] + "/scripted.pt")
torch.export.save(torch.export.export(net, (example,)), sys.argv[1] + "/program.pt2")
torch.save(net.state_dict(), sys.argv[1] + "/weights.pth")
"""


@pytest.mark.long
def test_pytorch_programs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for module in ("torch", "onnxscript", "onnx"):
        if subprocess.run([sys.executable, "-c", f"import {module}"], capture_output=True).returncode:
            pytest.skip(f"needs the extra torch: {module} is not installed")
    subprocess.run([sys.executable, "-W", "ignore", "-c", MAKE, str(tmp_path)], check=True, capture_output=True, env=os.environ)
    into = ["--into", str(tmp_path / "models"), "--json"]
    assert main(["model", "import", str(tmp_path / "program.pt2"), *into]) == 0
    assert main(["model", "import", str(tmp_path / "scripted.pt"), "--input-shape", "1,3,16,16", *into]) == 0
    output = capsys.readouterr().out
    assert ("program@1.0.0" in output, "scripted@1.0.0" in output) == (True, True)
    for name in ("program", "scripted"):
        LoadedModel.open(tmp_path / "models" / name / "1.0.0", runtimes=installed_runtimes(), threads=1).close()
    for arguments, reason in (
        ([str(tmp_path / "scripted.pt")], "give --input-shape"),
        ([str(tmp_path / "weights.pth"), "--input-shape", "1,3,16,16"], "PyTorch cannot convert it"),
    ):
        assert main(["model", "import", *arguments, *into]) == 2
        output = capsys.readouterr().err
        assert (output.count("\n"), reason in output) == (1, True)
