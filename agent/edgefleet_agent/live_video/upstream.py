"""Sends the packets of one camera to the server over a WebSocket of its own, until the server ends it or a limit is reached."""

from __future__ import annotations

import contextlib
import ssl
import time
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlsplit

from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus, InvalidURI
from websockets.sync.client import ClientConnection, connect

from edgefleet_agent.live_video.byte_budget import ByteBudget
from edgefleet_agent.live_video.fragments import Fragmenter
from edgefleet_agent.sources.packet_follower import PacketFollower
from edgefleet_contract.core.errors import EdgefleetError, InputError, UnavailableError
from edgefleet_contract.core.fault_text import fault_text
from edgefleet_contract.core.https_trust import certificate_fault
from edgefleet_contract.encoding.codec import encode
from edgefleet_contract.wire.live_video import (
    OTHER_PROCESS,
    TEXT_BYTES_MAX,
    VIDEO_PATH,
    VIDEO_SCHEME,
    DeviceTime,
    ServerTime,
    VideoEnd,
    VideoFormat,
    VideoPart,
    pack_part,
    read_text,
)

OPEN_S_MAX = 10.0
CLOSE_S_MAX = 2.0
SILENCE_S_MAX = 15.0
"""Time without a packet of the camera after which the stream ends."""
POLL_S = 0.5
TRIES_MAX = 12
TRY_PAUSE_S = 0.25
"""Several processes of the server may share an address, and one of them has the viewers: others refuse, and the next connection
reaches another one."""
LOOPBACK = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True, slots=True)
class Destination:
    """The destination of a stream. url: of the server; ticket: allows one connection; authority (PEM): trusted beside those of
    the system.

    Raises:
        InputError: not an encrypted address.
    """

    url: str
    ticket: str
    authority: str = ""

    def __post_init__(self) -> None:
        parts = urlsplit(self.url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise InputError(f"live video: {self.url!r} is no address of a server")
        if parts.scheme == "http" and parts.hostname not in LOOPBACK:
            raise InputError(
                f"live video: {self.url} is not encrypted; start the server with HTTPS, or with --public-url https://NAME"
            )

    def open(self) -> ClientConnection:
        """Connect, with the ticket.

        Raises:
            UnavailableError: the server does not answer or refuses; the text says why.
        """
        for _ in range(TRIES_MAX - 1):
            with contextlib.suppress(OtherProcessError):
                return self._open()
            time.sleep(TRY_PAUSE_S)
        return self._open()

    def _open(self) -> ClientConnection:
        parts = urlsplit(self.url)
        try:
            return connect(
                f"{'wss' if parts.scheme == 'https' else 'ws'}://{parts.netloc}{VIDEO_PATH}",
                ssl=self._context() if parts.scheme == "https" else None,
                additional_headers={"Authorization": f"{VIDEO_SCHEME} {self.ticket}"},
                compression=None,
                open_timeout=OPEN_S_MAX,
                close_timeout=CLOSE_S_MAX,
                max_size=TEXT_BYTES_MAX,
                user_agent_header=None,
            )
        except InvalidStatus as error:
            if error.response.status_code == OTHER_PROCESS:
                raise OtherProcessError(
                    f"{parts.netloc} leads to other processes of the server; start them with --video-url, see docs/scaling.md"
                ) from error
            raise UnavailableError(f"{parts.netloc} refuses live video: status {error.response.status_code}") from error
        except (OSError, InvalidHandshake, InvalidURI) as error:
            why = certificate_fault(error) or fault_text(error)
            raise UnavailableError(f"live video cannot reach {parts.netloc}: {why}") from error

    def _context(self) -> ssl.SSLContext:
        context = ssl.create_default_context()
        if self.authority:
            context.load_verify_locations(cadata=self.authority)
            context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
        return context


class OtherProcessError(UnavailableError):
    """Another process of the server has the viewers."""


class Upstream:
    """One stream. `wall`: the wall clock. Used by one thread; `stop` by any."""

    def __init__(self, socket: ClientConnection, follower: PacketFollower, budget: ByteBudget, wall: Callable[[], float]) -> None:
        self._socket = socket
        self._follower = follower
        self._budget = budget
        self._wall = wall
        self._stopped = False
        self.sent_bytes = 0

    def stop(self) -> None:
        """End soon."""
        self._stopped = True
        self._follower.close()

    def run(self) -> str:
        """Send until the end; returns the reason, empty if the server has ended it."""
        try:
            self._answer_time()
            reason = self._send_all()
            self._socket.send(encode(VideoEnd(reason=reason)).decode())
        except ConnectionClosed:
            return ""
        except (OSError, TimeoutError) as error:
            return fault_text(error)
        except EdgefleetError as error:
            with contextlib.suppress(ConnectionClosed):
                self._socket.send(encode(VideoEnd(reason=str(error)[:500])).decode())
            return str(error)
        return reason

    def _answer_time(self) -> None:
        """Answer the server's first message, so that it knows the difference of the clocks."""
        message = read_text(self._socket.recv(timeout=OPEN_S_MAX), ServerTime)
        received_at = self._wall()
        assert isinstance(message, ServerTime)
        answer = DeviceTime(server_at=message.at, received_at=received_at, at=self._wall())
        self._socket.send(encode(answer).decode())

    def _send_all(self) -> str:
        fragmenter: Fragmenter | None = None
        received_s = time.monotonic()
        while not self._stopped:
            self._check_open()
            followed = self._follower.next(POLL_S)
            now = time.monotonic()
            if followed is None:
                if now - received_s > SILENCE_S_MAX:
                    return "the camera gives no pictures"
                continue
            received_s = now
            if fragmenter is None or not fragmenter.continues(followed):
                if not followed.packet.keyframe:
                    continue
                fragmenter = Fragmenter(followed, self._wall() - now)
            for found in fragmenter.add(followed):
                if not self._send(found, now):
                    return f"the device's limit of {self._budget.bytes_max:,} bytes of live video an hour is reached"
        return "the device ends live video"

    def _send(self, found: VideoFormat | VideoPart, now: float) -> bool:
        if isinstance(found, VideoFormat):
            self._socket.send(encode(found).decode())
            return True
        message = pack_part(found)
        if not self._budget.take(len(message), now):
            return False
        self._socket.send(message)
        self.sent_bytes += len(message)
        return True

    def _check_open(self) -> None:
        """Notice that the server has closed the connection. What it says meanwhile is ignored."""
        with contextlib.suppress(TimeoutError):
            self._socket.recv(timeout=0)
