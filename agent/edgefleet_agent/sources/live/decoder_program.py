"""A decoder in a separate process: its input is encoded packets with their times, its output pictures with theirs.

The program receives packets only, so no address and no password is in the list of processes; and a vendor's decoder may crash or
hang there without affecting the agent. FFmpeg reads IVF and writes NUT, GStreamer reads its own data protocol (GDP) and writes
Matroska: the simplest formats that preserve the time of every packet, in any order of pictures, without delay.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import signal
import struct
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import av
from av.video.frame import VideoFrame

from edgefleet_agent.sources.av_frames import open_container
from edgefleet_contract.core.errors import MissingError

PIPE_BYTES = 1 << 20
PENDING_BYTES_MAX = 16 * 1024 * 1024
"""Limit for packets that wait for a program that does not read."""
ERROR_LINES_MAX = 5
START_S = 10.0
"""Limit for a program's first picture."""
HANG_S = 4.0
DELAY_MAX = 20
"""Packets that a decoder may hold before it gives a picture; one that took more and gave nothing for `HANG_S` hangs."""
CODECS = {"h264": b"H264", "hevc": b"HEVC", "mjpeg": b"MJPG"}
"""Supported codecs, with their FourCC in IVF."""

_CAPS = {
    "h264": "video/x-h264, stream-format=(string)byte-stream, alignment=(string)au",
    "hevc": "video/x-h265, stream-format=(string)byte-stream, alignment=(string)au",
    "mjpeg": "image/jpeg",
}
_STREAM_START = b"GstEventStreamStart, stream-id=(string)camera, flags=(GstStreamFlags)GST_STREAM_FLAG_NONE, group-id=(uint)1;\0"
_SEGMENT = (
    b'GstEventSegment, segment=(GstSegment)"segment, flags=(GstSegmentFlags)GST_SEGMENT_FLAG_NONE, rate=(double)1, '
    b"applied-rate=(double)1, format=(GstFormat)time, base=(guint64)0, offset=(guint64)0, start=(guint64)0, "
    b"stop=(guint64)18446744073709551615, time=(guint64)0, position=(guint64)0, "
    b'duration=(guint64)18446744073709551615;";\0'
)
_GDP_BUFFER, _GDP_CAPS, _GDP_EVENT = 1, 2, 64
_EVENT_STREAM_START, _EVENT_SEGMENT = 10254, 17934
_NONE = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class ProgramCommand:
    """Command line of a decoder program. package: to install if `words[0]` is missing. head: the first bytes that it reads. form:
    encodes a packet and its time in microseconds. output: the container that it writes.
    """

    words: tuple[str, ...]
    package: str
    head: bytes
    form: Callable[[bytes, int], bytes]
    output: str


def ivf_head(codec: str, width: int, height: int) -> bytes:
    """Header of an IVF stream; times are microseconds."""
    return struct.pack("<4sHH4sHHIIII", b"DKIF", 0, 32, CODECS[codec], width, height, 1_000_000, 1, 0, 0)


def ivf_packet(data: bytes, time_us: int) -> bytes:
    """One packet of IVF."""
    return struct.pack("<IQ", len(data), time_us) + data


def gdp_head(codec: str) -> bytes:
    """Header of a stream of GStreamer's data protocol (version 1.0, `gstdataprotocol`)."""
    start = _gdp(_GDP_EVENT + _EVENT_STREAM_START, _STREAM_START)
    return start + _gdp(_GDP_CAPS, _CAPS[codec].encode() + b"\0") + _gdp(_GDP_EVENT + _EVENT_SEGMENT, _SEGMENT)


def gdp_packet(data: bytes, time_us: int) -> bytes:
    """One buffer of GStreamer's data protocol."""
    return _gdp(_GDP_BUFFER, data, time_us * 1000)


def _gdp(kind: int, payload: bytes, time_ns: int = _NONE) -> bytes:
    # version 1.0, no checksums; time, duration, offset, offset's end, flags, decoding time
    return struct.pack(">BBBxHIQQQQHQ6x4x", 1, 0, 0, kind, len(payload), time_ns, _NONE, _NONE, _NONE, 0, _NONE) + payload


class DecoderProgram:
    """A started decoder. `put` belongs to one thread, `pictures` to another, the rest to any.

    Raises:
        MissingError: the program is not installed.
    """

    def __init__(self, command: ProgramCommand, start_s: float = START_S) -> None:
        path = shutil.which(command.words[0])
        if path is None:
            raise MissingError(f"the decoder requires the program {command.words[0]}: apt-get install {command.package}")
        self._command = command
        self._start_s = start_s
        self._process = subprocess.Popen(
            [path, *command.words[1:]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):  # a system that allows less: the usual 64 KiB do, too
                fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
        os.set_blocking(self._process.stdin.fileno(), False)
        self._pending = bytearray(command.head)
        self._error_lines: deque[str] = deque(maxlen=ERROR_LINES_MAX)
        self._began_s = self._picture_s = time.monotonic()
        self._waiting = 0
        self._seen = False
        self._using = threading.Lock()  # the number of a closed descriptor may be reused soon
        self.over = False
        threading.Thread(target=self._listen, name="decoder:stderr", daemon=True).start()

    @property
    def last_line(self) -> str:
        """The last line of its error output; empty if there is none."""
        return self._error_lines[-1] if self._error_lines else ""

    @property
    def pid(self) -> int:
        """Process id."""
        return self._process.pid

    def hangs(self, now_s: float) -> bool:
        """Whether it took packets and gives no pictures for them."""
        if not self._seen:
            return now_s - self._began_s > self._start_s
        return self._waiting > DELAY_MAX and now_s - self._picture_s > HANG_S

    def put(self, data: bytes, time_us: int) -> None:
        """Pass on one packet. Never waits; bytes that the program does not take now are sent with the next one."""
        self._pending += self._command.form(data, time_us)
        if not self._waiting:
            self._picture_s = time.monotonic()
        self._waiting += 1
        assert self._process.stdin is not None
        try:
            with self._using:
                del self._pending[: os.write(self._process.stdin.fileno(), self._pending)]
        except BlockingIOError:
            self.over = self.over or len(self._pending) > PENDING_BYTES_MAX
        except (OSError, ValueError):  # it ended, or was killed and closed meanwhile
            self.over = True

    def pictures(self) -> Iterator[VideoFrame]:
        """The decoded pictures, 8 bits 4:2:0, with the times in microseconds that were given with their packets. Ends with the
        program, or when its output is invalid."""
        assert self._process.stdout is not None
        options = {"fpsprobesize": "0", "analyzeduration": "0"}
        try:
            with self._using:
                pipe = os.dup(self._process.stdout.fileno())
        except (OSError, ValueError):  # it has ended already
            return
        try:
            with open_container(f"pipe:{pipe}", format=self._command.output, options=options) as output:
                for picture in output.decode(video=0):
                    self._picture_s, self._waiting, self._seen = time.monotonic(), 0, True
                    yield picture
        except (av.error.FFmpegError, OSError, ValueError, IndexError):
            return
        finally:
            os.close(pipe)
            self.kill()

    def kill(self) -> None:
        """Kill it; `pictures` ends then. Thread-safe, repeatable, never waits."""
        self.over = True
        self._process.send_signal(signal.SIGKILL)

    def _listen(self) -> None:
        """Store the last lines of its error output, and release everything when it has ended."""
        assert self._process.stderr is not None
        for line in self._process.stderr:
            text = line.decode(errors="replace").strip()[:300]
            if text:
                self._error_lines.append(text)
        self._process.wait()
        self.over = True
        with self._using:
            for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
                if pipe is not None:
                    pipe.close()
