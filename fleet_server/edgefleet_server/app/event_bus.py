"""Event bus of a process: notifies the live clients of this process, its leader services while it leads, and the other
processes."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from edgefleet_server.api.live.live_updates import LiveUpdates
from edgefleet_server.app.leader_services import LeaderServices
from edgefleet_server.core.errors import StoreError
from edgefleet_server.db.backend.engine import Database
from edgefleet_server.db.devices import devices
from edgefleet_server.db.telemetry import benchmarks
from edgefleet_server.domain.fleet.cluster_message import ClusterMessage
from edgefleet_server.jobs.rollout_engine import EngineTurn
from edgefleet_server.link.ingest_writer import BatchResult


class EventBus:
    """`leader`: leader services of this process while it leads. `notify_peers`: sends to the other processes, if there are
    any."""

    def __init__(self, database: Database, hub: LiveUpdates) -> None:
        self._database = database
        self._hub = hub
        self.leader: Callable[[], LeaderServices | None] = lambda: None
        self.notify_peers: Callable[[ClusterMessage], None] = lambda _news: None

    def committed(self, outcome: BatchResult) -> None:
        """Handle the commit of a batch of messages."""
        if outcome.answered:
            benchmarks.store_results(self._database, outcome.answered, time.time())
        touched = frozenset(outcome.births | outcome.reports)
        self._hub.sample(outcome.samples)
        self._publish(ClusterMessage(touched, frozenset(outcome.samples), greet=frozenset(outcome.births), wake=bool(touched)))

    def restricted(self, touched: frozenset[str]) -> None:
        """Handle devices whose restriction has changed."""
        leader = self.leader()
        if leader is not None:
            leader.sweep()
        self._publish(ClusterMessage(touched=touched))

    def turned(self, turn: EngineTurn) -> None:
        """Handle the changes of a run of the engine."""
        self._publish(ClusterMessage(touched=frozenset(turn.devices), changed=frozenset(turn.rollouts)))

    def wake(self) -> None:
        """Run the rollout engine soon."""
        self._publish(ClusterMessage(wake=True))

    def greet(self, device: str) -> None:
        """Send pending documents and commands to a device."""
        self._publish(ClusterMessage(greet=frozenset((device,))))

    def clear(self, device: str) -> None:
        """Delete the broker's retained messages of a device."""
        self._publish(ClusterMessage(clear=frozenset((device,))))

    def on_peer_message(self, news: ClusterMessage) -> None:
        """Apply a message of another process."""
        self._apply(news)
        watched = self._hub.watched & news.measured
        if watched:
            self._hub.sample(self._samples(watched))

    def _publish(self, news: ClusterMessage) -> None:
        self._apply(news)
        self.notify_peers(news)

    def _apply(self, news: ClusterMessage) -> None:
        self._hub.touch(news.touched, news.changed, news.measured)
        leader = self.leader()
        if leader is None:
            return
        for device in sorted(news.greet):
            leader.publisher.greet(device)
        for device in sorted(news.clear):
            leader.publisher.clear(device)
        if news.wake:
            leader.engine.wake()

    def _samples(self, watched: frozenset[str]) -> Mapping[str, str]:
        try:
            with self._database.read() as connection:
                return devices.latest_samples(connection, watched)
        except StoreError:
            return {}
