"""Combines anomalous moments to episodes: gaps closed, short ones dropped, the worst moment remembered."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Episode:
    """One episode. origin_s, last_s: its first and last moment. worst: the most deviating value; name: its feature. coverage: sum
    over moments."""

    number: int
    origin_s: float
    last_s: float
    worst: float
    name: str
    coverage: float = 1.0
    moments: int = 1
    reported: bool = False


@dataclass(slots=True)
class Episodes:
    """The episodes of one rule. step_s: time between moments, gaps of which are none."""

    min_s: float
    gap_s: float
    _now: Episode | None = None
    _numbered: int = 0

    def add(self, origin_s: float, last_s: float, worst: float, name: str, coverage: float = 1.0) -> Episode | None:
        """Add a moment to the current episode: from `origin_s`, if it is the first, to `last_s`. Returns the episode when it
        starts to count."""
        episode = self._now
        if episode is None:
            self._numbered += 1
            episode = self._now = Episode(self._numbered, origin_s, last_s, worst, name, coverage)
        else:
            episode.last_s, episode.moments = last_s, episode.moments + 1
            episode.coverage += coverage
            if worst > episode.worst:
                episode.worst, episode.name = worst, name
        if episode.reported or episode.last_s - episode.origin_s < self.min_s:
            return None
        episode.reported = True
        return episode

    def quiet(self, at_s: float, slack_s: float = 0.0) -> Episode | None:
        """Record a normal moment; returns the episode when it ends and counted. slack_s: minimum for the gap."""
        episode = self._now
        if episode is None or at_s - episode.last_s <= max(self.gap_s, slack_s):
            return None
        return self.end()

    def end(self) -> Episode | None:
        """End the series; returns the episode if it counted."""
        episode, self._now = self._now, None
        return episode if episode is not None and episode.reported else None

    def silent(self, at_s: float, limit_s: float) -> Episode | None:
        """Record that nothing was observed until `at_s`; returns the episode when it ends by that and counted. limit_s: longest
        time without a moment that is no end."""
        if self._now is None or at_s - self._now.last_s <= max(self.gap_s, limit_s):
            return None
        return self.end()

    @property
    def going(self) -> bool:
        """Whether an episode is ongoing."""
        return self._now is not None
