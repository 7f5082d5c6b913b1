"""Stand-ins for the services that get notices: real servers that refuse what the documents of the real ones do not allow."""

from __future__ import annotations

import base64
import json
import os
import re
import ssl
import struct
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.handlers import Message as MailboxHandler
from aiosmtpd.smtp import AuthResult, LoginPassword
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from edgefleet_server.domain.fleet.webhook_signing import SIGNATURE_HEADER, verify

Answer = tuple[int, bytes]
Check = Callable[[str, Mapping[str, str], bytes], Answer]
"""(path, headers in lower case, body) → the service's answer"""


@dataclass
class StandIn:
    """An HTTP server that answers as `check` does. `got`: (path, headers, body) of what it took."""

    check: Check
    url: str = ""
    got: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)

    def json(self) -> list[Any]:
        return [json.loads(body) for _, _, body in self.got]


@contextmanager
def serving(check: Check) -> Iterator[StandIn]:
    found = StandIn(check)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def handle(self) -> None:
            with suppress(ConnectionError):  # a client may reset a connection that it no longer needs
                super().handle()

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            try:
                status, text = found.check(self.path, headers, body)
            except (AssertionError, KeyError, ValueError) as error:
                status, text = 400, f"{type(error).__name__}: {error}".encode()
            if status < 300:
                found.got.append((self.path, headers, body))
            else:
                found.refused.append(text.decode(errors="replace"))
            self.send_response(status)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *_: Any) -> None:
            """Quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    found.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield found
    finally:
        server.shutdown()
        server.server_close()


def keys(value: Mapping[str, Any], needed: set[str], possible: set[str] | None = None) -> None:
    """Only the fields of the document."""
    given = set(value)
    assert needed <= given, f"missing {needed - given}"
    assert given <= needed | (possible or set()), f"unknown {given - needed - (possible or set())}"


def slack(path: str, headers: Mapping[str, str], body: bytes) -> Answer:
    """An incoming webhook: `text`, and blocks of the kinds that it may have, within their limits."""
    if path != "/services/T0/B0/s3cret":
        return 404, b"no_service"
    assert headers["content-type"] == "application/json"
    message = json.loads(body)
    keys(message, {"text", "blocks"})
    assert 0 < len(message["text"]) <= 40_000
    assert len(message["blocks"]) <= 50
    for block in message["blocks"]:
        if block["type"] == "section":
            keys(block, {"type", "text"})
            texts, limit = [block["text"]], 3_000
        else:
            assert block["type"] == "context"
            keys(block, {"type", "elements"})
            assert 0 < len(block["elements"]) <= 10
            texts, limit = block["elements"], 3_000
        for text in texts:
            keys(text, {"type", "text"})
            assert text["type"] == "mrkdwn"
            assert 0 < len(text["text"]) <= limit
            links = re.sub(r"<https?://[^|>]+\|[^<>]*>", "", text["text"])
            assert not re.search(r"[<>]|&(?!amp;|lt;|gt;)", links), "a character with a meaning is not escaped"
    return 200, b"ok"


def teams(path: str, headers: Mapping[str, str], body: bytes) -> Answer:
    """A workflow for webhook requests: a message with one adaptive card, at most 28 KB."""
    if path != "/workflows/9/triggers/manual/paths/invoke?sig=s3cret":
        return 401, b'{"error": {"code": "DirectApiAuthorizationRequired"}}'
    assert headers["content-type"] == "application/json"
    assert len(body) <= 28 * 1024
    message = json.loads(body)
    keys(message, {"type", "attachments"})
    assert message["type"] == "message"
    (attachment,) = message["attachments"]
    keys(attachment, {"contentType", "contentUrl", "content"})
    assert attachment["contentType"] == "application/vnd.microsoft.card.adaptive"
    assert attachment["contentUrl"] is None
    card = attachment["content"]
    keys(card, {"$schema", "type", "version", "body"}, {"actions"})
    assert (card["$schema"], card["type"]) == ("http://adaptivecards.io/schemas/adaptive-card.json", "AdaptiveCard")
    assert tuple(map(int, card["version"].split("."))) <= (1, 5)
    for element in card["body"]:
        if element["type"] == "TextBlock":
            keys(element, {"type", "text"}, {"weight", "size", "color", "wrap"})
            assert element.get("color", "Default") in {"Default", "Dark", "Light", "Accent", "Good", "Warning", "Attention"}
        else:
            assert element["type"] == "FactSet"
            for fact in element["facts"]:
                keys(fact, {"title", "value"})
    for action in card.get("actions", []):
        keys(action, {"type", "title", "url"})
        assert action["type"] == "Action.OpenUrl"
    return 202, b""


ROUTING_KEY = "0123456789abcdef0123456789ABCDEF"
WEBHOOK_SECRET = "shared"
ALERT_FIELDS = {
    "what", "id", "rule", "rule_name", "severity", "subject", "device", "pipeline", "rollout", "text", "value", "began_at",
    "ended_at", "acknowledged_at", "acknowledged_by",
}  # fmt: skip


def webhook(path: str, headers: Mapping[str, str], body: bytes) -> Answer:
    """A receiver as docs/server.md has it: the alert as JSON, signed."""
    assert path == "/hook"
    assert headers["content-type"] == "application/json"
    if not verify(WEBHOOK_SECRET, headers[SIGNATURE_HEADER.lower()], body, time.time()):
        return 401, b"not signed"
    alert = json.loads(body)
    keys(alert, ALERT_FIELDS)
    assert alert["what"] in {"began", "ended", "test", "summary"}
    assert alert["severity"] in {"info", "warning", "critical"}
    return 204, b""


def pagerduty(path: str, headers: Mapping[str, str], body: bytes) -> Answer:
    """Events API v2."""
    assert path == "/v2/enqueue"
    assert headers["content-type"] == "application/json"
    event = json.loads(body)
    if event.get("routing_key") != ROUTING_KEY:
        answer = {"status": "invalid event", "message": "Event object is invalid", "errors": [f"bad key {event['routing_key']}"]}
        return 400, json.dumps(answer).encode()
    assert 0 < len(event["dedup_key"]) <= 255
    if event["event_action"] == "trigger":
        keys(event, {"routing_key", "event_action", "dedup_key", "payload"}, {"client", "client_url", "links", "images"})
        payload = event["payload"]
        optional = {"timestamp", "component", "group", "class", "custom_details"}
        keys(payload, {"summary", "source", "severity"}, optional)
        assert 0 < len(payload["summary"]) <= 1024
        assert payload["source"]
        assert payload["severity"] in {"critical", "error", "warning", "info"}
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d", payload["timestamp"])
        for link in event.get("links", []):
            keys(link, {"href"}, {"text"})
    else:
        assert event["event_action"] in {"acknowledge", "resolve"}
        keys(event, {"routing_key", "event_action", "dedup_key"})
    return 202, json.dumps({"status": "success", "message": "Event processed", "dedup_key": event["dedup_key"]}).encode()


def ntfy(path: str, headers: Mapping[str, str], body: bytes) -> Answer:
    """Publishing as JSON."""
    assert path == "/"
    if headers.get("authorization") != "Bearer tk_s3cret":
        return 403, b'{"code":40301,"http":403,"error":"forbidden"}'
    message = json.loads(body)
    optional = {"message", "title", "tags", "priority", "actions", "click", "attach", "markdown", "icon", "filename", "delay"}
    keys(message, {"topic"}, optional)
    assert re.fullmatch(r"[-_A-Za-z0-9]{1,64}", message["topic"])
    assert len(message["message"].encode()) <= 4096
    assert isinstance(message["priority"], int)
    assert 1 <= message["priority"] <= 5
    assert all(isinstance(tag, str) for tag in message["tags"])
    return 200, b'{"id":"x","event":"message"}'


class Browser:
    """A browser with a subscription at a push service, which is `serving(browser.push)`."""

    def __init__(self, server_key: str) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._auth = os.urandom(16)
        self._server_key = server_key
        self.service = ""
        self.is_subscribed = True
        point = self._key.public_key().public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
        self.key, self.secret, self._point = text_of(point), text_of(self._auth), point
        self.notices: list[dict[str, Any]] = []

    def push(self, path: str, headers: Mapping[str, str], body: bytes) -> Answer:
        """A push service (RFC 8030) that checks the server's identification (RFC 8292) and gives the message to the browser."""
        if not self.is_subscribed:
            return 410, b"gone"
        assert path == "/send/one"
        assert headers["content-encoding"] == "aes128gcm"
        assert int(headers["ttl"]) >= 0
        assert headers["urgency"] in {"very-low", "low", "normal", "high"}
        assert re.fullmatch(r"[A-Za-z0-9_-]{1,32}", headers["topic"])
        found = re.fullmatch(r"vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)", headers["authorization"])
        assert found, headers["authorization"]
        head, claims, signature, key = found.groups()
        assert key == self._server_key, "subscribed for another server"
        assert json.loads(bytes_of(head)) == {"typ": "JWT", "alg": "ES256"}
        signed = bytes_of(signature)
        assert len(signed) == 64
        halves = (int.from_bytes(signed[:32], "big"), int.from_bytes(signed[32:], "big"))
        public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), bytes_of(key))
        public.verify(encode_dss_signature(*halves), f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
        claim = json.loads(bytes_of(claims))
        assert claim["aud"] == self.service
        assert claim["sub"].startswith(("mailto:", "https://"))
        self.notices.append(json.loads(self.read(body)))
        return 201, b""

    def read(self, body: bytes) -> bytes:
        """Decrypt a message (RFC 8188 and 8291)."""
        assert len(body) <= 4096
        salt, (size, length) = body[:16], struct.unpack("!IB", body[16:21])
        server, sealed = body[21 : 21 + length], body[21 + length :]
        assert size >= len(sealed)
        shared = self._key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), server))
        secret = HKDF(hashes.SHA256(), 32, self._auth, b"WebPush: info\0" + self._point + server).derive(shared)
        content_key = HKDF(hashes.SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(secret)
        nonce = HKDF(hashes.SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(secret)
        plain = AESGCM(content_key).decrypt(nonce, sealed, None).rstrip(b"\0")
        assert plain.endswith(b"\x02"), "not the last record"
        return plain[:-1]


def text_of(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def bytes_of(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Mailbox(MailboxHandler):
    """The mails that a mail server took; it refuses those to `refused`."""

    def __init__(self, refused: str = "") -> None:
        super().__init__()
        self.got: list[Message] = []
        self.sign_ins: list[tuple[bytes, bytes]] = []
        self._refused = refused

    def handle_message(self, message: Message) -> None:
        self.got.append(message)

    async def handle_RCPT(  # noqa: N802 (the server's word)
        self, _server: Any, _session: Any, envelope: Any, address: str, _options: Any
    ) -> str:
        if address == self._refused:
            return "550 5.1.1 no such user"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    def sign_in(self, _server: Any, _session: Any, _envelope: Any, _mechanism: str, data: Any) -> AuthResult:
        assert isinstance(data, LoginPassword)
        self.sign_ins.append((data.login, data.password))
        return AuthResult(success=data.password == b"p@ss:word")


@contextmanager
def mail_server(
    mailbox: Mailbox, port: int, certificate: tuple[Path, Path] | None = None, *, starttls: bool = False
) -> Iterator[None]:
    """A mail server: in the clear, with STARTTLS and sign-in, or with TLS from the first byte."""
    context = None
    if certificate is not None:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(*certificate)
    options: dict[str, Any] = {"hostname": "127.0.0.1", "port": port}
    if context is not None and starttls:
        options |= {"tls_context": context, "require_starttls": True, "auth_required": True, "authenticator": mailbox.sign_in}
    elif context is not None:
        options |= {"ssl_context": context}
    controller = Controller(mailbox, **options)
    controller.start()
    try:
        yield
    finally:
        controller.stop()
