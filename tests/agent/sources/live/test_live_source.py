"""Network cameras: GStreamer's server, and test servers that misbehave."""

from __future__ import annotations

import itertools
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import av
import cv2
import numpy as np
import pytest
from av.video.stream import VideoStream

from edgefleet_agent.sources.base import Source
from edgefleet_agent.sources.cameras.mjpeg import MjpegSource
from edgefleet_agent.sources.cameras.rtsp import RtspSource
from edgefleet_agent.sources.cameras.v4l2 import CameraSource
from edgefleet_agent.sources.live.arrival_times import CLOCK_OFFSET_S_MAX, ArrivalTimes
from edgefleet_agent.sources.packet_ring import PacketRing, write_clip
from edgefleet_contract.core.errors import PipelineError, UnavailableError
from edgefleet_contract.pipeline.spec import SourceSpec
from tests.agent.fakes.cameras import RtspCamera, TcpCamera, free_port, no_h265_camera, no_rtsp_server

needs_rtsp_server = pytest.mark.skipif(bool(no_rtsp_server()), reason=no_rtsp_server() or "there is one")
QUICK = {"open_timeout_s": 1.0, "read_timeout_s": 0.5}


@pytest.fixture(scope="module")
def camera() -> Iterator[RtspCamera]:
    with RtspCamera(login=("admin", "p:ss@word")) as camera:
        camera.on()
        yield camera


def rtsp(url: str, **options: object) -> RtspSource:
    return RtspSource(SourceSpec(kind="rtsp", uri=url, options=options))


def mjpeg(camera: TcpCamera, **options: object) -> MjpegSource:
    return MjpegSource(
        SourceSpec(kind="mjpeg", uri=f"http://user:geheim@127.0.0.1:{camera.port}/video", options={**QUICK, **options})
    )


def take(source: Source, count: int) -> list[tuple[int, int, int]]:
    """(index, width, height) of the first frames; closes the source."""
    frames = source.frames()
    seen = [(frame.index, frame.width, frame.height) for frame in itertools.islice(frames, count)]
    source.close()
    frames.close()  # type: ignore[attr-defined]  # frames() of our own sources are generators
    return seen


@needs_rtsp_server
@pytest.mark.parametrize("transport", ["tcp", "udp"])
def test_rtsp(camera: RtspCamera, transport: str) -> None:
    source = rtsp(camera.url(), transport=transport)
    info = source.open()
    assert (info.codec, info.fps) == ("h264", 15.0)
    assert take(source, 5) == [(number, 320, 240) for number in range(5)]


@pytest.mark.skipif(bool(no_h265_camera()), reason=no_h265_camera() or "there is one")
def test_h265() -> None:
    with RtspCamera() as camera:
        camera.on(codec="h265")
        source = rtsp(camera.url(), open_timeout_s=30.0, read_timeout_s=30.0)
        info = source.open()
        assert (info.codec, info.width) == ("hevc", 320)
        assert take(source, 5) == [(number, 320, 240) for number in range(5)]


@needs_rtsp_server
def test_packets_gate_a_camera() -> None:
    """The camera's whole picture moves: after the learning phase, the gate withholds no packet."""
    with RtspCamera() as camera:
        camera.on()
        source = rtsp(camera.url(), gate="packets")
        source.open()
        assert take(source, 30) == [(number, 320, 240) for number in range(30)]
        assert source.gate_packets >= 30


@needs_rtsp_server
def test_the_substream_is_what_is_decoded(camera: RtspCamera) -> None:
    source = rtsp(camera.url(), substream=camera.url("sub"))
    assert source.open().width == 160
    assert take(source, 1) == [(0, 160, 120)]


@needs_rtsp_server
def test_clips_are_of_the_main_stream(camera: RtspCamera, tmp_path: Path) -> None:
    source = rtsp(camera.url(), substream=camera.url("sub"))
    ring = PacketRing(60.0, 1 << 26)
    source.ring = ring.connect()
    assert source.open().width == 160
    clip = None
    for frame in source.frames():
        assert frame.width == 160
        clip = ring.cut(1.0, frame.media_s)
        if clip is not None and clip.end_s - clip.start_s > 1.0:
            break
    source.close()
    assert clip is not None
    assert clip.end_s == pytest.approx(frame.media_s, abs=1.5)
    write_clip(clip, tmp_path / "clip.mp4")
    with av.open(str(tmp_path / "clip.mp4")) as written:
        assert (written.streams.video[0].width, written.streams.video[0].height) == (320, 240)


@needs_rtsp_server
def test_key_frames_only(camera: RtspCamera) -> None:
    """The camera sends a key frame every ten frames."""
    source = rtsp(camera.url(), keyframes_only=True)
    source.open()
    times = [frame.media_s for frame in itertools.islice(source.frames(), 3)]
    assert [later - earlier for earlier, later in itertools.pairwise(times)] == pytest.approx([10 / 15] * 2, abs=0.05)
    source.close()


@needs_rtsp_server
@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (("p:ss@word", "geheim"), "rejects the user name or password"),
        (("/main", "/attic"), "has no such stream"),
    ],
)
def test_what_the_camera_refuses(camera: RtspCamera, change: tuple[str, str], expected: str) -> None:
    with pytest.raises(UnavailableError, match=expected) as error:
        rtsp(camera.url().replace(*change)).open()
    assert "geheim" not in str(error.value)
    assert "p:ss" not in str(error.value)


def test_a_closed_port() -> None:
    with pytest.raises(UnavailableError, match=r"rtsp://\*\*\*@127.0.0.1:\d+/x does not respond .*refused"):
        rtsp(f"rtsp://me:geheim@127.0.0.1:{free_port()}/x").open()


@pytest.mark.parametrize("kind", ["rtsp", "mjpeg"])
@pytest.mark.parametrize(
    "uri", ["", "/etc/passwd", "file:///etc/passwd", "rtsp://", "http://", "rtsp://a:p/w@b/c d", "concat:x|y"]
)
def test_addresses_that_are_none(kind: str, uri: str) -> None:
    with pytest.raises(PipelineError, match=": invalid URL; use one like") as error:
        {"rtsp": RtspSource, "mjpeg": MjpegSource}[kind](SourceSpec(kind=kind, uri=uri))
    assert "p/w" not in str(error.value)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"transport": "carrier pigeon"}, "must be 'tcp' or 'udp'"),
        ({"substream": "x"}, "invalid URL"),
        ({"threads": 99}, "between 0 and 64"),
    ],
)
def test_options_that_cannot_be(options: dict[str, object], expected: str) -> None:
    with pytest.raises(PipelineError, match=expected):
        rtsp("rtsp://camera/main", **options)


def jpeg(width: int, shade: int) -> bytes:
    done, data = cv2.imencode(".jpg", np.full((48, width, 3), shade % 256, np.uint8))
    assert done
    return data.tobytes()


def pictures(*widths: int, pause_s: float = 0.0) -> Callable[[socket.socket], None]:
    """A camera that sends one picture of each width, then waits until the client disconnects."""

    def serve(connection: socket.socket) -> None:
        connection.recv(4096)
        connection.sendall(b"HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=next\r\n\r\n")
        for number, width in enumerate(widths):
            data = jpeg(width, number)
            head = f"--next\r\nContent-Type: image/jpeg\r\nContent-Length: {len(data)}\r\n\r\n"
            connection.sendall(head.encode() + data + b"\r\n")
            time.sleep(pause_s)
        connection.recv(1)

    return serve


def test_mjpeg_and_its_measured_rate() -> None:
    with TcpCamera(pictures(*[64] * 40, pause_s=0.05)) as camera:
        source = mjpeg(camera)
        assert 5 <= source.open().fps <= 40
        assert [size for _, *size in take(source, 5)] == [[64, 48]] * 5


def test_pictures_change_their_size_in_the_middle() -> None:
    with TcpCamera(pictures(*[64] * 3, *[96] * 5)) as camera:
        source = mjpeg(camera, rate=25)
        source.open()
        widths = [width for _, width, _ in take(source, 6)]
    assert widths[0] == 64
    assert widths[-1] == 96


def test_silence_is_reported() -> None:
    with TcpCamera(pictures(*[64] * 8)) as camera:
        source = mjpeg(camera, rate=25)
        source.open()
        with pytest.raises(UnavailableError, match=r"http://\*\*\*@.* (stopped sending|closed the connection)"):
            take(source, 50)


def test_data_that_cannot_be_decoded_is_no_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("edgefleet_agent.sources.live.undecoded_packets.REPORTED_S", 0.2)

    def serve(connection: socket.socket) -> None:
        connection.recv(4096)
        connection.sendall(b"HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=next\r\n\r\n")
        for data in [*[jpeg(64, number) for number in range(8)], *[bytes(range(30)) * 30] * 20]:
            connection.sendall(b"--next\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n" % len(data) + data + b"\r\n")
            time.sleep(0.05)

    with TcpCamera(serve) as camera:
        source = mjpeg(camera, rate=25)
        source.open()
        with pytest.raises(UnavailableError):
            take(source, 50)
    assert "sends data, but nothing in it can be decoded" in source.silence
    assert source.alive_at_s > 0


def wrong_lengths(connection: socket.socket) -> None:
    """Parts that are longer than they say, and text between parts."""
    connection.recv(4096)
    connection.sendall(b"HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=next\r\n\r\n")
    for number in range(20):
        data = jpeg(64, number)
        length = b"--next\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n" % (len(data) // 2)
        connection.sendall(length + data + b"\r\nnothing that a part begins with\r\n")
        time.sleep(0.02)


def slow(connection: socket.socket) -> None:
    """A picture, and the next one later than the source waits."""
    pictures(64)(connection)


@pytest.mark.parametrize("serve", [wrong_lengths, slow])
def test_what_ends_the_measurement_of_a_rate_is_an_error_in_one_line(serve: Callable[[socket.socket], None]) -> None:
    with TcpCamera(serve) as camera:
        source = mjpeg(camera)
        with pytest.raises(UnavailableError, match=r"http://\*\*\*@"):
            everything(source)
        source.close()


def test_a_stream_of_unknown_pixels_is_not_copied() -> None:
    """Such as that of a camera that accepts the connection and sends nothing: PyAV ended the process."""
    nothing = av.CodecContext.create("h264", "r")
    stream = SimpleNamespace(codec_context=nothing, container=SimpleNamespace(format=SimpleNamespace(name="rtsp")))
    feed = PacketRing(10.0, 1_000_000).connect()
    feed.begin(cast("VideoStream", stream))
    assert feed.wants_frames


def everything(source: Source) -> None:
    source.open()
    for _ in source.frames():
        pass


def hang_up(connection: socket.socket) -> None:
    connection.recv(4096)


def babble(connection: socket.socket) -> None:
    connection.recv(4096)
    dice = np.random.default_rng(5)
    connection.sendall(b"HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=next\r\n\r\n")
    while True:
        connection.sendall(dice.bytes(4096))


def say_nothing(connection: socket.socket) -> None:
    connection.recv(4096)
    connection.recv(1)


@pytest.mark.parametrize("serve", [hang_up, babble, say_nothing])
@pytest.mark.parametrize("kind", ["rtsp", "mjpeg"])
def test_whatever_answers_the_end_is_an_error_in_one_line(kind: str, serve: Callable[[socket.socket], None]) -> None:
    with TcpCamera(serve) as camera:
        source: Source = mjpeg(camera) if kind == "mjpeg" else rtsp(f"rtsp://u:geheim@127.0.0.1:{camera.port}/", **QUICK)
        with pytest.raises(UnavailableError) as error:
            everything(source)
        source.close()
    assert "\n" not in str(error.value)
    assert "geheim" not in str(error.value)
    assert "127.0.0.1" in str(error.value)


def play_nothing(connection: socket.socket) -> None:
    """An RTSP server that answers all requests, and sends no packet."""
    sdp = b"v=0\r\nm=video 0 RTP/AVP 96\r\na=rtpmap:96 H265/90000\r\na=control:track\r\n"
    more = {
        b"DESCRIBE": b"Content-Type: application/sdp\r\nContent-Length: %d\r\n\r\n" % len(sdp) + sdp,
        b"SETUP": b"Transport: RTP/AVP/TCP;unicast;interleaved=0-1\r\nSession: 1\r\n\r\n",
    }
    while request := connection.recv(4096):
        number = request.partition(b"CSeq: ")[2].partition(b"\r\n")[0]
        connection.sendall(b"RTSP/1.0 200 OK\r\nCSeq: " + number + b"\r\n" + more.get(request.partition(b" ")[0], b"\r\n"))


def send_png(connection: socket.socket) -> None:
    """Parts that are no JPEG pictures, then silence."""
    connection.recv(4096)
    connection.sendall(b"HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=next\r\n\r\n")
    data = cv2.imencode(".png", np.zeros((48, 64, 3), np.uint8))[1].tobytes()
    for _ in range(8):
        connection.sendall(b"--next\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n" % len(data) + data + b"\r\n")
    connection.recv(1)


@pytest.mark.parametrize(
    ("kind", "serve", "expected"),
    [
        ("rtsp", hang_up, "closes the connection without an answer; check port and URL"),
        ("mjpeg", hang_up, "closes the connection without an answer; check port and URL"),
        ("rtsp", play_nothing, "accepts the connection, but sends no video"),
        ("mjpeg", send_png, "sends data, but nothing in it can be decoded"),
    ],
)
def test_the_reason_is_what_the_server_does(kind: str, serve: Callable[[socket.socket], None], expected: str) -> None:
    with TcpCamera(serve) as camera:
        source: Source = mjpeg(camera) if kind == "mjpeg" else rtsp(f"rtsp://127.0.0.1:{camera.port}/", **QUICK)
        with pytest.raises(UnavailableError, match=expected):
            everything(source)
        source.close()


def test_a_machine_without_cameras() -> None:
    with pytest.raises(UnavailableError, match="no such camera; plug it in"):
        CameraSource(SourceSpec(kind="camera", uri="/dev/video987")).open()
    with pytest.raises(UnavailableError, match="/dev/null cannot be read"):
        CameraSource(SourceSpec(kind="camera", uri="/dev/null", options={"width": 640, "height": 480, "rate": 15})).open()
    for uri, options in (("video0", {}), ("/dev/video0", {"width": 640})):
        with pytest.raises(PipelineError):
            CameraSource(SourceSpec(kind="camera", uri=uri, options=options))


def test_times_follow_the_camera_as_long_as_it_is_sane() -> None:
    times = ArrivalTimes()
    assert times.place(100.0, 5.0) == 0.0
    assert times.place(100.04, 5.3) == pytest.approx(0.04)  # late over the network
    assert times.place(9000.0, 5.4) == pytest.approx(0.4)  # its clock was set
    assert times.place(9000.1, 5.5) == pytest.approx(0.5)
    assert times.place(None, 5.6) == pytest.approx(0.6)
    assert times.place(9000.05, 5.7) > 0.6  # never backwards
    assert times.place(9000.3, 5.7 + 2 * CLOCK_OFFSET_S_MAX) == pytest.approx(0.7 + 2 * CLOCK_OFFSET_S_MAX)


@pytest.mark.parametrize(("transport", "other"), [("tcp", "udp"), ("udp", "tcp")])
def test_the_reason_of_a_camera_without_this_transport_names_the_other(transport: str, other: str) -> None:
    sdp = (
        "v=0\r\no=- 0 0 IN IP4 0.0.0.0\r\ns=x\r\nt=0 0\r\nm=video 0 RTP/AVP 96\r\na=rtpmap:96 H264/90000\r\na=control:track1\r\n"
    )

    def serve(connection: socket.socket) -> None:
        while request := connection.recv(4096).decode():
            number = request.partition("CSeq: ")[2].splitlines()[0]
            status, body = "200 OK", ""
            if request.startswith("DESCRIBE"):
                body = sdp
            elif request.startswith("SETUP"):
                status = "461 Unsupported Transport"
            kind = f"Content-Type: application/sdp\r\nContent-Length: {len(body)}\r\n" if body else ""
            connection.sendall(f"RTSP/1.0 {status}\r\nCSeq: {number}\r\nPublic: DESCRIBE, SETUP\r\n{kind}\r\n{body}".encode())

    with TcpCamera(serve) as camera:
        spec = SourceSpec(kind="rtsp", uri=f"rtsp://127.0.0.1:{camera.port}/x", options={"transport": transport})
        with pytest.raises(UnavailableError, match=f'does not send over {transport}; set transport = "{other}"'):
            RtspSource(spec).open()
