"""The mail server."""

from __future__ import annotations

import contextlib
import smtplib
import ssl
from email.message import EmailMessage
from types import TracebackType
from typing import Final
from urllib.parse import SplitResult, unquote, urlsplit

from edgefleet_server.core.errors import InputError
from edgefleet_server.core.settings import Settings
from edgefleet_server.jobs.notices.delivery_deadline import DeliveryDeadline, WatchedSmtp, WatchedSmtps

TIMEOUT_S: Final = 10.0
"""Time without progress."""
RSET_DONE: Final = 250


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
        self.sender = sender

    def send(self, message: EmailMessage, deadline: DeliveryDeadline) -> list[str]:
        """Send a message before `deadline`; returns the addresses that the server refused while it took others.

        Raises:
            OSError, smtplib.SMTPException: the mail server did not accept it.
        """
        with self.connection() as connection:
            return connection.send(message, deadline)

    def connection(self) -> MailConnection:
        """A connection for several messages, which is made for the first of them."""
        return MailConnection(self)

    def signed_in(self, deadline: DeliveryDeadline) -> smtplib.SMTP:
        """Connect to the server, and sign in.

        Raises:
            OSError, smtplib.SMTPException: it does not answer, or refuses.
        """
        server = self._connect(deadline)
        try:
            if self._scheme == "smtp+starttls":
                server.starttls(context=ssl.create_default_context())
            if self._user:
                server.login(self._user, self._password)
        except (OSError, smtplib.SMTPException):
            server.close()
            raise
        return server

    def _connect(self, deadline: DeliveryDeadline) -> smtplib.SMTP:
        if self._scheme == "smtps":
            context = ssl.create_default_context()
            return WatchedSmtps(deadline, host=self._host, port=self._port, timeout=TIMEOUT_S, context=context)
        return WatchedSmtp(deadline, host=self._host, port=self._port, timeout=TIMEOUT_S)


class MailConnection:
    """A context: sends messages one after another over one connection. Not thread-safe."""

    def __init__(self, mailer: Mailer) -> None:
        self._mailer = mailer
        self._server: smtplib.SMTP | None = None

    def __enter__(self) -> MailConnection:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._server is None:
            return
        with contextlib.suppress(OSError, smtplib.SMTPException):  # the messages are sent
            self._server.quit()
        self._close()

    def send(self, message: EmailMessage, deadline: DeliveryDeadline) -> list[str]:
        """Send a message before `deadline`; returns the addresses that the server refused while it took others.

        Raises:
            OSError, smtplib.SMTPException: the mail server did not accept it.
        """
        server = self._ready(deadline)
        try:
            return sorted(server.send_message(message))
        except (OSError, smtplib.SMTPException):
            self._close()
            raise

    def _ready(self, deadline: DeliveryDeadline) -> smtplib.SMTP:
        """The connection, made anew if the server has ended it meanwhile or takes no more messages on it."""
        if self._server is not None and self._server.sock is not None:
            deadline.watch(self._server.sock)
            with contextlib.suppress(OSError, smtplib.SMTPException):
                if self._server.rset()[0] == RSET_DONE:
                    return self._server
        self._close()
        self._server = self._mailer.signed_in(deadline)
        return self._server

    def _close(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None


def mailer_of(settings: Settings) -> Mailer | None:
    """The mail server of the settings; None without one.

    Raises:
        InputError: its address is not valid.
    """
    return Mailer(settings.smtp_url, settings.mail_from) if settings.smtp_url else None


def _public_url(parts: SplitResult) -> str:
    """An address without user and password."""
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
