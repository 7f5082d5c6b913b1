"""Advice about optional parts names what installs them, on each kind of installation."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from edgefleet_agent.core.extras import install_hint
from edgefleet_agent.machine.accelerator_check import need, runtime_fix

AGENT = Path(__file__).resolve().parents[3] / "agent/edgefleet_agent"


def test_a_virtual_environment_has_pip() -> None:
    assert install_hint("openvino") == "pip install 'edgefleet-agent[openvino]'"


@pytest.mark.parametrize("prefix", ["/opt/edgefleet", "/var/lib/edgefleet/environments/0.3.1"])
def test_the_debian_package_has_none(prefix: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.prefix", prefix)
    expected = "install a Debian package of the agent that was built with openvino in --extras"
    assert runtime_fix("open_vino") == expected
    assert need("/no/such/file", "pip install 'edgefleet-agent[openvino]' (or not)").fix == f"{expected} (or not)"


def test_every_text_uses_the_hint() -> None:
    sources = {file: file.read_text(encoding="utf-8") for file in AGENT.rglob("*.py") if file.name != "extras.py"}
    pip = re.compile(r"(?<!`)pip install 'edgefleet-agent\[")  # a docstring quotes it
    assert [file.name for file, text in sources.items() if pip.search(text)] == []
