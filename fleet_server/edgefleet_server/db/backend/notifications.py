"""Notifications between the processes of one server, over PostgreSQL's LISTEN and NOTIFY.

A notification only names the changed rows: the tables are the source of truth, and a process that missed a notification finds the
change at its next poll. So notifications are sent after the commit, on a separate connection, in batches, and are dropped while
the database is unavailable.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
import uuid
from collections.abc import Callable
from typing import Final

import msgspec
import psycopg

from edgefleet_contract.core.msgspec_setup import ensure_decoder
from edgefleet_server.db.backend.postgresql import plain_url
from edgefleet_server.domain.fleet.cluster_message import ClusterMessage, parts

CHANNEL: Final = "edgefleet"
GATHER_S: Final = 0.05
WAITING_MAX: Final = 10_000
POLL_S: Final = 0.5
RECONNECT_S: Final = 1.0

log = logging.getLogger(__name__)


_Connection = psycopg.Connection[tuple[object, ...]]
_Work = Callable[[_Connection], None]


class _Notification(msgspec.Struct):
    origin: str
    news: ClusterMessage


class NotificationChannel:
    """Sends the messages given to `send`, and calls `on_message` with those of other processes; each on a separate thread."""

    def __init__(self, url: str, on_message: Callable[[ClusterMessage], None]) -> None:
        self._url = url
        self._on_message = on_message
        self._origin = uuid.uuid4().hex[:12]
        self._waiting: queue.Queue[ClusterMessage] = queue.Queue(WAITING_MAX)
        self._closing = threading.Event()
        self._threads = [
            threading.Thread(target=self._run, args=(work,), name=name, daemon=True)
            for name, work in (("news-out", self._send_waiting), ("news-in", self._receive))
        ]

    def start(self) -> None:
        """Start the threads."""
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Stop; waiting messages are dropped."""
        self._closing.set()
        for thread in self._threads:
            if thread.is_alive():
                thread.join(3.0)

    def send(self, news: ClusterMessage) -> None:
        """Queue a message. Callable from any thread; never blocks; drops the message if the queue is full."""
        try:
            self._waiting.put_nowait(news)
        except queue.Full:
            log.debug("news: too much waits; the others will look for themselves")

    def _run(self, work: _Work) -> None:
        while not self._closing.is_set():
            self._connect_and(work)

    def _connect_and(self, work: _Work) -> None:
        """Run `work` on a connection until the connection fails or `close` is called."""
        try:
            with psycopg.connect(plain_url(self._url), autocommit=True, connect_timeout=10) as connection:
                work(connection)
        except psycopg.Error as error:
            log.debug("news: %s", error)
            self._closing.wait(RECONNECT_S)

    def _send_waiting(self, connection: _Connection) -> None:
        while not self._closing.is_set():
            news = self._next_batch()
            if news is not None:
                for part in parts(news):
                    text = msgspec.json.encode(_Notification(self._origin, part)).decode()
                    connection.execute("SELECT pg_notify(%s, %s)", (CHANNEL, text))

    def _next_batch(self) -> ClusterMessage | None:
        try:
            news = self._waiting.get(timeout=POLL_S)
        except queue.Empty:
            return None
        time.sleep(GATHER_S)
        for _ in range(self._waiting.qsize()):
            news = news.joined(self._waiting.get_nowait())
        return news

    def _receive(self, connection: _Connection) -> None:
        connection.execute(f"LISTEN {CHANNEL}")
        while not self._closing.is_set():
            for notice in connection.notifies(timeout=POLL_S):
                try:
                    notification = msgspec.json.decode(notice.payload, type=ensure_decoder(_Notification))
                except msgspec.MsgspecError:
                    continue  # a notification of another program on this channel
                if notification.origin != self._origin:
                    self._on_message(notification.news)
