"""`--config` of every command, and its default from the environment."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from edgefleet_agent.__main__ import main

LISTING = """
import argparse, importlib, json
from edgefleet_agent.__main__ import COMMANDS
from edgefleet_contract.core.command_line import CommandParser

def options(parser, name):
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for child, under in action.choices.items():
                yield from options(under, f"{name} {child}")
        elif "--config" in action.option_strings:
            yield name, str(action.default)

found = {}
for name, command in COMMANDS.items():
    parser = CommandParser(prog=name)
    importlib.import_module(command.module).add_arguments(parser)
    found |= dict(options(parser, name))
print(json.dumps(found))
"""


def defaults(**environment: str) -> dict[str, str]:
    """Every command with `--config`, and the default of a fresh process."""
    inherited = {name: value for name, value in os.environ.items() if name != "EDGEFLEET_AGENT_CONFIG"}
    made = {**inherited, "PYTHONPATH": os.pathsep.join(sys.path), **environment}
    done = subprocess.run([sys.executable, "-c", LISTING], env=made, capture_output=True, text=True, check=True)
    found: dict[str, str] = json.loads(done.stdout)
    return found


def test_every_command_takes_its_settings_from_the_environment() -> None:
    plain, named = defaults(), defaults(EDGEFLEET_AGENT_CONFIG="/srv/a/agent.toml")
    assert {"run", "status", "enroll", "launch"} <= plain.keys()
    assert set(plain.values()) == {"/etc/edgefleet/agent.toml"}
    assert named == dict.fromkeys(plain, "/srv/a/agent.toml")
    assert defaults(EDGEFLEET_AGENT_CONFIG="") == plain


def test_the_option_precedes_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.toml").write_text(f'device = "{name}"\nstate = "{name}"\n', encoding="utf-8")
    monkeypatch.setenv("EDGEFLEET_AGENT_CONFIG", str(tmp_path / "one.toml"))
    assert main(["status"]) == 4
    assert f"{tmp_path}/one" in capsys.readouterr().err
    assert main(["status", "--config", str(tmp_path / "two.toml")]) == 4
    assert f"{tmp_path}/two" in capsys.readouterr().err
    monkeypatch.setenv("EDGEFLEET_AGENT_CONFIG", str(tmp_path / "none.toml"))
    assert main(["status"]) == 2
    assert "none.toml: no such file" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["run", "status"])
def test_the_help_names_the_variable(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([command, "--help"])
    assert "$EDGEFLEET_AGENT_CONFIG, or /etc/edgefleet/agent.toml" in " ".join(capsys.readouterr().out.split())
