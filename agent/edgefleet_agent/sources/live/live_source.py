"""Base class of network and local cameras: one demuxer, one decoder, and time-outs on everything.

The decoder is FFmpeg's in this process, or a separate program (`decode`), which receives packets only.

A live source never ends by itself. Any failure, silence included, is an `UnavailableError`: it is retried.
Pictures may change their size within the stream; every frame carries its own. Times are the camera's own while they agree with
the arrival of pictures, because arrival times suffer from the network; if the camera's clock jumps, its times are re-anchored to
arrival.
"""

from __future__ import annotations

import errno
import itertools
import socket
import threading
import time
from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from urllib.parse import urlsplit

import av
from av.container import InputContainer
from av.video.frame import VideoFrame
from av.video.stream import VideoStream

from edgefleet_agent.sources.av_frames import PIXELS_MAX, as_frame, error_text, open_container
from edgefleet_agent.sources.base import SilentSourceError, Source, SourceInfo, faults_as_losses
from edgefleet_agent.sources.bitrate_gate import BitrateGate, Decode, DecodeGate, GatedDecoder
from edgefleet_agent.sources.decoded_pictures import DecodeLosses, seconds
from edgefleet_agent.sources.frame_pacing import Thinner
from edgefleet_agent.sources.live import decoder_options
from edgefleet_agent.sources.live.arrival_times import ArrivalTimes, RepeatedTimes
from edgefleet_agent.sources.live.connection_probe import CONNECT_PROBE_TIMEOUT_S, closes_unanswered
from edgefleet_agent.sources.live.decoder_process import DecoderProcess
from edgefleet_agent.sources.live.pending_packets import PendingPackets
from edgefleet_agent.sources.live.undecoded_packets import GIVEN_UP_S, UndecodedPackets
from edgefleet_agent.sources.options import Value
from edgefleet_agent.sources.redact import redact
from edgefleet_agent.sources.rotation import AUTO, CLOCKWISE, UPRIGHT, StreamRotation, rotate_option
from edgefleet_agent.vision.frame import Frame
from edgefleet_contract.core.errors import EdgefleetError, MediaError, MissingError, PipelineError, UnavailableError
from edgefleet_contract.pipeline.spec import SourceSpec

FPS_UNKNOWN = 25.0
FPS_RANGE = (0.05, 240.0)
"""Rates outside are a stream's time base mistaken for a rate."""
DAMAGED_PACKETS_MAX = 250
"""Packets in a row that may fail to decode before the connection is given up: ten seconds of a typical camera."""
MICROSECOND = Fraction(1, 1_000_000)

NO_VIDEO = "accepts the connection, but sends no video; restart the camera"
UNDECODED = (
    "sends data, but nothing in it can be decoded; check its codec, and shorten its interval of key frames if this repeats"
)

COMMON: dict[str, Value] = {"open_timeout_s": 5.0, "read_timeout_s": 3.0, "threads": 1, "rotate": AUTO, **decoder_options.OPTIONS}
"""Options of every live kind."""
RANGES: dict[str, tuple[float, float]] = {"open_timeout_s": (0.2, 60.0), "read_timeout_s": (0.2, 60.0), "threads": (0, 64)}

_REFUSALS: dict[type[Exception], str] = {
    av.error.HTTPUnauthorizedError: "rejects the user name or password; correct them in the URL",
    av.error.HTTPForbiddenError: "denies access to this user; correct the URL or the user's permissions",
    av.error.HTTPNotFoundError: "has no such stream; correct the path in the URL",
    av.error.EOFError: "closes the connection without an answer; check port and URL, and how many viewers the camera allows",
}


@dataclass(frozen=True, slots=True)
class Address:
    """Arguments for FFmpeg. shown: the address without credentials, for texts."""

    url: str
    shown: str
    format: str | None = None
    options: dict[str, str] = field(default_factory=dict)


class LiveSource(Source):
    """Base class of kinds that never end. `options`: from `read_options`, with `COMMON` among them."""

    def __init__(self, spec: SourceSpec, options: dict[str, object]) -> None:
        super().__init__(spec)
        self._open_s = float(str(options["open_timeout_s"]))
        self._read_s = float(str(options["read_timeout_s"]))
        self._threads = int(str(options["threads"]))
        self._rotate = rotate_option(spec, str(options["rotate"]))
        self._using = threading.Lock()  # held by the thread that uses the container in FFmpeg
        self._container: InputContainer | None = None
        self._decoders = decoder_options.decoder_choice(spec, options)
        self._decoder_process: DecoderProcess | None = None
        self._decoded: Iterator[VideoFrame] = iter(())
        self._fault: EdgefleetError | None = None
        self._received = False  # whether a packet has come
        self._times = ArrivalTimes()
        self._losses = DecodeLosses()
        self._gates = False
        self._keyframes_only = False
        self._pending: PendingPackets | None = None  # where pictures may come late, or not at all

    @property
    def decoder_pid(self) -> int:
        """Process id of the decoder program; 0 if there is none."""
        return self._decoder_process.pid if self._decoder_process is not None else 0

    @abstractmethod
    def address(self) -> Address:
        """The address and options to open."""

    def began(self, origin_s: float) -> None:
        """Called with every picture. origin_s: monotonic time of media time 0."""

    def gate(self) -> DecodeGate:
        """The gate of this connection, if the kind has one."""
        return BitrateGate()

    def open(self) -> SourceInfo:
        """Connect and read the first packets.

        Raises:
            UnavailableError: no answer, or no video now. MissingError: a codec this build lacks.
        """
        address = self.address()
        check_reachable(address)
        began_s = time.monotonic()
        try:
            container = open_container(
                address.url, format=address.format, options=address.options, timeout=(self._open_s, self._read_s)
            )
        except (av.error.FFmpegError, OSError, ValueError) as cause:
            # FFmpeg takes the silence of an RTSP server for data that are none.
            silent = isinstance(cause, av.error.InvalidDataError) and time.monotonic() - began_s > 0.9 * self._read_s
            reason = av.error.TimeoutError(0, "") if silent else cause
            if isinstance(reason, av.error.InvalidDataError) and closes_unanswered(address.url):
                reason = av.error.EOFError(0, "")
            if getattr(reason, "errno", None) == errno.EPROTONOSUPPORT and "rtsp_transport" in address.options:  # RTSP status 461
                raise _other_transport(address) from cause
            raise refused(address.shown, reason, NO_VIDEO) from cause
        self._container = container
        try:
            stream = self._stream(address, container)
        except (UnavailableError, MissingError):
            self.close()
            raise
        fps = min(self._fps(stream), self.spec.fps or FPS_RANGE[1])
        codec = stream.codec_context.name
        if self._gates or self._decoders is not None:
            self._pending = PendingPackets()
        self._losses = DecodeLosses(1.0 / fps, live=True)
        turn = CLOCKWISE.get(self._rotate, UPRIGHT)
        if self._decoders is None:
            return SourceInfo(*turn.size(stream.width, stream.height), fps, 0, codec)
        try:
            first = self._first_from_process(DecoderProcess(self._decoders, stream, address.shown, 2.0 * self._open_s), container)
        except EdgefleetError:
            self.close()
            raise
        return SourceInfo(*turn.size(first.width, first.height), fps, 0, codec)

    def frames(self) -> Iterator[Frame]:
        """The frames as they come.

        Raises:
            UnavailableError: silence for `read_timeout_s`, the end of the connection, or nothing but garbage.
        """
        thinner, times, rotation = Thinner(self.spec.fps), self._times, StreamRotation(self._rotate)
        index = 0
        try:
            for picture in self._pictures():
                if picture.width * picture.height > PIXELS_MAX:
                    shown = self.address().shown
                    raise UnavailableError(
                        f"{shown}: frames of {picture.width}x{picture.height} exceed the limit; set a lower resolution"
                    )
                pts_s, arrived_s, missed = self._timing(picture)
                media_s = times.place(pts_s, arrived_s)
                if not self._gates:  # a gate skips pictures on purpose
                    missed = max(missed, self._losses.picture(media_s))
                    self.lost += missed
                self.began(times.origin_s or 0.0)
                index += missed
                if thinner.takes(media_s):
                    yield as_frame(picture, index, media_s, rotation.turn(picture))
                index += 1
        finally:
            self._discard()

    def close(self) -> None:
        """End `frames` soon; the thread that uses the connection closes it, at the latest after `read_timeout_s`."""
        self.stop()
        self._discard()

    def stop(self) -> None:
        """Make `frames` end soon, and the decoder program."""
        super().stop()
        if self._decoder_process is not None:
            self._decoder_process.close()

    def _fps(self, stream: VideoStream) -> float:
        """Frames a second that the stream declares."""
        for rate in (stream.average_rate, stream.guessed_rate):
            if rate and FPS_RANGE[0] <= rate <= FPS_RANGE[1]:
                return float(rate)
        return FPS_UNKNOWN

    def _stream(self, address: Address, container: InputContainer) -> VideoStream:
        if not container.streams.video:
            raise UnavailableError(f"{address.shown} provides no video; check the URL")
        stream = container.streams.video[0]
        if stream.codec_context is None:
            raise MissingError(f"{address.shown}: its codec is not supported by this build of FFmpeg; set the camera to H.264")
        if stream.width * stream.height > PIXELS_MAX:
            raise UnavailableError(
                f"{address.shown}: frames of {stream.width}x{stream.height} exceed the limit; set a lower resolution"
            )
        stream.thread_type = "AUTO"
        stream.codec_context.thread_count = self._threads
        return stream

    def _pictures(self) -> Iterator[VideoFrame]:
        container = self._container
        if self._decoder_process is not None:
            yield from self._decoded
            if self._fault is not None:
                raise self._fault
        elif container is not None:
            for pictures in self._through(container, container.streams.video[0].decode):
                yield from pictures

    def _first_from_process(self, process: DecoderProcess, container: InputContainer) -> VideoFrame:
        """Start a decoder program and wait for its first picture: a program that does not work is detected at once."""
        self._decoder_process = process
        threading.Thread(target=self._hand_on, args=(process, container), name="packets", daemon=True).start()
        pictures = process.pictures()
        first = next(pictures, None)
        if first is None:
            raise self._fault or UnavailableError(f"{self.address().shown} was closed")
        self._decoded = itertools.chain([first], pictures)
        return first

    def _hand_on(self, process: DecoderProcess, container: InputContainer) -> None:
        try:
            with faults_as_losses(self.address().shown):
                for _ in self._through(container, process.put):
                    self.alive_at_s = time.monotonic()
        except EdgefleetError as error:
            self._fault = error
        finally:
            process.close()
            self._discard()

    def _through(self, container: InputContainer, decode: Decode) -> Iterator[list[VideoFrame]]:
        """Pass every packet through gate and decoder; yields the pictures that are due after each."""
        decoder = GatedDecoder(decode, self.gate(), self.gated, self.trigger) if self._gates else None
        undecoded = UndecodedPackets() if decoder is None and self._decoder_process is None else None
        damaged = 0
        for packet, media_s in self._packets(container):
            if self._pending is None:
                self._losses.packet(damaged=packet.is_corrupt)
            with self._using:
                if self._container is None:
                    return
                try:
                    pictures, damaged = decoder.decode(packet, media_s) if decoder else decode(packet), 0
                except av.error.FFmpegError as cause:
                    pictures, damaged = [], damaged + 1
                    if self.ring is not None:
                        self.ring.mark_damaged()
                    if damaged > DAMAGED_PACKETS_MAX:
                        shown = self.address().shown
                        raise UnavailableError(f"{shown} provides nothing that can be decoded ({error_text(cause)})") from cause
            self.gate_packets += decoder is not None
            if undecoded is not None:
                self._note_undecoded(undecoded.add(len(pictures), time.monotonic()))
            yield pictures

    def _note_undecoded(self, spent_s: float) -> None:
        """Take note that packets have given no picture for some time, 0 if they do: the source is alive, but shows nothing."""
        self.silence = f"{self.address().shown} {UNDECODED}" if spent_s else ""
        if spent_s > GIVEN_UP_S:
            raise UnavailableError(self.silence)
        if spent_s:
            self.alive_at_s = time.monotonic()

    def _packets(self, container: InputContainer) -> Iterator[tuple[av.Packet[VideoStream], float]]:
        """Packets as they come, also put into the ring, with the expected media time of their pictures.

        Raises:
            UnavailableError: silence for `read_timeout_s`, the end of the connection, or nothing but garbage.
        """
        shown = self.address().shown
        stream = container.streams.video[0]
        base = stream.time_base or Fraction(1, 90_000)
        if self.ring is not None:
            self.ring.begin(stream, self._rotate)
        packets, times = container.demux(stream), RepeatedTimes()
        while not self.closing.is_set():
            with self._using:
                if self._container is None:
                    return
                try:
                    packet = next(packets, None)
                except (av.error.FFmpegError, OSError) as cause:
                    raise refused(shown, cause, self._silence(stream)) from cause
            if packet is None or not packet.size:
                raise UnavailableError(f"{shown} closed the connection; retrying, restart the camera if this repeats")
            self._received = True
            arrived_s = time.monotonic()
            if times.repeats(packet.pts):
                packet.pts = packet.dts = None
            pts_s = seconds(packet.pts, base) if packet.pts is not None else None
            media_s = self._times.expect(pts_s, arrived_s)
            if self.ring is not None and (pts_s is not None or times.constant):  # without times its clips are of frames
                self.ring.add(packet, media_s)
            if self._keyframes_only and not packet.is_keyframe:
                continue
            if self._pending is not None:
                packet.pts, packet.dts, packet.time_base = self._pending.add(pts_s, arrived_s), None, MICROSECOND
            yield packet, media_s

    def _silence(self, stream: VideoStream) -> str:
        """The text for the end of packets. A stream without a size has given nothing that could be decoded."""
        if not self._received:
            return NO_VIDEO
        return "stopped sending; retrying, restart the camera if this lasts" if stream.width else UNDECODED

    def _timing(self, picture: VideoFrame) -> tuple[float | None, float, int]:
        """The camera's time of a picture, the arrival of its packet, and the number of packets before it that gave no picture."""
        now_s, base = time.monotonic(), picture.time_base or Fraction(1, 90_000)
        if picture.pts is None:
            return None, now_s, 0
        if self._pending is None:
            return seconds(picture.pts, base), now_s, 0
        packet, missed = self._pending.match(picture.pts if base == MICROSECOND else round(picture.pts * base / MICROSECOND))
        return (packet.pts_s, packet.arrived_s, missed) if packet is not None else (None, now_s, missed)

    def _discard(self) -> None:
        """Close the container unless another thread is using it, which will then close it."""
        if self._using.acquire(blocking=False):
            try:
                container, self._container = self._container, None
                if container is not None:
                    container.close()
            finally:
                self._using.release()


def checked_url(spec: SourceSpec, url: str, schemes: tuple[str, ...]) -> str:
    """Returns `url` if it is valid for this kind.

    Raises:
        PipelineError: another scheme, no host, or an invalid port.
    """
    example = f"use one like {schemes[0]}://user:password@192.168.1.20/path"
    try:
        parts = urlsplit(url)
        usable = parts.scheme in schemes and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        usable = False
    if not usable or any(letter <= " " for letter in url):
        raise PipelineError(f"source of kind {spec.kind!r}: {redact(url)!r}: invalid URL; {example}")
    return url


def check_reachable(address: Address) -> None:
    """Check that the host accepts a connection: a quick answer for one that is offline.

    Raises:
        UnavailableError: it does not.
    """
    parts = urlsplit(address.url)
    ports = {"rtsp": 554, "rtsps": 322, "http": 80, "https": 443}
    if parts.scheme not in ports or parts.hostname is None:
        return
    try:
        socket.create_connection((parts.hostname, parts.port or ports[parts.scheme]), CONNECT_PROBE_TIMEOUT_S).close()
    except OSError as cause:
        reason = cause.strerror or "no answer"
        raise UnavailableError(f"{address.shown} does not respond ({reason}); check power, cable and URL") from cause


def refused(shown: str, cause: Exception, silence: str) -> UnavailableError:
    """The error for `cause`. silence: the text for a time-out."""
    for kind, text in _REFUSALS.items():
        if isinstance(cause, kind):
            return UnavailableError(f"{shown} {text}")
    if isinstance(cause, (av.error.ExitError, av.error.TimeoutError)):
        return SilentSourceError(f"{shown} {silence}")
    if isinstance(cause, MediaError | av.error.InvalidDataError):
        return UnavailableError(f"{shown} responds with something other than video; check the URL")
    return UnavailableError(f"{shown} cannot be read ({error_text(cause)}); check the camera and the URL")


def _other_transport(address: Address) -> UnavailableError:
    """The error for a camera that does not offer the transport."""
    used = address.options["rtsp_transport"]
    other = "udp" if used == "tcp" else "tcp"
    return UnavailableError(f'{address.shown} does not send over {used}; set transport = "{other}" in [source.options]')
