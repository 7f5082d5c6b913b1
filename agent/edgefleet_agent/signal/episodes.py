"""From moments that are unusual to stretches of time: gaps closed, blips dropped, the worst moment remembered."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Episode:
    """Something goes on. origin_s, last_s: from the first to the last moment of it. worst: the value that is furthest off, and
    what it is the value of. coverage: sum over moments."""

    number: int
    origin_s: float
    last_s: float
    worst: float
    name: str
    coverage: float = 1.0
    moments: int = 1
    told: bool = False


@dataclass(slots=True)
class Episodes:
    """Those of one rule. step_s: time between moments, gaps of which are none."""

    min_s: float
    gap_s: float
    _now: Episode | None = None
    _numbered: int = 0

    def add(self, origin_s: float, last_s: float, worst: float, name: str, coverage: float = 1.0) -> Episode | None:
        """A moment that belongs to an episode: from `origin_s`, if it is the first, to `last_s`. The episode, when it begins to
        count by this."""
        episode = self._now
        if episode is None:
            self._numbered += 1
            episode = self._now = Episode(self._numbered, origin_s, last_s, worst, name, coverage)
        else:
            episode.last_s, episode.moments = last_s, episode.moments + 1
            episode.coverage += coverage
            if worst > episode.worst:
                episode.worst, episode.name = worst, name
        if episode.told or episode.last_s - episode.origin_s < self.min_s:
            return None
        episode.told = True
        return episode

    def quiet(self, at_s: float, slack_s: float = 0.0) -> Episode | None:
        """Nothing is unusual at this moment; the episode, when it ends by this and counted. slack_s: no gap is shorter."""
        episode = self._now
        if episode is None or at_s - episode.last_s <= max(self.gap_s, slack_s):
            return None
        return self.end()

    def end(self) -> Episode | None:
        """Nothing more comes; the episode, if it counted."""
        episode, self._now = self._now, None
        return episode if episode is not None and episode.told else None

    @property
    def going(self) -> bool:
        """Whether one goes on."""
        return self._now is not None
