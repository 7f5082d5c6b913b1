"""Promises of a server, with the number of operations of the disk at that moment: records that it acknowledged, answers that
it gave. `broken` compares the promises made before a cut with what is found after it."""

from __future__ import annotations

import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

Subject = tuple[str, str]
"""Kind and name of something that an answer was about: ("user", "ann")."""


@dataclass(slots=True)
class Outcome:
    """A change that was requested after operation `began`, and answered before operation `confirmed` (None: not answered).
    `value` is what a look at the subject finds then."""

    value: str
    began: int
    confirmed: int | None = None


@dataclass(slots=True)
class Promises:
    """Thread-safe collection. `count`: number of operations so far."""

    count: Callable[[], int]
    acknowledged: list[tuple[int, str, str, int]] = field(default_factory=list)
    """(operation, device, stream, last record)."""
    outcomes: dict[Subject, list[Outcome]] = field(default_factory=lambda: defaultdict(list))
    audited: list[tuple[int, str, str]] = field(default_factory=list)
    """(operation, action, target)."""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def acknowledge(self, device: str, stream: str, seq: int) -> None:
        self.acknowledged.append((self.count(), device, stream, seq))

    @contextmanager
    def change(self, kind: str, name: str, value: str) -> Iterator[None]:
        """The time from request to answer; an error in between leaves it unconfirmed."""
        outcome = Outcome(value, self.count())
        with self._lock:
            self.outcomes[kind, name].append(outcome)
        yield
        outcome.confirmed = self.count()

    def confirm(self, kind: str, name: str, value: str) -> None:
        """An answer about something whose name the server chose."""
        with self._lock:
            self.outcomes[kind, name].append(Outcome(value, self.count(), self.count()))

    def audit(self, action: str, target: str) -> None:
        with self._lock:
            self.audited.append((self.count(), action, target))

    # -- after a cut

    def records(self, cut: int) -> dict[tuple[str, str], int]:
        """The last acknowledged record of each (device, stream)."""
        found: dict[tuple[str, str], int] = {}
        for index, device, stream, seq in self.acknowledged:
            if index <= cut:
                found[device, stream] = max(seq, found.get((device, stream), 0))
        return found

    def expected(self, cut: int) -> dict[Subject, set[str]]:
        """For each subject with a confirmed answer, the values that are possible."""
        found: dict[Subject, set[str]] = {}
        for subject, outcomes in self.outcomes.items():
            confirmed = [place for place, one in enumerate(outcomes) if one.confirmed is not None and one.confirmed <= cut]
            if confirmed:
                later = outcomes[confirmed[-1] + 1 :]
                found[subject] = {outcomes[confirmed[-1]].value} | {one.value for one in later if one.began <= cut}
        return found

    def audits(self, cut: int) -> Counter[tuple[str, str]]:
        """The least number of entries of each action and target."""
        return Counter((action, target) for index, action, target in self.audited if index <= cut)

    def counts(self) -> tuple[int, int]:
        """(records acknowledged, answers confirmed)."""
        answers = sum(one.confirmed is not None for outcomes in self.outcomes.values() for one in outcomes)
        return sum(self.records(2**62).values()), answers
