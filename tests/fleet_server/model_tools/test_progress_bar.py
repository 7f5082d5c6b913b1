"""Progress of long commands: a bar on a terminal, lines elsewhere, nothing where programs read."""

from __future__ import annotations

import io

import pytest

from edgefleet_server.model_tools import progress_bar
from edgefleet_server.model_tools.progress_bar import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_bar_on_a_terminal() -> None:
    stream = Terminal()
    with Progress("pushing spotter@1.0.0", 4_000_000, is_bytes=True, stream=stream) as bar:
        bar.to(4_000_000)
    assert f"pushing spotter@1.0.0 [{'#' * 28}] 4.0 of 4.0 MB" in stream.getvalue()
    assert stream.getvalue().endswith("\r\033[K")


def test_lines_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """At most one in a period: a log has a few, and a short command none."""
    at = 100.0
    monkeypatch.setattr(progress_bar.time, "monotonic", lambda: at)
    stream = io.StringIO()
    with Progress("importing repository", 0, stream=stream) as bar:
        bar.to(1, total=40)
        at += progress_bar.LINE_S
        bar.to(7, total=40)
        bar.to(8, total=40)
    assert stream.getvalue() == "importing repository: 7/40\n"


@pytest.mark.parametrize("stream", [Terminal(), io.StringIO()])
def test_nothing_where_programs_read(stream: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress_bar, "LINE_S", 0.0)
    with Progress("pushing", 10, quiet=True, stream=stream) as bar:
        bar.to(5)
    assert stream.getvalue() == ""
