"""Rules over several pipelines at the same time: a press cycle without an operator, an open door with no person present.

Each input has a name (`pipeline.rule`) and is active in spans of time. A condition holds while every input of `all` is active and
none of `none` is. Events arrive late: a stay is reported after its minimum duration, a sensor's window when it is full. Time is
therefore evaluated with a delay of `settle_s`, exactly, from change to change, independent of the order in which events arrive.
Time without coverage counts neither as present nor as absent: a condition does not hold while one of its pipelines is blind.
Pure: the caller provides times of one clock.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

SPANS_MAX = 1000
"""Spans remembered of each name; older ones are dropped."""


@dataclass(slots=True)
class Span:
    """A period of activity. end_s: None while it lasts."""

    key: str
    start_s: float
    end_s: float | None = None

    def covers(self, moment_s: float) -> bool:
        """Whether it is active at that moment; the moment of its end is not part of it."""
        return self.start_s <= moment_s and (self.end_s is None or moment_s < self.end_s)


@dataclass(frozen=True, slots=True)
class CombinedEpisode:
    """A period in which the condition held: from `start_s` until `end_s`, None if unknown. parts: keys of the active inputs at
    its start."""

    number: int
    start_s: float
    end_s: float | None
    parts: tuple[str, ...] = ()


@dataclass(slots=True)
class _Episode:
    number: int
    start_s: float
    last_s: float
    parts: tuple[str, ...]
    reported: bool = False


@dataclass(slots=True)
class CrossSourceRule:
    """One condition. min_s: shorter periods are dropped; gap_s: shorter interruptions are closed."""

    all: Sequence[str]
    none: Sequence[str]
    min_s: float
    gap_s: float
    settle_s: float
    _spans: dict[str, deque[Span]] = field(default_factory=dict)
    _blind: dict[str, deque[Span]] = field(default_factory=dict)
    _judged_s: float | None = None
    _episode: _Episode | None = None
    _numbered: int = 0

    def start(self, name: str, key: str, at_s: float) -> None:
        """Record the start of the activity `key` of an input."""
        spans = self._spans.setdefault(name, deque(maxlen=SPANS_MAX))
        if all(span.key != key for span in spans):
            spans.append(Span(key, at_s))

    def end(self, name: str, key: str, start_s: float, end_s: float) -> None:
        """Record the end of the activity `key` of an input; its start may not have been reported."""
        self.start(name, key, start_s)
        for span in self._spans[name]:
            if span.key == key:
                span.start_s, span.end_s = min(span.start_s, start_s), max(end_s, start_s)

    def sees(self, pipeline: str, at_s: float, *, sees: bool) -> None:
        """Record that the pipeline analyses its source from now on, or is blind."""
        spans = self._blind.setdefault(pipeline, deque(maxlen=SPANS_MAX))
        blind = bool(spans) and spans[-1].end_s is None
        if not sees and not blind:
            spans.append(Span(pipeline, at_s))
        elif sees and blind:
            spans[-1].end_s = at_s

    def advance(self, now_s: float) -> list[CombinedEpisode]:
        """Evaluate the time until `settle_s` ago; returns started and ended episodes."""
        until_s, since_s = now_s - self.settle_s, self._judged_s
        if since_s is None or until_s <= since_s:
            self._judged_s = until_s if since_s is None else since_s
            return []
        self._judged_s = until_s
        changes = sorted({since_s, until_s, *(moment for moment in self._moments() if since_s < moment < until_s)})
        episodes: list[CombinedEpisode] = []
        for begin_s, end_s in itertools.pairwise(changes):
            episodes += self._stretch(begin_s, end_s)
        self._forget(until_s)
        return episodes

    def finish(self) -> list[CombinedEpisode]:
        """End the current episode: no more input follows."""
        return self._end()

    def _stretch(self, begin_s: float, end_s: float) -> list[CombinedEpisode]:
        """Evaluate a period without changes."""
        parts = self._parts(begin_s)
        episode = self._episode
        if parts is None:
            over = episode is not None and end_s - episode.last_s >= self.gap_s
            return self._end() if over else []
        if episode is not None and begin_s - episode.last_s > max(self.gap_s, 1e-9):
            episodes = self._end()
            episode = None
        else:
            episodes = []
        if episode is None:
            self._numbered += 1
            episode = self._episode = _Episode(self._numbered, begin_s, begin_s, parts)
        episode.last_s = end_s
        if not episode.reported and end_s - episode.start_s >= self.min_s:
            episode.reported = True
            episodes.append(CombinedEpisode(episode.number, episode.start_s, None, episode.parts))
        return episodes

    def _end(self) -> list[CombinedEpisode]:
        episode, self._episode = self._episode, None
        if episode is None or not episode.reported:
            return []
        return [CombinedEpisode(episode.number, episode.start_s, episode.last_s, episode.parts)]

    def _parts(self, moment_s: float) -> tuple[str, ...] | None:
        """Active keys of each of `all` at that moment; None if the condition does not hold."""
        names = [*self.all, *self.none]
        if any(span.covers(moment_s) for name in names for span in self._blind.get(name.partition(".")[0], ())):
            return None
        if any(span.covers(moment_s) for name in self.none for span in self._spans.get(name, ())):
            return None
        parts = []
        for name in self.all:
            going = [span.key for span in self._spans.get(name, ()) if span.covers(moment_s)]
            if not going:
                return None
            parts += going
        return tuple(parts)

    def _moments(self) -> Iterable[float]:
        for spans in (*self._spans.values(), *self._blind.values()):
            for span in spans:
                yield span.start_s
                if span.end_s is not None:
                    yield span.end_s

    def _forget(self, until_s: float) -> None:
        for spans in (*self._spans.values(), *self._blind.values()):
            while spans and spans[0].end_s is not None and spans[0].end_s <= until_s:
                spans.popleft()
