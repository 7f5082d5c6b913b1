"""Sends one notice to one recipient."""

from __future__ import annotations

import os
import smtplib
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

import httpx
from cryptography.hazmat.primitives.asymmetric import ec

from edgefleet_contract.core.fault_text import fault_text
from edgefleet_server.core.item_faults import DATA_FAULTS
from edgefleet_server.core.settings import Settings
from edgefleet_server.core.spans import SPANS
from edgefleet_server.domain.notices.formats import NoticeRequest, requests_of
from edgefleet_server.domain.notices.mail import message_of
from edgefleet_server.domain.notices.notice import Notice
from edgefleet_server.domain.notices.recipients import TITLES, Recipient
from edgefleet_server.domain.notices.web_push import SALT_BYTES, ServerKey, push_request
from edgefleet_server.domain.policy.hidden_secrets import HIDDEN, text_without_secrets
from edgefleet_server.jobs.notices.delivery_deadline import DeliveryDeadline
from edgefleet_server.jobs.notices.mailer import TIMEOUT_S, MailConnection, Mailer, mailer_of

DELIVERY_S: Final = 30.0
"""Time for a whole delivery."""
TEST_S: Final = 15.0
"""Time for that of a test, for which a person waits."""
REASON_BYTES: Final = 300
"""Bytes of a refusal that are read: the rest has no limit."""
ENDED: Final = frozenset({404, 410})
"""Answers of a push service for a subscription that has ended."""
PUSH_KEY_SEED: Final = "web push"
"""Name of the shared secret that the key for push services is made of."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """The result. `error`: empty on success. `is_final`: another try would not help. `is_unsubscribed`: the recipient does not
    exist any more."""

    error: str = ""
    is_final: bool = False
    is_unsubscribed: bool = False


class NoticeSender:
    """Sends notices; used by several threads at once. `mailer`: None: mail cannot be sent, and the error says so. `site`: address
    of the dashboard for links; empty: notices have none."""

    def __init__(self, push_secret: str, mailer: Mailer | None = None, site: str = "") -> None:
        self.mailer = mailer
        self.site = site
        self.push_key = ServerKey(push_secret)
        self._contact = "mailto:edgefleet@localhost"
        self._http = httpx.Client(timeout=TIMEOUT_S, follow_redirects=False, limits=httpx.Limits(max_keepalive_connections=0))

    def adopt(self, settings: Settings) -> None:
        """Use the mail server, sender and address of these settings from now on."""
        self.mailer = mailer_of(settings)
        self.site = settings.public_url
        self._contact = settings.public_url if settings.public_url.startswith("https://") else f"mailto:{settings.mail_from}"

    @contextmanager
    def mail_connection(self) -> Iterator[MailConnection | None]:
        """One connection to the mail server for several calls of `send`; None: no mail server is configured."""
        if self.mailer is None:
            yield None
            return
        with self.mailer.connection() as connection:
            yield connection

    def send(
        self, recipient: Recipient, notice: Notice, limit_s: float | None = None, mail: MailConnection | None = None
    ) -> Delivery:
        """Send a notice within `limit_s` (None = `DELIVERY_S`). mail: connection for mails; None = one of its own."""
        limit_s = DELIVERY_S if limit_s is None else limit_s
        with DeliveryDeadline(limit_s) as deadline:
            try:
                if recipient.kind == "email":
                    return self._mail(recipient, notice, deadline, mail)
                for request in self._requests(recipient, notice):
                    if (delivery := self._post(recipient, request, deadline)).error:
                        return delivery
            except (OSError, smtplib.SMTPException, httpx.HTTPError, httpx.InvalidURL, *DATA_FAULTS) as error:
                if deadline.expired:
                    return Delivery(f"no complete answer within {limit_s:.0f} s; check the receiver")
                return Delivery(_without_secret(recipient, _text_of(error)))
        return Delivery()

    def _requests(self, recipient: Recipient, notice: Notice) -> list[NoticeRequest]:
        now = time.time()
        if recipient.kind != "push":
            return requests_of(recipient, notice, now)
        once = (ec.generate_private_key(ec.SECP256R1()), os.urandom(SALT_BYTES))
        return [push_request(recipient, notice, self.push_key, self._contact, now, once)]

    def _post(self, recipient: Recipient, request: NoticeRequest, deadline: DeliveryDeadline) -> Delivery:
        headers = {"User-Agent": "edgefleet", "Accept-Encoding": "identity", **request.headers}
        with SPANS.span("notice.post") as span:
            headers |= SPANS.traceparent()
            watched = {"trace": deadline.trace}
            with self._http.stream("POST", request.url, content=request.body, headers=headers, extensions=watched) as answer:
                status, reason = answer.status_code, ""
                if not answer.is_success and recipient.kind != "webhook":
                    reason = _reason(answer)
            if span is not None:
                span.set_attribute("http.response.status_code", status)
        if answer.is_success:
            return Delivery()
        if recipient.kind == "push" and status in ENDED:
            return Delivery(
                "the browser does not take notices any more; subscribe again in it", is_final=True, is_unsubscribed=True
            )
        who = "the webhook" if recipient.kind == "webhook" else TITLES[recipient.kind]
        return Delivery(_without_secret(recipient, f"{who} returned status {status}{f': {reason}' if reason else ''}"))

    def _mail(self, recipient: Recipient, notice: Notice, deadline: DeliveryDeadline, mail: MailConnection | None) -> Delivery:
        mailer = self.mailer
        if mailer is None:
            return Delivery("no mail server is configured; set one on the Settings page or with --smtp")
        message = message_of(notice, mailer.sender, recipient.emails, time.time(), uuid.uuid4().hex)
        refused = (mail or mailer).send(message, deadline)
        # The others have it: another try would send it to them again.
        return Delivery(f"the mail server refused {', '.join(refused)}", is_final=True) if refused else Delivery()


def _text_of(error: Exception) -> str:
    """The text of an error. Of an answer that is not HTTP the library names the request line of a server."""
    text = fault_text(error)
    is_garbage = isinstance(error, httpx.RemoteProtocolError) and "disconnected" not in text
    return "the answer is not HTTP; check the address of the receiver" if is_garbage else text


def _reason(answer: httpx.Response) -> str:
    """The beginning of the text in which a service says why it refuses."""
    data = b""
    for part in answer.iter_raw():
        data += part
        if len(data) >= REASON_BYTES:
            break
    text = data[:REASON_BYTES].decode(errors="replace")
    return " ".join("".join(character if character.isprintable() else " " for character in text).split())


def _without_secret(recipient: Recipient, text: str) -> str:
    if recipient.secret:
        text = text.replace(recipient.secret, HIDDEN)
    return text_without_secrets(text)
