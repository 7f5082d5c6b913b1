"""Commands say why a model is on another device than the profile's."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.agent.backends.edge_tpu.conftest import Run


@pytest.mark.parametrize("command", ["infer", "bench"])
@pytest.mark.parametrize("present", [True, False])
def test_a_fallback_has_its_reason(data: Path, folder: Path, run: Run, command: str, present: bool) -> None:
    own = (
        ["--seconds", "0.1", str(folder)]
        if command == "bench"
        else ["--package", str(folder), str(data / "media/images/cat.bmp")]
    )
    given = [command, *own, "--profile", "coral-usb"]
    environment = {"TPU_DEVICES": "usb" if present else ""}
    text = run(*given, **environment)
    assert text.returncode == 0, text.stderr
    (row,) = found if isinstance(found := json.loads(run(*given, "--json", **environment).stdout), list) else [found]
    assert (row["device"], row["fell_back"]) == (("edgetpu", False) if present else ("cpu", True))
    assert ("no Edge TPU found" in row["fallback_reason"]) == ("no Edge TPU found" in text.stdout) == (not present)
    strict = run(*given, "--strict", **environment)
    assert strict.returncode == (0 if present else 3)
    assert ("no Edge TPU found" in strict.stderr) == (not present)


@pytest.mark.parametrize("command", ["infer", "bench"])
def test_a_package_without_a_variant_for_the_accelerator_is_named(data: Path, folder: Path, run: Run, command: str) -> None:
    manifest = folder / "model.toml"
    manifest.write_text(manifest.read_text(encoding="utf-8").rpartition("[[variants]]")[0], encoding="utf-8")
    picture = str(data / "media/images/cat.bmp")
    own = {"bench": ["--seconds", "0.1", str(folder)], "infer": ["--package", str(folder), picture]}[command]
    given = [command, *own, "--profile", "coral-usb"]
    expected = "the package has no variant for edgetpu (lite_rt), the accelerator of coral-usb"
    assert expected in run(*given, TPU_DEVICES="usb").stdout
    strict = run(*given, "--strict", TPU_DEVICES="usb")
    assert strict.returncode == 3
    assert expected in strict.stderr
