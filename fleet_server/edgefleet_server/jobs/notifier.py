"""Delivers notices to webhooks and mail addresses, each receiver on a thread of its own: one that is slow or dead delays no
other. The mail server is one receiver.

A notice stays in the database until it is delivered, or given up after its last try (`domain.fleet.webhook_signing.pause_s`).
Delivery is at least once: after a crash between delivery and its record, a notice is sent again; receivers deduplicate by the
alert's id.
"""

from __future__ import annotations

import json
import logging
import smtplib
import ssl
import threading
import time
from email.message import EmailMessage
from typing import Any, Final
from urllib.parse import SplitResult, unquote, urlsplit

import httpx

from edgefleet_contract.core.fault_text import fault_text
from edgefleet_server.core.errors import InputError, StoreError
from edgefleet_server.core.spans import SPANS
from edgefleet_server.db.backend.engine import Database, raw
from edgefleet_server.db.telemetry import alerts
from edgefleet_server.domain.fleet.webhook_signing import SIGNATURE_HEADER, TRIES_MAX, pause_s, signature
from edgefleet_server.jobs.delivery_deadline import DeliveryDeadline, WatchedSmtp, WatchedSmtps
from edgefleet_server.jobs.item_faults import DATA_FAULTS

BATCH: Final = 20
RECEIVERS_MAX: Final = 32
"""Limits of a turn: notices of one receiver, and receivers at work at once."""
TURN_S: Final = 2.0
TIMEOUT_S: Final = 10.0
"""Time without progress."""
DELIVERY_S: Final = 30.0
"""Time for a whole delivery."""
CLOSE_S: Final = 2.0
"""Time for which `close` waits for a slow receiver; the notice is retried after the next start."""

Secrets = dict[tuple[int, str], str]
"""Secrets of webhooks, by rule and URL."""

log = logging.getLogger(__name__)


class Mailer:
    """Sends mail through one server: `smtp://[user:password@]host[:port]`, `smtps://…`, or `smtp+starttls://…`."""

    def __init__(self, url: str, sender: str) -> None:
        """Parse the URL of the mail server.

        Raises:
            InputError: it is not such a URL.
        """
        parts = urlsplit(url)
        if parts.scheme not in ("smtp", "smtps", "smtp+starttls") or not parts.hostname:
            raise InputError(
                f"mail server {_public_url(parts)!r}: must be smtp://host:25, smtp+starttls://user:password@host:587 or smtps://host:465"
            )
        self._scheme, self._host = parts.scheme, parts.hostname
        self._port = parts.port or {"smtp": 25, "smtps": 465, "smtp+starttls": 587}[parts.scheme]
        self._user, self._password = unquote(parts.username or ""), unquote(parts.password or "")
        self._sender = sender

    def send(self, to: str, subject: str, text: str, deadline: DeliveryDeadline) -> None:
        """Send one message before `deadline`.

        Raises:
            OSError, smtplib.SMTPException: the mail server did not accept it.
        """
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = self._sender, to, subject
        message.set_content(text)
        with self._connect(deadline) as server:
            if self._scheme == "smtp+starttls":
                server.starttls(context=ssl.create_default_context())
            if self._user:
                server.login(self._user, self._password)
            server.send_message(message)

    def _connect(self, deadline: DeliveryDeadline) -> smtplib.SMTP:
        where = {"host": self._host, "port": self._port, "timeout": TIMEOUT_S}
        if self._scheme == "smtps":
            return WatchedSmtps(deadline, **where, context=ssl.create_default_context())
        return WatchedSmtp(deadline, **where)


class Notifier:
    """The delivery threads. `mailer` may be replaced; None: mail cannot be sent, and mail notices fail with an error that says
    so."""

    def __init__(self, database: Database, mailer: Mailer | None) -> None:
        self._database = database
        self.mailer = mailer
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="notices", daemon=True)
        self._lock = threading.Lock()
        self._at_work: dict[str, threading.Thread] = {}
        self._http = httpx.Client(timeout=TIMEOUT_S, follow_redirects=False, limits=httpx.Limits(max_keepalive_connections=0))

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
        if not any(thread.is_alive() for thread in threads):
            self._http.close()

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
            waiting = alerts.due(db, now, BATCH, BATCH * RECEIVERS_MAX)
            secrets = _secrets(alerts.rules(db)) if waiting else {}
        queues: dict[str, list[dict[str, Any]]] = {}
        for notice in waiting:
            queues.setdefault(_receiver(notice["target"]), []).append(notice)
        started = []
        with self._lock:
            for receiver, notices in queues.items():
                if receiver in self._at_work or len(self._at_work) >= RECEIVERS_MAX:
                    continue
                work = threading.Thread(
                    target=self._deliver_all, args=(receiver, notices, secrets, now, results), name="notice", daemon=True
                )
                self._at_work[receiver] = work
                started.append(work)
        for work in started:
            work.start()
        return started

    def _deliver_all(
        self, receiver: str, notices: list[dict[str, Any]], secrets: Secrets, now: float, results: list[int]
    ) -> None:
        """Deliver the notices of one receiver until the first failure."""
        try:
            for notice in notices[:BATCH]:
                if self._closing.is_set():
                    return
                error = self._deliver(notice, secrets)
                results.append(1)
                self._store(notice, error, now)
                if error:
                    return
        except StoreError as error:
            log.error("notices: %s", error)
        finally:
            with self._lock:
                self._at_work.pop(receiver, None)

    def _store(self, notice: dict[str, Any], error: str, now: float) -> None:
        tries = notice["tries"] + 1
        state = "delivered" if not error else "given up" if tries >= TRIES_MAX else "waiting"
        if error:
            log.warning("notice to %s: %s (attempt %d of %d)", _public(notice["target"]), error, tries, TRIES_MAX)
        with self._database.write() as connection:
            alerts.set_delivery(raw(connection), notice["id"], state, tries, now + pause_s(tries), error)

    def _deliver(self, notice: dict[str, Any], secrets: Secrets) -> str:
        """Deliver a notice; returns the error, empty on success."""
        target: str = notice["target"]
        with DeliveryDeadline(DELIVERY_S) as deadline:
            try:
                if target.startswith("mailto:"):
                    return self._mail(target.removeprefix("mailto:"), json.loads(notice["body"]), deadline)
                return self._post(target, notice["body"].encode(), secrets.get((notice["rule"], target), ""), deadline)
            except (OSError, smtplib.SMTPException, httpx.HTTPError, httpx.InvalidURL, *DATA_FAULTS) as error:
                if deadline.expired:
                    return f"no complete answer within {DELIVERY_S:.0f} s; check the receiver"
                return fault_text(error)

    def _post(self, url: str, body: bytes, secret: str, deadline: DeliveryDeadline) -> str:
        headers = {"Content-Type": "application/json", "User-Agent": "edgefleet"}
        if secret:
            headers[SIGNATURE_HEADER] = signature(secret, int(time.time()), body)
        with SPANS.span("notice.post") as span:
            headers |= SPANS.traceparent()
            watched = {"trace": deadline.trace}
            with self._http.stream("POST", url, content=body, headers=headers, extensions=watched) as answer:
                pass  # the body of the response is not read: it has no limit
            if span is not None:
                span.set_attribute("http.response.status_code", answer.status_code)
        return "" if answer.is_success else f"the webhook returned status {answer.status_code}"

    def _mail(self, to: str, alert: dict[str, Any], deadline: DeliveryDeadline) -> str:
        mailer = self.mailer
        if mailer is None:
            return "no mail server is configured; set one on the Settings page or with --smtp"
        subject = f"[edgefleet] {alert['rule_name']}: {alert['subject']} {alert['what']}"
        began = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(alert["began_at"]))
        text = f"{alert['subject']}: {alert['text']}\n\nsince {began}\nseverity {alert['severity']}, alert {alert['id']}\n"
        mailer.send(to, subject.replace("\n", " ")[:200], text, deadline)
        return ""


def _secrets(rules: list[dict[str, Any]]) -> Secrets:
    return {
        (record["id"], hook["url"]): hook.get("secret", "") for record in rules for hook in record["rule"].get("webhooks", [])
    }


def _receiver(target: str) -> str:
    """The receiver of a target: scheme and host of a webhook, "mailto" for all mail. A target that is no URL is its own."""
    try:
        parts = urlsplit(target)
    except ValueError:
        return target
    return parts.scheme if parts.scheme == "mailto" else f"{parts.scheme}://{parts.netloc}"


def _public_url(parts: SplitResult) -> str:
    """An address without user and password."""
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"


def _public(target: str) -> str:
    """A target without its query, which may contain secrets."""
    return target.partition("?")[0]
