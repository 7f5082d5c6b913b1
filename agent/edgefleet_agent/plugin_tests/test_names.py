"""Names, formats and families of the installed plug-ins."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from edgefleet_agent.core import plugins
from edgefleet_agent.plugin_tests.examples import installed, names_in
from edgefleet_contract.core.plugins import entry_points_of
from edgefleet_contract.encoding.names import NAME_PATTERN
from edgefleet_contract.model_kinds import FAMILY_TABLE, FORMAT_TABLE, find_family, find_format
from edgefleet_contract.package.families import FAMILIES
from edgefleet_contract.package.formats import FORMATS

TABLES = ("backends", "heads", "sources", "sensors", "sinks")
FORMAT_NAMES, FAMILY_NAMES = names_in(FORMAT_TABLE), names_in(FAMILY_TABLE)
WITHOUT_AGENT = "import sys; sys.modules['edgefleet_agent'] = None; from edgefleet_contract import model_kinds as kinds; kinds.{}"


def test_a_plug_in_is_installed() -> None:
    found = [name for table in TABLES for name in plugins.installed(table)]
    assert [*found, *FORMAT_TABLE.installed(), *FAMILY_TABLE.installed()], "no plug-in is installed: pip install -e ."


@pytest.mark.parametrize("table", TABLES)
def test_names_are_free_and_valid(table: str) -> None:
    names = [point.name for point in entry_points_of(f"edgefleet.{table}")]
    assert [name for name in names if name in plugins.TABLES[table]] == [], "a built-in name cannot be replaced"
    assert [name for name in names if not re.match(NAME_PATTERN, name)] == []
    assert len(set(names)) == len(names), "two plug-ins have one name"


@pytest.mark.parametrize("name", FORMAT_NAMES)
def test_formats(name: str) -> None:
    found = find_format(name)
    assert found.runtimes, "without runtimes no device takes an imported model"
    assert found.suffixes
    built_in = {suffix for each in FORMATS.values() for suffix in each.suffixes}
    assert [each for each in found.suffixes if not re.fullmatch(r"\.[a-z0-9_]+", each) or each in built_in] == []


@pytest.mark.parametrize("name", FAMILY_NAMES)
def test_families(name: str) -> None:
    assert name not in FAMILIES
    assert find_family(name).task
    assert name in plugins.names("heads"), f"the family needs a head of its name: entry point {name!r} in edgefleet.heads"


@pytest.mark.parametrize("name", FORMAT_NAMES)
def test_formats_need_no_agent(name: str) -> None:
    run_without_agent(f"find_format({name!r})")


@pytest.mark.parametrize("name", FAMILY_NAMES)
def test_families_need_no_agent(name: str) -> None:
    run_without_agent(f"find_family({name!r})")


def run_without_agent(call: str) -> None:
    """Import a plug-in in a process that cannot import the agent."""
    done = subprocess.run([sys.executable, "-c", WITHOUT_AGENT.format(call)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"servers have no agent:\n{done.stderr}"


@pytest.mark.parametrize("name", installed("heads"))
def test_a_head_has_a_family(name: str) -> None:
    assert name in FAMILY_TABLE.names(), f"`edgefleet model import FILE --head {name}` needs an entry point in edgefleet.families"
