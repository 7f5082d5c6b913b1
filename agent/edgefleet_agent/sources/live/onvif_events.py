"""Motion events of a camera: ONVIF events by pull point (ONVIF Core Specification, chapter 9, real-time pull point).

CreatePullPointSubscription at the camera's event service gives an address of its own; PullMessages there waits for events, Renew
extends the subscription, Unsubscribe ends it. Authentication is WS-UsernameToken with a digest, which does not reveal the
password over plain HTTP. Written without the cameras' WSDL, which is large and often wrong.
"""

from __future__ import annotations

import base64
import hashlib
import http.client
import re
import secrets
import threading
from collections.abc import Callable
from datetime import datetime, timezone
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree as ET
from xml.sax.saxutils import escape

from edgefleet_agent.sources.base import faults_as_losses
from edgefleet_agent.sources.redact import redact
from edgefleet_contract.core.errors import UnavailableError
from edgefleet_contract.core.fault_text import fault_text

SUBSCRIPTION_S = 60
RENEW_INTERVAL_S = 25.0
PULL_TIMEOUT_S = 5
MESSAGES_MAX = 32
ANSWER_BYTES_MAX = 256 * 1024
PAUSES_S = (1.0, 2.0, 5.0, 15.0)
MOTION_ITEMS = ("IsMotion", "State", "IsInside", "IsPeople", "IsVehicle", "IsTamper", "LogicalState", "value")
"""Names of boolean items in events. Topics differ by vendor; any boolean under one of these names is used."""

_EVENTS = "http://www.onvif.org/ver10/events/wsdl"
_NOTIFY = "http://docs.oasis-open.org/wsn/b-2"
_ADDRESSING = "http://www.w3.org/2005/08/addressing"
_SECURITY = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss"
_ENVELOPE = (
    '<?xml version="1.0" encoding="UTF-8"?>'
    '<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope" xmlns:a="{addressing}" xmlns:e="{events}" xmlns:n="{notify}">'
    '<s:Header><a:Action s:mustUnderstand="1">{action}</a:Action><a:To s:mustUnderstand="1">{to}</a:To>{security}</s:Header>'
    "<s:Body>{body}</s:Body></s:Envelope>"
)
_ACTIONS = {
    "CreatePullPointSubscription": f"{_EVENTS}/EventPortType/CreatePullPointSubscriptionRequest",
    "PullMessages": f"{_EVENTS}/PullPointSubscription/PullMessagesRequest",
    "Renew": "http://docs.oasis-open.org/wsn/bw-2/SubscriptionManager/RenewRequest",
    "Unsubscribe": "http://docs.oasis-open.org/wsn/bw-2/SubscriptionManager/UnsubscribeRequest",
}


class PullPoint:
    """One subscription. url: the camera's event service, with user and password.

    Raises:
        UnavailableError: from every call: the camera does not answer, or refuses.
    """

    def __init__(self, url: str, timeout_s: float = PULL_TIMEOUT_S + 5.0) -> None:
        parts = urlsplit(url)
        self._user, self._password = unquote(parts.username or ""), unquote(parts.password or "")
        self._shown = redact(url)
        self._home = (parts.scheme, parts.hostname or "", parts.port)
        self._service = f"{parts.path or '/'}{f'?{parts.query}' if parts.query else ''}"
        self._timeout_s = timeout_s
        self._path = ""

    def subscribe(self) -> None:
        """Create the subscription."""
        life = f"<e:CreatePullPointSubscription><e:InitialTerminationTime>PT{SUBSCRIPTION_S}S</e:InitialTerminationTime>"
        answer = self._call("CreatePullPointSubscription", f"{life}</e:CreatePullPointSubscription>", self._service)
        address = answer.findtext(f".//{{{_EVENTS}}}SubscriptionReference/{{{_ADDRESSING}}}Address", "").strip()
        parts = urlsplit(address)
        if not parts.path:
            raise UnavailableError(f"{self._shown} provides no subscription; enable ONVIF events on the camera")
        # Behind a router a camera names an address that only it can reach: the path is used, with the host of `url`.
        self._path = f"{parts.path}{f'?{parts.query}' if parts.query else ''}"

    def pull(self) -> list[bool]:
        """Motion states that the camera reported since the last call, waiting `PULL_S` for them."""
        limits = f"<e:Timeout>PT{PULL_TIMEOUT_S}S</e:Timeout><e:MessageLimit>{MESSAGES_MAX}</e:MessageLimit>"
        answer = self._call("PullMessages", f"<e:PullMessages>{limits}</e:PullMessages>", self._path)
        states = (_motion(message) for message in answer.iter(f"{{{_NOTIFY}}}NotificationMessage"))
        return [state for state in states if state is not None]

    def renew(self) -> None:
        """Extend the subscription."""
        body = f"<n:Renew><n:TerminationTime>PT{SUBSCRIPTION_S}S</n:TerminationTime></n:Renew>"
        self._call("Renew", body, self._path)

    def unsubscribe(self) -> None:
        """End the subscription."""
        if self._path:
            self._call("Unsubscribe", "<n:Unsubscribe/>", self._path)
            self._path = ""

    def _call(self, action: str, body: str, path: str) -> ET.Element:
        scheme, host, port = self._home
        to = f"{scheme}://{host}{f':{port}' if port else ''}{path}"
        envelope = _ENVELOPE.format(
            addressing=_ADDRESSING,
            events=_EVENTS,
            notify=_NOTIFY,
            action=_ACTIONS[action],
            to=escape(to),
            security=self._token() if self._user else "",
            body=body,
        )
        make = http.client.HTTPSConnection if scheme == "https" else http.client.HTTPConnection
        connection = make(host, port, timeout=self._timeout_s)
        try:
            kind = f'application/soap+xml; charset=utf-8; action="{_ACTIONS[action]}"'
            connection.request("POST", path, envelope.encode(), {"Content-Type": kind})
            with connection.getresponse() as answer:
                status, data = answer.status, answer.read(ANSWER_BYTES_MAX + 1)
        except (OSError, http.client.HTTPException) as cause:
            raise UnavailableError(
                f"{self._shown} does not respond to {action} ({fault_text(cause)}); check the events URL"
            ) from cause
        finally:
            connection.close()
        return self._read(action, status, data)

    def _read(self, action: str, status: int, data: bytes) -> ET.Element:
        try:
            if len(data) > ANSWER_BYTES_MAX or b"<!DOCTYPE" in data:
                raise ET.ParseError("not taken")
            envelope = ET.fromstring(data)  # noqa: S314 - entities need a document type, which is refused; bounded
        except ET.ParseError as cause:
            raise UnavailableError(f"{self._shown}: {action} was not answered with SOAP (status {status})") from cause
        if status in (401, 403) or b"NotAuthorized" in data:
            raise UnavailableError(
                f"{self._shown} denies this user access to events; grant the permission and set the clock of the camera"
            )
        if status >= 400:
            reason = next((text.text for text in envelope.iter() if text.tag.endswith("}Text") and text.text), f"status {status}")
            raise UnavailableError(f"{self._shown} rejects {action}: {' '.join(reason.split())[:200]}")
        return envelope

    def _token(self) -> str:
        """WS-UsernameToken: digest = base64(sha1(nonce + created + password))."""
        nonce = secrets.token_bytes(16)
        created = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        mixed = hashlib.sha1(nonce + created.encode() + self._password.encode()).digest()  # noqa: S324 - required by the standard
        secext, utility = f"{_SECURITY}-wssecurity-secext-1.0.xsd", f"{_SECURITY}-wssecurity-utility-1.0.xsd"
        kind = f"{_SECURITY}-username-token-profile-1.0#PasswordDigest"
        digest = base64.b64encode(mixed).decode()
        return (
            f'<w:Security s:mustUnderstand="1" xmlns:w="{secext}" xmlns:u="{utility}"><w:UsernameToken>'
            f'<w:Username>{escape(self._user)}</w:Username><w:Password Type="{kind}">{digest}</w:Password>'
            f"<w:Nonce>{base64.b64encode(nonce).decode()}</w:Nonce><u:Created>{created}</u:Created></w:UsernameToken></w:Security>"
        )


def _motion(message: ET.Element) -> bool | None:
    """The boolean state of one notification; None if it has none."""
    for item in message.iter():
        if item.tag.endswith("}SimpleItem") and item.get("Name") in MOTION_ITEMS:
            value = (item.get("Value") or "").strip().lower()
            if re.fullmatch(r"true|false|1|0", value):
                return value in ("true", "1")
    return None


class OnvifWatch:
    """Polls a camera's events until stopped; calls `on_motion(True | False)`, and `on_motion(None)` while the state is
    unknown."""

    def __init__(self, url: str, on_motion: Callable[[bool | None], None]) -> None:
        self._url = url
        self._on_motion = on_motion
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="onvif", daemon=True)
        self.fault = ""

    def start(self) -> None:
        """Start polling."""
        self._thread.start()

    def stop(self) -> None:
        """End soon; never waits."""
        self._over.set()

    def _run(self) -> None:
        failures = 0
        while not self._over.is_set():
            failures = 0 if self._lasted() else failures + 1
            self._over.wait(PAUSES_S[min(failures, len(PAUSES_S) - 1)])

    def _lasted(self) -> bool:
        """Run one subscription; False if it could not be created."""
        point = PullPoint(self._url)
        subscribed = False
        try:
            with faults_as_losses("the camera's ONVIF events"):
                point.subscribe()
                subscribed = True
                self._follow(point)
        except UnavailableError as error:
            self.fault = str(error)
            self._on_motion(None)
        return subscribed

    def _follow(self, point: PullPoint) -> None:
        self._on_motion(False)  # cameras report ongoing motion at once
        self.fault = ""
        renewed = 0.0
        while not self._over.is_set():
            for moves in point.pull():
                self._on_motion(moves)
            renewed += PULL_TIMEOUT_S  # never late: the longest duration of a pull
            if renewed >= RENEW_INTERVAL_S:
                point.renew()
                renewed = 0.0
        point.unsubscribe()
