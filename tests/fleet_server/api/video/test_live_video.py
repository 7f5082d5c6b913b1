"""Live video over real WebSockets: a device, its viewers, and those who are neither."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, replace
from typing import Any

import pytest
import uvicorn
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from edgefleet_contract.encoding.codec import encode
from edgefleet_contract.wire.live_video import VIDEO_PATH, DeviceTime, PartKind, VideoFormat, VideoPart, pack_part
from edgefleet_server.api.middleware.connection_limits import ConnectionLimits, limited
from edgefleet_server.db.backend.engine import raw
from tests.fleet_server.fakes.server_process import eventually
from tests.fleet_server.fakes.two_groups import MINE, OTHER, TwoGroups, two_groups
from tests.fleet_server.fakes.video_viewer import VideoViewer, watch

FORMAT = encode(VideoFormat(mime='video/mp4; codecs="avc1.42E01E"', width=640, height=360)).decode()
DEVICE = f"{MINE}-1"


def part(kind: PartKind, number: int = 0, length: int = 100) -> bytes:
    """A part of a stream; only its first box is checked."""
    box = b"ftyp" if kind is PartKind.INIT else b"moof"
    return pack_part(VideoPart(kind, 1_000.0 + number, length.to_bytes(4, "big") + box + bytes(length - 8)))


@dataclass
class VideoSite:
    """A server with devices that are online."""

    fleet: TwoGroups
    url: str
    stack: ExitStack

    def set(self, **values: Any) -> None:
        """Change settings."""
        changed = replace(self.fleet.context.settings, **values)
        self.fleet.context.video.settings = lambda: changed

    def viewer(self, pipeline: str = "belt", device: str = DEVICE, caller: str = "operator") -> VideoViewer:
        opened: AbstractContextManager[VideoViewer] = watch(
            self.url, device, pipeline, Authorization=f"Bearer {self.fleet.tokens[caller]}"
        )
        return self.stack.enter_context(opened)

    def orders(self, device: str = DEVICE) -> list[dict[str, Any]]:
        """Arguments of the commands that wait for the device, of streams that it has not connected yet."""
        with self.fleet.context.database.read() as connection:
            rows = raw(connection).execute("SELECT args FROM command WHERE device = ? AND op = 'video'", (device,)).fetchall()
        found = [json.loads(row[0]) for row in rows]
        return [args for args in found if args["ticket"] in self.fleet.context.video._tickets]

    def order(self, device: str = DEVICE) -> dict[str, Any]:
        return eventually("a command", lambda: self.orders(device))[0]

    def device(self, ticket: str) -> ClientConnection:
        """The socket of a device."""
        url = self.url.replace("http", "ws", 1) + VIDEO_PATH
        headers = {"Authorization": f"Edgefleet-Video {ticket}"}
        return self.stack.enter_context(connect(url, additional_headers=headers, compression=None))

    def upstream(self, ahead_s: float = 0.0) -> ClientConnection:
        """A device that has said hello, with a clock that is `ahead_s` ahead."""
        line = self.device(self.order()["ticket"])
        at = json.loads(line.recv(timeout=10))["at"]
        line.send(encode(DeviceTime(server_at=at, received_at=time.time() + ahead_s, at=time.time() + ahead_s)).decode())
        return line

    def audit(self) -> list[dict[str, Any]]:
        found = self.fleet.call("admin", "GET", "/audit").json()["items"]
        return [one for one in found if one["target"].endswith("/video")]


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[TwoGroups, str]]:
    with two_groups(tmp_path_factory.mktemp("video")) as fleet:
        with fleet.context.database.write() as connection:
            raw(connection).execute("UPDATE device_last SET presence = 'online'")
        config = uvicorn.Config(
            fleet.app, http=limited(ConnectionLimits()), ws="websockets-sansio", lifespan="off", log_config=None
        )
        server = uvicorn.Server(config)
        listener = socket.create_server(("127.0.0.1", 0))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        eventually("the server runs", lambda: server.started)
        yield fleet, f"http://127.0.0.1:{listener.getsockname()[1]}"
        server.should_exit = True
        thread.join(20.0)


@pytest.fixture
def site(running: tuple[TwoGroups, str], monkeypatch: pytest.MonkeyPatch) -> Iterator[VideoSite]:
    """The server, without streams; those of a test end with it."""
    monkeypatch.setattr("edgefleet_server.api.video.video_hub.LINGER_S", 0.0)
    fleet, url = running
    before = fleet.context.video.settings
    with ExitStack() as stack:
        yield VideoSite(fleet, url, stack)
    fleet.context.video.settings = before
    eventually("no stream is left", lambda: fleet.context.video.streams == 0)


def test_one_stream_of_the_device_for_all_viewers(site: VideoSite) -> None:
    """A later viewer begins with the last key frame; times are those of the server, although the device's clock is wrong."""
    first = site.viewer()
    line = site.upstream(ahead_s=-3600.0)
    line.send(FORMAT)
    now = time.time() - 3600.0
    for kind in (PartKind.INIT, PartKind.KEY, PartKind.MORE, PartKind.KEY, PartKind.MORE):
        line.send(pack_part(VideoPart(kind, now, part(kind)[9:])))
    assert first.read(10.0, parts=5).kinds == [PartKind.INIT, PartKind.KEY, PartKind.MORE, PartKind.KEY, PartKind.MORE]
    assert max(abs(lag_s) for lag_s in first.lags_s) < 5.0
    second = site.viewer()
    assert second.read(10.0, parts=3).kinds == [PartKind.INIT, PartKind.KEY, PartKind.MORE]
    assert second.texts[0]["mime"] == 'video/mp4; codecs="avc1.42E01E"'
    assert len(site.orders()) <= 1
    first.socket.close()
    line.send(part(PartKind.MORE))
    assert second.read(10.0, parts=4).kinds[3:] == [PartKind.MORE], "the other viewer goes on"
    second.socket.close()
    eventually("the device gets the end", lambda: line.recv(timeout=10) == '{"type":"end","reason":"no viewers"}')


def test_ticket_is_valid_once_and_for_one_process(site: VideoSite) -> None:
    site.viewer()
    ticket = site.order()["ticket"]
    for wrong, status in ((f"{ticket}x", 403), ("0badcafe.secret", 421)):
        with pytest.raises(InvalidStatus) as refused:
            site.device(wrong)
        assert refused.value.response.status_code == status
    site.upstream()
    with pytest.raises(InvalidStatus) as refused:
        site.device(ticket)
    assert refused.value.response.status_code == 403, "it was used"


@pytest.mark.parametrize(
    ("messages", "reason"),
    [
        (["{"], "sends no live video: not JSON"),
        ([b"\x07" * 200], "sends no live video: a part that is none of an MP4 stream"),
        ([b"short"], "sends no live video: a part of 5 bytes"),
        (['{"type":"format","mime":"text/html","width":1,"height":1}'], "sends no live video: mime"),
        (['{"type":"watching"}'], "sends no live video: unexpected message 'watching'"),
        ([FORMAT, *[part(PartKind.MORE)] * 600], "sends more than a camera"),
        ([FORMAT, *[part(PartKind.KEY, length=4_000_000)] * 12], "sends more than a camera"),
    ],
    ids=["no JSON", "no boxes", "short", "no video", "wrong text", "many", "large"],
)
def test_hostile_device_ends_its_own_stream(site: VideoSite, messages: list[str | bytes], reason: str) -> None:
    viewer = site.viewer()
    line = site.upstream()
    with contextlib.suppress(ConnectionClosed):
        for message in messages:
            line.send(message)
    viewer.read(15.0)
    assert viewer.end is not None
    assert reason in viewer.end["reason"]
    assert site.fleet.call("operator", "GET", f"/devices/{DEVICE}").status_code == 200


def test_slow_viewer_delays_no_other(site: VideoSite, monkeypatch: pytest.MonkeyPatch) -> None:
    """It loses all parts up to a key frame; the other one gets each."""
    monkeypatch.setattr("edgefleet_server.api.video.video_stream.QUEUE_BYTES_MAX", 3_000_000)
    slow, quick = site.viewer(), site.viewer()
    line = site.upstream()
    line.send(FORMAT)
    line.send(part(PartKind.INIT))
    for number in range(24):
        line.send(part(PartKind.MORE if number % 6 else PartKind.KEY, number, length=1_000_000))
        quick.read(5.0, parts=number + 2)
    assert len(quick.parts) == 25
    slow.read(3.0)
    assert slow.kinds[0] is PartKind.INIT
    assert len(slow.parts) < 25
    numbers = [round(lag) for lag in slow.lags_s]
    gaps = [index for index in range(2, len(numbers)) if numbers[index - 1] - numbers[index] != 1]
    assert all(slow.kinds[index] is PartKind.KEY for index in gaps), "a gap ends with a key frame"


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        ({"video_session_bytes": 1500}, "limit of 1,500 bytes of one live video reached; start it again to go on"),
        ({"video_device_bytes": 1500}, f"{DEVICE} has used its 1,500 bytes of live video for this hour"),
    ],
)
def test_budgets(site: VideoSite, limits: dict[str, int], reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    site.fleet.context.video._hours._hours.clear()
    site.set(**limits)
    viewer = site.viewer()
    line = site.upstream()
    line.send(FORMAT)
    line.send(part(PartKind.INIT))
    line.send(part(PartKind.KEY, length=1000))
    line.send(part(PartKind.MORE, length=1000))
    viewer.read(10.0)
    assert viewer.kinds == [PartKind.INIT, PartKind.KEY]
    assert viewer.end == {"type": "end", "reason": reason}
    if "video_device_bytes" in limits:
        later = site.viewer().read(10.0)
        assert later.end is not None
        assert (later.end["reason"], later.end["stills"]) == (reason, True)
    site.fleet.context.video._hours._hours.clear()


def test_limits_of_streams(site: VideoSite) -> None:
    site.set(video_streams_max=5)
    for number in range(4):
        site.viewer(f"belt-{number}")
    fifth = site.viewer("belt-5").read(10.0)
    assert fifth.end is not None
    assert fifth.end["reason"] == f"limit of 4 live videos of {DEVICE} reached; close some"
    site.viewer("belt", f"{MINE}-2")
    last = site.viewer("belt", f"{MINE}-3").read(10.0)
    assert last.end is not None
    assert last.end["reason"] == "limit of 5 live videos of this server reached; close some"


def test_viewers_have_to_confirm(site: VideoSite, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("edgefleet_server.api.routes.live_video.ASK_S", 2.0)
    monkeypatch.setattr("edgefleet_server.api.routes.live_video.POLL_S", 0.05)
    site.set(video_watch_s=2.5)
    there, away = site.viewer(), site.viewer()
    there.read(1.0)
    assert [text["type"] for text in there.texts] == ["still_there"]
    there.socket.send('{"type":"watching"}')
    there.socket.send('{"type":"time","at":7}')
    away.read(5.0)
    assert away.end == {"type": "end", "reason": "no one has confirmed to be watching"}
    there.read(0.5)
    assert there.end is None
    answer = next(text for text in there.texts if text["type"] == "time")
    assert answer["at"] == 7
    assert abs(answer["server_at"] - time.time()) < 10.0


@pytest.mark.parametrize(
    "sent", [b"bytes", "x" * 5000, '{"type":"format"}', "[]", *["many"]], ids=["bytes", "long", "format", "list", "many"]
)
def test_hostile_viewer_is_closed(site: VideoSite, sent: str | bytes) -> None:
    viewer = site.viewer()
    with contextlib.suppress(ConnectionClosed):
        for _ in range(300 if sent == "many" else 1):
            viewer.socket.send('{"type":"watching"}' if sent == "many" else sent)
    viewer.read(10.0)
    assert viewer.code == 4000


@pytest.mark.parametrize(
    ("caller", "device", "status"),
    [
        ("viewer", DEVICE, 403),
        (f"operator-{MINE}", DEVICE, 101),
        (f"operator-{MINE}", f"{OTHER}-1", 404),
        (f"viewer-{MINE}", DEVICE, 403),
        ("token-other", DEVICE, 404),
        ("admin", DEVICE, 101),
        (None, DEVICE, 401),
    ],
)
def test_rights_are_those_of_the_live_view(site: VideoSite, caller: str | None, device: str, status: int) -> None:
    headers = {"Authorization": f"Bearer {site.fleet.tokens[caller]}"} if caller else {"Authorization": "Bearer wrong"}
    try:
        with watch(site.url, device, "belt", **headers):
            found = 101
    except InvalidStatus as error:
        found = error.response.status_code
    assert found == status


def test_pages_of_other_sites_open_none(site: VideoSite) -> None:
    headers = {"Authorization": f"Bearer {site.fleet.tokens['operator']}", "Origin": "http://evil.example"}
    with pytest.raises(InvalidStatus) as refused, watch(site.url, DEVICE, "belt", **headers):
        pass
    assert refused.value.response.status_code == 403


def test_audit_log_has_start_and_end(site: VideoSite) -> None:
    viewer = site.viewer("dock")
    line = site.upstream()
    line.send(FORMAT)
    line.send(part(PartKind.INIT, length=1000))
    viewer.read(10.0, parts=1)
    viewer.socket.close()
    target = f"/devices/{DEVICE}/live/dock/video"
    eventually("both entries", lambda: [one["target"] for one in site.audit()[:2]] == [target, target])
    end, start = site.audit()[:2]
    assert (start["actor"], start["action"], start["status"]) == ("operator", "view_live", 200)
    assert "1009" in json.dumps(end["detail"])
    assert "seconds" in json.dumps(end["detail"])


def test_device_that_is_away_or_refuses(site: VideoSite) -> None:
    with site.fleet.context.database.write() as connection:
        raw(connection).execute("UPDATE device_last SET presence = 'offline' WHERE device = ?", (f"{MINE}-2",))
    viewer = site.viewer(device=f"{MINE}-2").read(10.0)
    assert viewer.end == {"type": "end", "reason": f"{MINE}-2 is offline; cannot view its camera", "stills": True}
    with site.fleet.context.database.write() as connection:
        raw(connection).execute("UPDATE device_last SET presence = 'online'")
    viewer = site.viewer()
    site.order()
    with site.fleet.context.database.write() as connection:
        raw(connection).execute("UPDATE command SET state = 'failed', detail = 'disabled on this device' WHERE op = 'video'")
    viewer.read(10.0)
    assert viewer.end == {"type": "end", "reason": f"{DEVICE}: disabled on this device", "stills": True}
