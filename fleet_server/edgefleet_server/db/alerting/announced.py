"""Stores who got the start of an alert, so that its end goes to the same ones, and to no others.

`alert.notified` is a list: the id of each recipient that got a notice of the start; -id where a summary counted that notice, so
that neither it nor the end comes; and the targets of the rule itself (URLs, `mailto:`) that got it, `NO_TARGET` if none did.
Alerts from before version 0.3 have no targets: their ends go to all of the rule.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from edgefleet_server.db.backend.driver import Driver

NO_TARGET: Final = ""


@dataclass(frozen=True, slots=True)
class Announced:
    """The start of one alert. `recipients`: those that got it; `summarized`: those for which a summary counts it; `targets` of
    the rule that got it, None = not known."""

    recipients: tuple[int, ...] = ()
    summarized: tuple[int, ...] = ()
    targets: tuple[str, ...] | None = None

    def knows(self, recipient: int) -> bool:
        """Whether nothing of the start is to be sent to a recipient any more."""
        return recipient in self.recipients or recipient in self.summarized

    @property
    def stored(self) -> str:
        """The value of the column."""
        targets = [] if self.targets is None else self.targets or (NO_TARGET,)
        return json.dumps([*self.recipients, *(-number for number in self.summarized), *targets])


def read(values: Sequence[int | str]) -> Announced:
    """Read the list of a column."""
    numbers = [value for value in values if isinstance(value, int)]
    targets = [value for value in values if isinstance(value, str)]
    return Announced(
        tuple(number for number in numbers if number > 0),
        tuple(-number for number in numbers if number < 0),
        tuple(target for target in targets if target != NO_TARGET) if targets else None,
    )


def of(db: Driver, alert: int) -> Announced:
    """Return who got the start of an alert; without recipients if there is no such alert."""
    row = db.execute("SELECT notified FROM alert WHERE id = ?", (alert,)).fetchone()
    return read(json.loads(row[0])) if row else Announced()


def add_recipients(db: Driver, alert: int, recipients: Sequence[int]) -> None:
    """Note that these recipients get a notice of the start."""
    known = of(db, alert)
    _store(db, alert, Announced((*known.recipients, *recipients), known.summarized, known.targets))


def set_targets(db: Driver, alert: int, targets: Iterable[str]) -> None:
    """Note the targets of the rule itself that get a notice of the start."""
    known = of(db, alert)
    _store(db, alert, Announced(known.recipients, known.summarized, tuple(targets)))


def take_back(db: Driver, alert: int, recipient: int | None, target: str) -> None:
    """Note that a summary counts the notice of the start for a recipient, or for a target of the rule itself."""
    known = of(db, alert)
    if recipient is None:
        targets = None if known.targets is None else tuple(each for each in known.targets if each != target)
        _store(db, alert, Announced(known.recipients, known.summarized, targets))
    else:
        others = tuple(number for number in known.recipients if number != recipient)
        _store(db, alert, Announced(others, (*known.summarized, recipient), known.targets))


def _store(db: Driver, alert: int, announced: Announced) -> None:
    db.execute("UPDATE alert SET notified = ? WHERE id = ?", (announced.stored, alert))
