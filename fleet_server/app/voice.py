"""Tells whoever has to know: the open pages of this process, its bureau while it leads, and the other processes."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from fleet_server.api.hub import Hub
from fleet_server.app.bureau import Bureau
from fleet_server.db import benches, devices
from fleet_server.db.engine import Database
from fleet_server.domain.news import News
from fleet_server.errors import StoreError
from fleet_server.link.store import Outcome
from fleet_server.loop import Turn


class Voice:
    """`bureau`: that of this process, while it has one. `tell`: the other processes, where there are some."""

    def __init__(self, database: Database, hub: Hub) -> None:
        self._database = database
        self._hub = hub
        self.bureau: Callable[[], Bureau | None] = lambda: None
        self.tell: Callable[[News], None] = lambda _news: None

    def committed(self, outcome: Outcome) -> None:
        """A batch of messages is in the database."""
        if outcome.answered:
            benches.keep(self._database, outcome.answered, time.time())
        touched = frozenset(outcome.births | outcome.reports)
        self._hub.sample(outcome.samples)
        self._say(News(touched, frozenset(outcome.samples), greet=frozenset(outcome.births), wake=bool(touched)))

    def turned(self, turn: Turn) -> None:
        """The engine changed something."""
        self._say(News(touched=frozenset(turn.devices), changed=frozenset(turn.rollouts)))

    def wake(self) -> None:
        """A rollout may have something to do."""
        self._say(News(wake=True))

    def greet(self, device: str) -> None:
        """A device has something to get."""
        self._say(News(greet=frozenset((device,))))

    def clear(self, device: str) -> None:
        """Nothing of a device is to be kept at the broker."""
        self._say(News(clear=frozenset((device,))))

    def heard(self, news: News) -> None:
        """Another process told."""
        self._act(news)
        watched = self._hub.watched & news.measured
        if watched:
            self._hub.sample(self._samples(watched))

    def _say(self, news: News) -> None:
        self._act(news)
        self.tell(news)

    def _act(self, news: News) -> None:
        self._hub.touch(news.touched, news.changed, news.measured)
        bureau = self.bureau()
        if bureau is None:
            return
        for device in sorted(news.greet):
            bureau.publisher.greet(device)
        for device in sorted(news.clear):
            bureau.publisher.clear(device)
        if news.wake:
            bureau.engine.wake()

    def _samples(self, watched: frozenset[str]) -> Mapping[str, str]:
        try:
            with self._database.read() as connection:
                return devices.latest_samples(connection, watched)
        except StoreError:
            return {}
