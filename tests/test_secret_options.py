"""No command needs a secret among its arguments, which all users of a machine can see: the options of all commands are read."""

from __future__ import annotations

import argparse
import importlib
import io
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from edgefleet_agent.__main__ import COMMANDS as AGENT
from edgefleet_agent.__main__ import main as agent
from edgefleet_contract.core.command_line import Command, CommandParser, add_secret_option
from edgefleet_contract.core.completion import add_arguments as completion
from edgefleet_contract.core.errors import InputError
from edgefleet_contract.core.questions import SECRET_BYTES_MAX, read_secret
from edgefleet_server.__main__ import COMMANDS as SERVER

SUSPECT = re.compile(
    r"token|password|secret|passphrase|credential|(?:^|[-_])key|auth|webhook|url|uri|dsn|smtp|source|camera|://", re.IGNORECASE
)
"""An option whose name, value or help has one of these may carry a secret."""

WITHOUT: dict[str, str] = {
    "--server": "the address of a server; the token is in EDGEFLEET_TOKEN",
    "--user": "a name",
    "--public-url": "an address for browsers",
    "--device-broker": "an address for devices",
    "--video-url": "an address for devices",
    "--broker": "a broker; the password is in --broker-password-file",
    "--mqtt": "a broker; the password is in --mqtt-password-file",
    "--url": "of `perf`: HOST:PORT",
    "url": "of `enroll`: the address of a server",
    "--otlp": "a collector without credentials; headers are in OTEL_EXPORTER_OTLP_HEADERS",
    "--blobs": "a bucket; its keys are in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    "--oidc-issuer": "a public address",
    "--oidc-claim": "the name of a claim",
    "--ca-sha256": "a fingerprint",
    "--rate-limit-resource": "a name and a number",
    "--pipeline": "a name",
    "device": "a name",
    "video": "a file of this machine, no address",
    "name": "a name",
    "id": "a number",
}
"""Suspects whose values are no secrets, and why."""


def parsers(name: str, parser: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    yield name, parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for child, below in action.choices.items():
                yield from parsers(f"{name} {child}", below)


def options() -> Iterator[tuple[str, argparse.Action, set[str]]]:
    """Command, option with a value, and the names of all options of the command."""
    programs: list[tuple[str, Mapping[str, Command]]] = [("edgefleet-agent", AGENT), ("edgefleet", SERVER)]
    for program, commands in programs:
        for name, command in commands.items():
            root = CommandParser(prog=name)
            module = importlib.import_module(command.module)
            if module.add_arguments is completion:
                continue
            module.add_arguments(root)
            for full, parser in parsers(f"{program} {name}", root):
                actions = [action for action in parser._actions if not isinstance(action, argparse._SubParsersAction)]
                names = {option for action in actions for option in action.option_strings}
                yield from ((full, action, names) for action in actions if action.nargs != 0 and not action.choices)


def is_suspect(action: argparse.Action) -> bool:
    words = " ".join([*action.option_strings, action.dest, str(action.metavar or ""), action.help or ""])
    numbers = action.type in (int, float) or action.type is Path  # a number, or a file
    return not numbers and not any(name.endswith("-file") for name in action.option_strings) and bool(SUSPECT.search(words))


def test_every_secret_can_come_from_a_file() -> None:
    wrong, seen = [], 0
    for command, action, names in options():
        name = next(iter(action.option_strings), action.dest)
        if not is_suspect(action):
            continue
        file = f"--{name.lstrip('-')}-file"
        if file in names:
            seen += 1
        elif name not in WITHOUT:
            wrong.append(f"{command} {name}: {action.help}")
    assert not wrong, "\n".join(wrong)
    assert seen >= 12, "it looks at the options"


def test_every_exception_is_needed() -> None:
    names = {next(iter(action.option_strings), action.dest) for _, action, _ in options() if is_suspect(action)}
    assert set(WITHOUT) <= names


def parsed(*argv: str) -> object:
    parser = argparse.ArgumentParser()
    add_secret_option(parser, "--code", "Code", metavar="C", default="none")
    return parser.parse_args(argv).code


def test_a_secret_comes_from_a_file_from_stdin_or_the_arguments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "code").write_text("s3cret\n", encoding="utf-8")
    assert parsed("--code-file", str(tmp_path / "code")) == "s3cret"
    assert parsed("--code", "given") == "given"
    assert parsed() == "none"
    for argv in (["--code", "-"], ["--code-file", "-"]):
        monkeypatch.setattr("sys.stdin", io.StringIO("typed\n"))
        assert parsed(*argv) == "typed"


def test_a_file_without_one_secret_is_refused(tmp_path: Path) -> None:
    for number, data in enumerate((b"", b"a\nb\n", b"\xff\xfe", b"x" * (SECRET_BYTES_MAX + 1))):
        path = tmp_path / str(number)
        path.write_bytes(data)
        with pytest.raises(InputError, match="--code-file"):
            read_secret("--code-file", str(path))
    with pytest.raises(InputError, match="specify a file"):
        read_secret("--code-file", str(tmp_path / "none"))


def test_a_fault_of_the_file_is_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert agent(["init", "--camera-file", str(tmp_path / "none"), "--package", "p"]) == 2
    shown = capsys.readouterr().err
    assert shown.startswith("edgefleet-agent: --camera-file ")
    assert len(shown.splitlines()) == 1


def test_the_source_of_try_may_be_in_a_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "camera").write_text("gopher://operator:s3cret@cam/1\n", encoding="utf-8")
    assert agent(["try", "--source-file", str(tmp_path / "camera"), "--model", "m"]) == 2
    shown = capsys.readouterr().err
    assert "unknown kind of address" in shown
    assert "s3cret" not in shown
    assert agent(["try", "--model", "m"]) == 2
    assert "SOURCE or --source-file is needed" in capsys.readouterr().err
