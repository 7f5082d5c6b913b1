"""Delivers notices to recipients, each receiver on a thread of its own: one that is slow or dead delays no
other. The mail server is one receiver.

A notice stays in the database until it is delivered, or given up after its last try (`domain.fleet.webhook_signing.pause_s`).
Delivery is at least once: after a crash between delivery and its record, a notice is sent again; receivers deduplicate by the
alert's id.
"""

from __future__ import annotations

import json
import logging
import threading
import time
from typing import Any, Final
from urllib.parse import urlsplit

from edgefleet_contract.core.fault_text import fault_text
from edgefleet_server.core.errors import StoreError
from edgefleet_server.core.item_faults import DATA_FAULTS
from edgefleet_server.db.alerting import notices, recipients
from edgefleet_server.db.backend.engine import Database, raw
from edgefleet_server.db.telemetry import alerts
from edgefleet_server.domain.fleet.webhook_signing import TRIES_MAX, pause_s
from edgefleet_server.domain.notices.notice import notice_of
from edgefleet_server.domain.notices.recipients import Recipient
from edgefleet_server.domain.policy.hidden_secrets import masked_url
from edgefleet_server.jobs.notices.mailer import MailConnection
from edgefleet_server.jobs.notices.sender import Delivery, NoticeSender

BATCH: Final = 20
RECEIVERS_MAX: Final = 32
"""Limits of a turn: notices of one receiver, and receivers at work at once."""
TURN_S: Final = 2.0
CLOSE_S: Final = 2.0
"""Time for which `close` waits for a slow receiver; the notice is retried after the next start."""

Secrets = dict[tuple[int, str], str]
"""Secrets of webhooks, by rule and URL."""
Records = dict[int, dict[str, Any]]
"""Stored recipients, by id."""

log = logging.getLogger(__name__)


class Notifier:
    """The delivery threads."""

    def __init__(self, database: Database, sender: NoticeSender) -> None:
        self._database = database
        self.sender = sender
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="notices", daemon=True)
        self._lock = threading.Lock()
        self._at_work: dict[str, threading.Thread] = {}

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def close(self) -> None:
        """Stop after the current deliveries."""
        self._closing.set()
        ends_s = time.monotonic() + CLOSE_S
        threads = [self._thread, *self._working()]
        for thread in threads:
            if thread.is_alive():
                thread.join(max(0.0, ends_s - time.monotonic()))

    def turn(self, now: float) -> int:
        """Deliver the due notices, and wait for the end; returns the number of tries, at most `BATCH` of a receiver.

        Raises:
            StoreError: the database refuses.
        """
        results: list[int] = []
        for thread in self._begin(now, results):
            thread.join()
        return sum(results)

    def _run(self) -> None:
        while not self._closing.wait(TURN_S):
            self._begin_or_log()

    def _begin_or_log(self) -> None:
        try:
            self._begin(time.time(), [])
        except StoreError as error:
            log.error("notices: %s", error)

    def _working(self) -> list[threading.Thread]:
        with self._lock:
            return list(self._at_work.values())

    def _begin(self, now: float, results: list[int]) -> list[threading.Thread]:
        """Start a delivery for each receiver that has due notices and none at work; `results` gets their numbers of tries."""
        with self._database.read() as connection:
            db = raw(connection)
            waiting = notices.due(db, now, BATCH, BATCH * RECEIVERS_MAX)
            secrets = _secrets(alerts.rules(db)) if waiting else {}
            known = {record["id"]: record for record in recipients.recipients(db)} if waiting else {}
        queues: dict[str, list[dict[str, Any]]] = {}
        for notice in waiting:
            queues.setdefault(_receiver(notice, known), []).append(notice)
        started = []
        with self._lock:
            for receiver, queue in queues.items():
                if receiver in self._at_work or len(self._at_work) >= RECEIVERS_MAX:
                    continue
                work = threading.Thread(
                    target=self._deliver_all,
                    args=(receiver, sorted(queue, key=_rank), secrets, known, now, results),
                    name="notice",
                    daemon=True,
                )
                self._at_work[receiver] = work
                started.append(work)
        for work in started:
            work.start()
        return started

    def _deliver_all(
        self,
        receiver: str,
        queue: list[dict[str, Any]],
        secrets: Secrets,
        known: Records,
        now: float,
        results: list[int],
    ) -> None:
        """Deliver the notices of one receiver until the first failure."""
        try:
            with self.sender.mail_connection() as mail:
                for notice in queue[:BATCH]:
                    if self._closing.is_set():
                        return
                    delivery = self._deliver(notice, secrets, known, mail)
                    results.append(1)
                    self._store(notice, delivery, now)
                    if delivery.error:
                        return
        except StoreError as error:
            log.error("notices: %s", error)
        finally:
            with self._lock:
                self._at_work.pop(receiver, None)

    def _store(self, notice: dict[str, Any], delivery: Delivery, now: float) -> None:
        tries, error = notice["tries"] + 1, delivery.error
        is_last = tries >= TRIES_MAX or delivery.is_final
        state = "delivered" if not error else "given up" if is_last else "waiting"
        if error:
            log.warning("notice to %s: %s (attempt %d of %d)", masked_url(notice["target"]), error, tries, TRIES_MAX)
        with self._database.write() as connection:
            db = raw(connection)
            notices.set_delivery(db, notice, state, tries, now + pause_s(tries), error)
            if delivery.is_unsubscribed and notice["recipient"] is not None:
                recipients.disable(db, notice["recipient"])

    def _deliver(self, notice: dict[str, Any], secrets: Secrets, known: Records, mail: MailConnection | None) -> Delivery:
        """Deliver a notice."""
        try:
            recipient = _recipient(notice, secrets, known)
            return self.sender.send(recipient, notice_of(json.loads(notice["body"]), self.sender.site), mail=mail)
        except DATA_FAULTS as error:
            return Delivery(fault_text(error))


def _recipient(notice: dict[str, Any], secrets: Secrets, known: Records) -> Recipient:
    """The recipient of a stored notice.

    Raises:
        LookupError: it was deleted meanwhile.
    """
    if notice["recipient"] is not None:
        return recipients.recipient_of(known[notice["recipient"]])
    target: str = notice["target"]
    if target.startswith("mailto:"):
        return Recipient(0, target, "email", emails=(target.removeprefix("mailto:"),))
    return Recipient(0, target, "webhook", url=target, secret=secrets.get((notice["rule"], target), ""))


def _rank(notice: dict[str, Any]) -> int:
    rank: int = notice["rank"]
    return rank


def _secrets(rules: list[dict[str, Any]]) -> Secrets:
    return {
        (record["id"], hook["url"]): hook.get("secret", "") for record in rules for hook in record["rule"].get("webhooks", [])
    }


def _receiver(notice: dict[str, Any], known: Records) -> str:
    """The receiver of a notice: "mailto" for all mail; a recipient of another kind; scheme and host of a rule's webhook. A target
    that is no URL is its own."""
    number, target = notice["recipient"], notice["target"]
    if number is not None:
        return "mailto" if number in known and known[number]["kind"] == "email" else f"recipient {number}"
    try:
        parts = urlsplit(target)
    except ValueError:
        return str(target)
    return parts.scheme if parts.scheme == "mailto" else f"{parts.scheme}://{parts.netloc}"
