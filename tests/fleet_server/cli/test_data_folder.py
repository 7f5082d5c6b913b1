"""`$EDGEFLEET_DATA` is the default of `--data` of every command that works on the data folder of a server."""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from edgefleet_contract.core.command_line import CommandParser
from edgefleet_server.__main__ import COMMANDS, main
from edgefleet_server.cli.parsers import local_data
from edgefleet_server.core.errors import InputError

OTHER_DATA = {("demo",), ("model", "quantize")}
"""`--data` is a folder for the demo, which begins anew, or calibration data."""


def commands() -> Iterator[tuple[tuple[str, ...], argparse.ArgumentParser]]:
    """Every command and sub-command, with its parser."""

    def walk(name: tuple[str, ...], parser: argparse.ArgumentParser) -> Iterator[tuple[tuple[str, ...], argparse.ArgumentParser]]:
        yield name, parser
        for action in parser._actions:
            if isinstance(action, argparse._SubParsersAction):
                for child, inner in action.choices.items():
                    yield from walk((*name, child), inner)

    for name, command in COMMANDS.items():
        parser = CommandParser(prog=name)
        importlib.import_module(command.module).add_arguments(parser)
        yield from walk((name,), parser)


def with_data() -> dict[tuple[str, ...], tuple[argparse.ArgumentParser, argparse.Action]]:
    return {
        name: (parser, action)
        for name, parser in commands()
        for action in parser._actions
        if "--data" in action.option_strings and name not in OTHER_DATA
    }


def test_the_variable_is_the_default_of_every_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("EDGEFLEET_DATA", str(tmp_path))
    found = with_data()
    assert {name[0] for name in found} == {
        "serve", "token", "user", "audit", "backup", "restore", "migrate-db", "downgrade-db", "trust", "ca",
    }  # fmt: skip
    for name, (parser, action) in found.items():
        assert action.default == tmp_path, name
        assert "$EDGEFLEET_DATA" in " ".join(parser.format_help().split()), name


def test_without_the_variable_commands_of_a_server_ask_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for value in (None, ""):
        monkeypatch.delenv("EDGEFLEET_DATA", raising=False)
        if value is not None:
            monkeypatch.setenv("EDGEFLEET_DATA", value)
        for name, (_parser, action) in with_data().items():
            assert (action.default is None) == (name[0] in ("token", "user", "audit")), name


@pytest.mark.parametrize(
    ("typed", "local"),
    [
        ([], True),
        (["--server", "http://127.0.0.1:1"], False),
        (["--server", "http://127.0.0.1:1", "--data", "given"], True),
        (["--data", "given", "--server", "http://127.0.0.1:1"], True),
    ],
)
def test_a_given_option_has_precedence_over_the_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, typed: list[str], local: bool
) -> None:
    monkeypatch.setenv("EDGEFLEET_DATA", str(tmp_path))
    expected = (Path("given") if "--data" in typed else tmp_path) if local else None
    lists = [(name, parser) for name, (parser, _action) in with_data().items() if name[-1] == "list"]
    assert len(lists) == 4
    for name, parser in lists:
        assert local_data(parser.parse_args(typed)) == expected, name


MAKE_A_FOLDER = {("serve",), ("user", "add"), ("restore",)}
"""Commands for a folder that is not there yet."""
WAIT = {("token", "create")}
"""Waits for a server that is starting, and may not have made its folder yet."""
MORE = {
    ("token", "revoke"): ["1"],
    ("user", "set"): ["ada", "--role", "viewer"],
    ("user", "remove"): ["ada"],
    ("user", "grant"): ["ada", "--role", "viewer"],
    ("user", "ungrant"): ["ada", "--group", "g"],
    ("user", "token", "create"): ["ci", "--user", "ada"],
    ("user", "token", "revoke"): ["1"],
    ("backup",): ["copy.tar"],
    ("migrate-db",): ["--database", "postgresql://localhost/x"],
    ("downgrade-db",): ["0.2.0"],
    ("trust", "replace-lost"): ["--role", "snapshot"],
}
"""Required arguments."""


@pytest.mark.parametrize("made", [False, True])
def test_a_mistyped_folder_is_no_new_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], made: bool
) -> None:
    """Every command that works on what is there; a nightly `audit verify` would report a valid log."""
    monkeypatch.delenv("EDGEFLEET_DATABASE", raising=False)
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "typo"
    if made:
        folder.mkdir()
    for name in sorted(with_data().keys() - MAKE_A_FOLDER - WAIT):
        assert main([*name, *MORE.get(name, []), "--data", str(folder)]) == InputError.exit_code, name
        shown = capsys.readouterr().err
        assert f"{folder} is not the data folder of a server" in shown or "has no signed metadata" in shown, (name, shown)
        assert (sorted(folder.iterdir()) if made else folder.exists()) == ([] if made else False), name
