"""Options for durations: what is read, what is refused with its bounds, and that each option for seconds reads them so."""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Iterator

import pytest

from edgefleet_agent.__main__ import COMMANDS as AGENT
from edgefleet_contract.core.command_line import Command, duration_text, seconds
from edgefleet_server.__main__ import COMMANDS as SERVER


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("90", 90.0),
        ("0.5", 0.5),
        (".5", 0.5),
        ("90s", 90.0),
        ("10m", 600.0),
        ("2h", 7_200.0),
        ("1.5h", 5_400.0),
        ("1d", 86_400.0),
    ],
)
def test_seconds_and_durations(text: str, value: float) -> None:
    assert seconds(0.0, 86_400.0)(text) == value


@pytest.mark.parametrize("text", ["", "nan", "inf", "-1", "1e3", "1_0", "10 m", "10x", "h", "0.4", "11m", "٣", "9" * 400])
def test_others_are_refused_with_the_bounds(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError) as raised:
        seconds(0.5, 600.0)(text)
    assert str(raised.value) == f"{text!r} is not a duration from 0.5s to 10m; use seconds, or 90s, 10m, 2h, 1d"


@pytest.mark.parametrize("value", [0.0, 0.001, 1.0, 90.0, 600.0, 5_400.0, 86_400.0, 604_800.0])
def test_a_bound_is_written_as_it_is_read(value: float) -> None:
    assert seconds(0.0, 1e9)(duration_text(value)) == value


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for child in action.choices.values():
                yield from _actions(child)
        else:
            yield action


@pytest.mark.parametrize(("program", "table"), [("edgefleet-agent", AGENT), ("edgefleet", SERVER)])
def test_each_option_for_seconds_reads_durations(program: str, table: dict[str, Command]) -> None:
    """By its metavar and help: a plain `float` takes nan."""
    for name, command in table.items():
        if not command.listed:
            continue
        parser = argparse.ArgumentParser(prog=f"{program} {name}")
        importlib.import_module(command.module).add_arguments(parser)
        for action in _actions(parser):
            if action.metavar == "S" and "second" in (action.help or "").lower() and action.nargs is None:
                assert action.type is not float, (name, action.option_strings)
