"""The connection of a device for live video: to whom it connects, how often it tries, and how it ends."""

from __future__ import annotations

import http
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from websockets.sync.server import ServerConnection, serve

from edgefleet_agent.core.clock import SystemClock
from edgefleet_agent.live_video import upstream
from edgefleet_agent.live_video.upstream import Destination, OtherProcessError
from edgefleet_agent.live_video.video_streams import VideoStreams
from edgefleet_agent.sources.packet_ring import PacketRing
from edgefleet_contract.core.errors import InputError, UnavailableError
from edgefleet_contract.worker_process import StartVideo, VideoStarted


@contextmanager
def server(statuses: list[int], held: threading.Event) -> Iterator[str]:
    """A server that refuses with these statuses first; accepted connections stay until `held`."""

    def check(connection: ServerConnection, request: Any) -> Any:
        assert request.headers["Authorization"] == "Edgefleet-Video secret"
        return connection.respond(http.HTTPStatus(statuses.pop(0)), "") if statuses else None

    def stay(connection: ServerConnection) -> None:
        connection.send('{"type":"time","at":5.0}')
        held.wait(20)

    with serve(stay, "127.0.0.1", 0, process_request=check) as listener:
        thread = threading.Thread(target=listener.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{listener.socket.getsockname()[1]}"
        held.set()
        listener.shutdown()
        thread.join(20)


@pytest.mark.parametrize("url", ["http://fleet.example", "ftp://fleet.example", "fleet.example", ""])
def test_only_encrypted_addresses(url: str) -> None:
    with pytest.raises(InputError):
        Destination(url, "secret")


def test_other_processes_are_tried_until_the_right_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upstream, "TRY_PAUSE_S", 0.0)
    with server([421, 421], threading.Event()) as url, Destination(url, "secret").open() as socket:
        assert socket.recv(timeout=10) == '{"type":"time","at":5.0}'
    with server([421] * 100, threading.Event()) as url, pytest.raises(OtherProcessError, match="--video-url"):
        Destination(url, "secret").open()


def test_refusals_are_reported_at_once() -> None:
    with server([403, 403], threading.Event()) as url, pytest.raises(UnavailableError, match="refuses live video: status 403"):
        Destination(url, "secret").open()
    with pytest.raises(UnavailableError, match=r"live video cannot reach 127\.0\.0\.1:9: "):
        Destination("http://127.0.0.1:9", "secret").open()


def test_limit_of_a_device_and_end_of_its_streams() -> None:
    """One more than allowed is refused; the end of the worker ends all."""
    answers: list[VideoStarted] = []
    came = threading.Semaphore(0)

    def take(answer: VideoStarted) -> None:
        answers.append(answer)
        came.release()

    ring = PacketRing(0.001, 1000)
    streams = VideoStreams({"belt": ring}.get, SystemClock(), take)
    with server([], threading.Event()) as url:
        for number, pipeline in enumerate(("belt", "belt", "attic")):
            limit = 1 if number < 2 else 2
            streams.start(StartVideo(request=number, pipeline=pipeline, url=url, ticket="secret", streams_max=limit))
            assert came.acquire(timeout=20)
        assert [answer.ok for answer in answers] == [True, False, False]
        assert answers[1].detail == "limit of 1 live videos at once reached on this device"
        assert answers[2].detail == "attic is no running camera of this device that gives live video"
        assert ring.followed
        streams.stop()
        for thread in threading.enumerate():
            if thread.name == "video:belt":
                thread.join(20)
        assert not ring.followed
