"""The differences between a real Triton core and our server: probes, their outcomes, and the table of docs/serving-triton.md.

A probe asks one server and describes its answer in a few words. A run of both servers (`-m long`, with `EDGEFLEET_WRITE_DOCS=1`)
records the outcomes in `triton_differences.json` and writes the table from them; without the variable it compares them. That our
side still answers as recorded, and that the table is that of the record, is tested in every run
(`tests/agent/serving/test_triton_differences.py`).
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DOCUMENT = Path(__file__).resolve().parents[2] / "docs/serving-triton.md"
RECORD = Path(__file__).with_suffix(".json")
BEGIN, END = "<!-- differences: begin -->", "<!-- differences: end -->"


@dataclass(frozen=True)
class Served:
    """The addresses of one server."""

    http: str
    grpc: str


@dataclass(frozen=True)
class Probe:
    """A question, in the words of the table, and the words for the answer of a server."""

    what: str
    outcome: Callable[[Served], str]


Row = tuple[str, str, str]
"""What is asked, the outcome of Triton, ours."""


def compared(probes: Sequence[Probe], theirs: Served, ours: Served) -> list[Row]:
    """Ask both servers, one probe after the other: some change state."""
    return [(probe.what, probe.outcome(theirs), probe.outcome(ours)) for probe in probes]


def recorded() -> dict[str, list[Row]]:
    """The recorded outcomes by section, also the equal ones."""
    sections: dict[str, list[Any]] = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.is_file() else {}
    return {name: [(row[0], row[1], row[2]) for row in rows] for name, rows in sections.items()}


def table(sections: dict[str, list[Row]]) -> str:
    """The table: one line for each way in which something differs."""
    rows = dict.fromkeys(row for rows in sections.values() for row in rows if row[1] != row[2])
    lines = ["| | Triton 2.51 | here |", "| --- | --- | --- |", *(f"| {' | '.join(row)} |" for row in rows)]
    return "\n".join((BEGIN, *lines, END))


def written_table() -> str:
    """The table in the document."""
    found = re.search(f"{re.escape(BEGIN)}.*{re.escape(END)}", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    return found[0]


def check_section(name: str, rows: list[Row]) -> None:
    """Compare a run with the record; with `EDGEFLEET_WRITE_DOCS`, record it and write the table."""
    sections = recorded()
    if os.environ.get("EDGEFLEET_WRITE_DOCS"):
        sections[name] = rows
        RECORD.write_text(json.dumps(sections, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        text = DOCUMENT.read_text(encoding="utf-8")
        DOCUMENT.write_text(text.replace(written_table(), table(sections)), encoding="utf-8")
    assert recorded()[name] == rows
    assert written_table() == table(recorded())
