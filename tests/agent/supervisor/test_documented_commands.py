"""docs/protocol.md has each command of a device."""

from __future__ import annotations

import re
from typing import Any, cast

from edgefleet_agent.supervisor.commands import CommandHandler
from tests.conftest import ROOT


def test_the_table_has_every_command() -> None:
    nothing = cast("Any", None)
    section = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8").partition("## Commands")[2].partition("\n## ")[0]
    assert sorted(re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)[1:]) == sorted(
        CommandHandler(nothing, nothing, nothing).known
    )
