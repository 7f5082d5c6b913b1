"""The templates of docs/examples/plugins in a fresh environment: contract tests, commands, import without the agent."""

from __future__ import annotations

import json
import subprocess
import sys
import venv
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.deploy.test_distributions import built

pytestmark = pytest.mark.system

ROOT = Path(__file__).resolve().parents[3]
TEMPLATES = ROOT / "docs" / "examples" / "plugins"
KINDS = ("backend", "head", "source", "sensor", "sink")
MODEL = '{"operator": "means", "input": [1, 8, 8, 3]}'


def environment(folder: Path, kinds: tuple[str, ...], packages: tuple[str, ...]) -> Path:
    """A Python with `packages` of this checkout and the wheels of the templates; the libraries are those of this Python."""
    venv.create(folder, with_pip=False, system_site_packages=True)
    python = folder / "bin" / "python"
    site = next(folder.glob("lib/python*/site-packages"))
    own = [str(ROOT / package) for package in packages]
    # The folders of this interpreter, too: it may itself run in an environment. Nothing of this checkout but `packages`.
    libraries = [path for path in sys.path if path.endswith("-packages") and Path(path).is_dir()]
    (site / "checkout.pth").write_text("\n".join([*own, *libraries]) + "\n")
    wheels = [str(built(TEMPLATES / kind, "wheel", folder / f"wheel-{kind}")) for kind in kinds]
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--target", str(site), *wheels]
    done = subprocess.run(install, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return python


@pytest.fixture(scope="module")
def device(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Python of a device with all templates."""
    return environment(tmp_path_factory.mktemp("device"), KINDS, ("contract", "agent"))


def run(python: Path, *arguments: str | Path, cwd: Path, code: int = 0) -> str:
    done = subprocess.run([python, *arguments], cwd=cwd, capture_output=True, text=True)
    assert done.returncode == code, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout + done.stderr


def test_every_template_passes_the_contract_tests(device: Path, tmp_path: Path) -> None:
    shown = run(device, "-m", "edgefleet_agent.plugin_tests", "-ra", cwd=tmp_path)
    assert " passed" in shown
    assert "skipped" not in shown, shown


def test_the_contract_tests_are_apart_from_the_folder_they_start_in() -> None:
    """The templates are in the checkout, whose own tests need more than an author has."""
    shown = run(Path(sys.executable), "-m", "edgefleet_agent.plugin_tests", "--collect-only", "-q", cwd=ROOT)
    assert "test_every_name_can_be_loaded" in shown or "test_names.py" in shown
    assert "tests/conftest.py" not in shown


def test_commands_of_the_device_know_the_plug_ins(device: Path, tmp_path: Path) -> None:
    (tmp_path / "mean.toy").write_text(MODEL)
    (tmp_path / "labels").write_text("red\ngreen\nblue\n")
    cv2.imwrite(str(tmp_path / "green.png"), np.full((20, 30, 3), (10, 240, 30), np.uint8))
    bare = ("--model", "mean.toy", "--head", "channels", "--labels", "labels")
    found = json.loads(run(device, "-m", "edgefleet_agent", "infer", "green.png", *bare, "--json", cwd=tmp_path))
    assert "green" in json.dumps(found)
    doctor = json.loads(run(device, "-m", "edgefleet_agent", "doctor", "--profile", "cpu-x86", "--json", cwd=tmp_path, code=0))
    checks = {check["what"]: check["ok"] for check in doctor["checks"]}
    assert checks["toy on cpu"]
    assert checks["head channels of edgefleet-channel-head 1.0.0"]
    assert checks["sink webhook of edgefleet-webhook-sink 1.0.0"]


def test_a_server_without_the_agent_imports_and_validates(tmp_path: Path) -> None:
    python = environment(tmp_path / "server", ("backend", "head"), ("contract", "client", "fleet_server"))
    assert "No module named" in run(python, "-c", "import edgefleet_agent", cwd=tmp_path, code=1)
    (tmp_path / "mean.toy").write_text(MODEL)
    (tmp_path / "labels").write_text("red\ngreen\nblue\n")
    model = (python, "-m", "edgefleet_server", "model")
    run(*model, "import", "mean.toy", "--head", "channels", "--labels", "labels", "--into", "made", cwd=tmp_path)
    text = (tmp_path / "made" / "mean" / "1.0.0" / "model.toml").read_text()
    assert 'format = "toy"' in text
    assert 'family = "channels"' in text
    assert 'runtimes = ["toy"]' in text
    shown = run(*model, "validate", "made/mean/1.0.0", "--no-run", cwd=tmp_path)
    assert "mean@1.0.0 is valid" in shown
    assert "unknown" not in shown
