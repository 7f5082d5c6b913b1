"""A share of the tests, chosen by a text such as a commit: each commit runs other ones, and the same ones again.

python -m pytest -m long --share "$(git rev-parse HEAD)/10" --share-minutes 20
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

MINUTES = 5.0
"""How long a long test may take that does not say so: `@pytest.mark.long(minutes=40)`."""

NOT_STARTED = "not started"


@dataclass
class Share:
    """One of `parts` parts of the tests, started within `minutes`."""

    text: str
    parts: int
    minutes: float
    began_s: float = field(default_factory=time.monotonic)
    of: int = 0
    chosen: int = 0

    def minutes_left(self) -> float:
        return self.minutes - (time.monotonic() - self.began_s) / 60


SHARE = pytest.StashKey[Share]()


def add_options(parser: pytest.Parser) -> None:
    """Options of the command line."""
    group = parser.getgroup("share", "a part of the tests")
    group.addoption(
        "--share", metavar="TEXT/N", help="Run one of N parts of the selected tests, chosen by TEXT, such as a commit"
    )
    group.addoption(
        "--share-minutes",
        type=float,
        default=float("inf"),
        metavar="MINUTES",
        help="With --share: skip tests that would end later than this after the start",
    )


def configure(config: pytest.Config) -> None:
    """Read the options."""
    named = config.getoption("share")
    if named is not None:
        config.stash[SHARE] = read(named, config.getoption("share_minutes"))


def read(named: str, minutes: float) -> Share:
    """Read TEXT/N."""
    text, _, parts = named.rpartition("/")
    if not (text and parts.isdecimal() and int(parts) > 0):
        raise pytest.UsageError(f"--share {named}: must be TEXT/N with a number N above 0, such as 4f2a91c/10")
    return Share(text, int(parts), minutes)


def choose(names: Sequence[str], text: str, parts: int) -> set[str]:
    """The names of the share; one at least, if there is any."""
    numbers = {name: int.from_bytes(hashlib.sha256(f"{text} {name}".encode()).digest()[:8], "big") for name in names}
    found = {name for name, number in numbers.items() if number % parts == 0}
    return found or set(sorted(names, key=lambda name: numbers[name])[:1])


def minutes_of(item: pytest.Item) -> float:
    """Minutes that a test may take, by its marker."""
    marker = item.get_closest_marker("long")
    return float(marker.kwargs.get("minutes", MINUTES)) if marker else 0.0


def select(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the share of the items, the shortest first. A test that exceeds its minutes by far ends as failed."""
    share = config.stash.get(SHARE, None)
    if share is None:
        return
    names = choose([item.nodeid for item in items], share.text, share.parts)
    selected = sorted((item for item in items if item.nodeid in names), key=minutes_of)
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in names])
    share.of, share.chosen = len(items), len(selected)
    items[:] = selected
    for item in items:
        own = item.get_closest_marker("timeout")
        limit_s = 60 * (2 * minutes_of(item) + 5)
        item.add_marker(pytest.mark.timeout(min(limit_s, *own.args) if own else limit_s), append=False)


def skip_late(item: pytest.Item) -> None:
    """Skip a test that would not end within the minutes of the share."""
    share = item.config.stash.get(SHARE, None)
    if share is not None and minutes_of(item) > share.minutes_left():
        pytest.skip(f"{NOT_STARTED}: it takes up to {minutes_of(item):g} minutes, the share {share.minutes:g}")


def summary(reporter: pytest.TerminalReporter) -> None:
    """Write how much was chosen, and how much of it was not started."""
    share = reporter.config.stash.get(SHARE, None)
    if share is not None:
        late = sum(NOT_STARTED in str(report.longrepr) for report in reporter.stats.get("skipped", ()))
        reporter.write_line(
            f"share {share.text}/{share.parts}: {share.chosen} of {share.of} tests chosen, {late} of them not started"
        )
