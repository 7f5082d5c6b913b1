"""News between the processes of one server, over PostgreSQL's LISTEN and NOTIFY.

News only say where to look: what counts is in the tables, and whoever missed some finds it there at his next look. So they are
told after the commit, on a connection of their own, gathered for a moment, and dropped where the database is away.
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
LOOK_S: Final = 0.5
AGAIN_S: Final = 1.0

log = logging.getLogger(__name__)


_Line = psycopg.Connection[tuple[object, ...]]
_Work = Callable[[_Line], None]


class _Notification(msgspec.Struct):
    origin: str
    news: ClusterMessage


class NotificationChannel:
    """Tells what `tell` was given, and calls `heard` with what other processes told; both on threads of its own."""

    def __init__(self, url: str, heard: Callable[[ClusterMessage], None]) -> None:
        self._url = url
        self._heard = heard
        self._origin = uuid.uuid4().hex[:12]
        self._waiting: queue.Queue[ClusterMessage] = queue.Queue(WAITING_MAX)
        self._closing = threading.Event()
        self._threads = [
            threading.Thread(target=self._for_ever, args=(work,), name=name, daemon=True)
            for name, work in (("news-out", self._speak), ("news-in", self._listen))
        ]

    def start(self) -> None:
        """Begin."""
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """End; what was not told is not."""
        self._closing.set()
        for thread in self._threads:
            if thread.is_alive():
                thread.join(3.0)

    def tell(self, news: ClusterMessage) -> None:
        """From any thread; never blocks. Dropped when too much waits."""
        try:
            self._waiting.put_nowait(news)
        except queue.Full:
            log.debug("news: too much waits; the others will look for themselves")

    def _for_ever(self, work: _Work) -> None:
        while not self._closing.is_set():
            self._once(work)

    def _once(self, work: _Work) -> None:
        """Work until the database goes, or we do."""
        try:
            with psycopg.connect(plain_url(self._url), autocommit=True, connect_timeout=10) as connection:
                work(connection)
        except psycopg.Error as error:
            log.debug("news: %s", error)
            self._closing.wait(AGAIN_S)

    def _speak(self, connection: _Line) -> None:
        while not self._closing.is_set():
            news = self._gathered()
            if news is not None:
                for part in parts(news):
                    text = msgspec.json.encode(_Notification(self._origin, part)).decode()
                    connection.execute("SELECT pg_notify(%s, %s)", (CHANNEL, text))

    def _gathered(self) -> ClusterMessage | None:
        try:
            news = self._waiting.get(timeout=LOOK_S)
        except queue.Empty:
            return None
        time.sleep(GATHER_S)
        for _ in range(self._waiting.qsize()):
            news = news.joined(self._waiting.get_nowait())
        return news

    def _listen(self, connection: _Line) -> None:
        connection.execute(f"LISTEN {CHANNEL}")
        while not self._closing.is_set():
            for notice in connection.notifies(timeout=LOOK_S):
                try:
                    told = msgspec.json.decode(notice.payload, type=ensure_decoder(_Notification))
                except msgspec.MsgspecError:
                    continue  # somebody else's notification on our channel
                if told.origin != self._origin:
                    self._heard(told.news)
