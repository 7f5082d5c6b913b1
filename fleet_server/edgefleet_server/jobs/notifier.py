"""Delivers notices to webhooks and mail addresses, on a separate thread, because receivers may be slow.

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

from edgefleet_server.core.errors import InputError, StoreError
from edgefleet_server.core.spans import SPANS
from edgefleet_server.db.backend.engine import Database, raw
from edgefleet_server.db.telemetry import alerts
from edgefleet_server.domain.fleet.webhook_signing import SIGNATURE_HEADER, TRIES_MAX, pause_s, signature

BATCH: Final = 20
TURN_S: Final = 2.0
TIMEOUT_S: Final = 10.0
CLOSE_S: Final = 2.0
"""Time for which `close` waits for a slow receiver; the notice is retried after the next start."""

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

    def send(self, to: str, subject: str, text: str) -> None:
        """Send one message.

        Raises:
            OSError, smtplib.SMTPException: the mail server did not accept it.
        """
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = self._sender, to, subject
        message.set_content(text)
        with self._connect() as server:
            if self._scheme == "smtp+starttls":
                server.starttls(context=ssl.create_default_context())
            if self._user:
                server.login(self._user, self._password)
            server.send_message(message)

    def _connect(self) -> smtplib.SMTP:
        if self._scheme == "smtps":
            return smtplib.SMTP_SSL(self._host, self._port, timeout=TIMEOUT_S, context=ssl.create_default_context())
        return smtplib.SMTP(self._host, self._port, timeout=TIMEOUT_S)


class Notifier:
    """The delivery thread. `mailer` may be replaced; None: mail cannot be sent, and mail notices fail with an error that says
    so."""

    def __init__(self, database: Database, mailer: Mailer | None) -> None:
        self._database = database
        self.mailer = mailer
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="notices", daemon=True)
        self._http = httpx.Client(timeout=TIMEOUT_S, follow_redirects=False)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def close(self) -> None:
        """Stop after the current delivery."""
        self._closing.set()
        if self._thread.is_alive():
            self._thread.join(CLOSE_S)
        if not self._thread.is_alive():
            self._http.close()

    def turn(self, now: float) -> int:
        """Deliver the due notices; returns the number of tries.

        Raises:
            StoreError: the database refuses.
        """
        with self._database.read() as connection:
            db = raw(connection)
            waiting = alerts.due(db, now, BATCH)
            secrets = _secrets(alerts.rules(db)) if waiting else {}
        for notice in waiting:
            if self._closing.is_set():
                break
            error = self._deliver(notice, secrets)
            tries = notice["tries"] + 1
            state = "delivered" if not error else "given up" if tries >= TRIES_MAX else "waiting"
            if error:
                log.warning("notice to %s: %s (attempt %d of %d)", _public(notice["target"]), error, tries, TRIES_MAX)
            with self._database.write() as connection:
                alerts.set_delivery(raw(connection), notice["id"], state, tries, now + pause_s(tries), error)
        return len(waiting)

    def _run(self) -> None:
        while not self._closing.wait(TURN_S):
            self._empty()

    def _empty(self) -> None:
        try:
            while self.turn(time.time()) == BATCH and not self._closing.is_set():
                pass
        except StoreError as error:
            log.error("notices: %s", error)

    def _deliver(self, notice: dict[str, Any], secrets: Secrets) -> str:
        """Deliver a notice; returns the error, empty on success."""
        target: str = notice["target"]
        try:
            if target.startswith("mailto:"):
                return self._mail(target.removeprefix("mailto:"), json.loads(notice["body"]))
            return self._post(target, notice["body"].encode(), secrets.get((notice["rule"], target), ""))
        except (OSError, smtplib.SMTPException, httpx.HTTPError, httpx.InvalidURL) as error:
            return str(error) or type(error).__name__

    def _post(self, url: str, body: bytes, secret: str) -> str:
        headers = {"Content-Type": "application/json", "User-Agent": "edgefleet"}
        if secret:
            headers[SIGNATURE_HEADER] = signature(secret, int(time.time()), body)
        with SPANS.span("notice.post") as span:
            answer = self._http.post(url, content=body, headers={**headers, **SPANS.traceparent()})
            if span is not None:
                span.set_attribute("http.response.status_code", answer.status_code)
        return "" if answer.is_success else f"the webhook returned status {answer.status_code}"

    def _mail(self, to: str, alert: dict[str, Any]) -> str:
        mailer = self.mailer
        if mailer is None:
            return "no mail server is configured; set one on the Settings page or with --smtp"
        subject = f"[edgefleet] {alert['rule_name']}: {alert['subject']} {alert['what']}"
        began = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(alert["began_at"]))
        text = f"{alert['subject']}: {alert['text']}\n\nsince {began}\nseverity {alert['severity']}, alert {alert['id']}\n"
        mailer.send(to, subject.replace("\n", " ")[:200], text)
        return ""


Secrets = dict[tuple[int, str], str]
"""Secrets of webhooks, by rule and URL."""


def _secrets(rules: list[dict[str, Any]]) -> Secrets:
    return {
        (record["id"], hook["url"]): hook.get("secret", "") for record in rules for hook in record["rule"].get("webhooks", [])
    }


def _public_url(parts: SplitResult) -> str:
    """An address without user and password."""
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"


def _public(target: str) -> str:
    """A target without its query, which may contain secrets."""
    return target.partition("?")[0]
