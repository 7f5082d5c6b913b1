"""Commands in messages of both programs: as printed, the program takes them."""

from __future__ import annotations

import ast
import contextlib
import functools
import importlib
import io
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from edgefleet_agent.__main__ import COMMANDS as AGENT
from edgefleet_contract.core.command_line import CommandParser
from edgefleet_server.__main__ import COMMANDS as SERVER

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("agent/edgefleet_agent", "contract/edgefleet_contract", "fleet_server/edgefleet_server")
TABLES = {"edgefleet-agent": AGENT, "edgefleet": SERVER}
_PROGRAM = re.compile(r"edgefleet(?:-agent)? ")
_QUOTED = re.compile(r"`((?:edgefleet-agent|edgefleet) [^`]+)`")
_NAMED = re.compile(r"(?:it|agent|events|device|next): ((?:edgefleet-agent|edgefleet) [^;`]+)$")
INSERTED = "7"
"""What stands for an inserted value: a number is a name, too."""

LOOP = f"edgefleet rollout {INSERTED} 12"
"""The example of several commands, whose names are inserted."""


def _advices() -> Iterator[tuple[str, str]]:
    """Place and command line of each advice in a text of the product, without docstrings."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            source = path.read_text(encoding="utf-8")
            if not _PROGRAM.search(source):
                continue
            nodes = list(ast.walk(ast.parse(source)))
            docstrings = {
                id(node.body[0].value)
                for node in nodes
                if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
                and node.body
                and isinstance(node.body[0], ast.Expr)
            }
            inside = {id(part) for node in nodes if isinstance(node, ast.JoinedStr) for part in node.values}
            passed = docstrings | inside
            for node in nodes:
                if id(node) in passed:
                    continue
                text = _text_of(node)
                for found in (*_QUOTED.findall(text), *_NAMED.findall(text)):
                    if found.split()[1] != INSERTED and found != LOOP:
                        yield f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}", found


def _text_of(node: ast.AST) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        text = node.value
    elif isinstance(node, ast.JoinedStr):
        text = "".join(str(part.value) if isinstance(part, ast.Constant) else INSERTED for part in node.values)
    else:
        return ""
    program, _, rest = text.partition(" ")
    is_line = program in TABLES and rest.partition(" ")[0] in TABLES[program] and "\n" not in text
    return f"`{text}`" if is_line else text


def refusal(line: str) -> str:
    """The fault of a command line, by its program; empty if there is none. A command that is only named needs no arguments."""
    program, *argv = shlex.split(line.partition(" > ")[0].replace("…", ""))
    if argv[0] not in TABLES[program]:
        return f"no command {argv[0]}"
    parser = CommandParser(prog=program)
    module = importlib.import_module(TABLES[program][argv[0]].module)
    module.add_arguments(parser)
    errors = io.StringIO()
    with contextlib.redirect_stderr(errors):
        try:
            parser.parse_args(argv[1:])
        except SystemExit:
            pass
        else:
            return ""
    text = errors.getvalue().strip().splitlines()[-1]
    only_named = "…" in line or not any(word.startswith("-") or word.isupper() or INSERTED in word for word in argv)
    return "" if only_named and "arguments are required" in text else text


@functools.cache
def _lines() -> list[tuple[str, str]]:
    return sorted(set(_advices()))


@pytest.mark.parametrize(("place", "line"), _lines(), ids=[f"{place}-{line}" for place, line in _lines()])
def test_the_command_of_an_advice_is_taken_as_printed(place: str, line: str) -> None:
    assert not refusal(line), place


def test_the_test_finds_what_a_program_refuses() -> None:
    assert len(_lines()) > 40
    assert refusal("edgefleet-agent enroll URL --token T --once-more")
    assert refusal("edgefleet user token put")
    assert refusal("edgefleet token create --device 7") == ""


def test_no_text_puts_a_token_on_the_command_line() -> None:
    """All users of a machine see the command lines of its programs."""
    places = [*(ROOT / "deploy").rglob("*"), *(ROOT / "docs").rglob("*.md"), ROOT / "README.md"]
    places += [file for package in PACKAGES for file in (ROOT / package).rglob("*.py")]
    texts = {file.relative_to(ROOT): file.read_text(errors="replace") for file in places if file.is_file()}
    assert [str(place) for place, text in texts.items() if re.search(r"enroll[^\n]* --token(?:=| (?!-))", text)] == []


def test_enrolling_again_is_advised_with_its_option() -> None:
    """A device that is enrolled refuses `enroll` without `--again`, whatever else of it is damaged."""
    lines = [line for place, line in _lines() if line.startswith("edgefleet-agent enroll URL") and "cli/" not in place]
    assert len(lines) >= 3
    assert all("--again" in line for line in lines)
