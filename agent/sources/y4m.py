"""Pictures that another program decodes and writes as YUV4MPEG2, which says its own size and rate.

The program is a process of its own: a vendor's decoder may crash or hang there without taking anything along. Its output is a
pipe of bounded size, so it never runs ahead; one that gives nothing for `read_timeout_s` is killed.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import select
import shutil
import signal
import subprocess
import threading
import time
from abc import abstractmethod
from collections import deque
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from agent.contract.pipeline import SourceSpec
from agent.errors import MissingError, UnavailableError
from agent.sources.base import Source, SourceInfo
from agent.sources.decode import PIXELS_MAX
from agent.sources.live import FPS_RANGE, FPS_UNKNOWN, ArrivalTimes
from agent.sources.pace import Thinner
from agent.sources.redact import redact
from agent.vision.frame import Frame

PIPE_BYTES = 1 << 20
HEAD_BYTES_MAX = 512
SAID_LINES = 5
KILL_S = 2.0
_FIELD = re.compile(rb"^YUV4MPEG2((?: [A-Z][!-~]+)+)\n$")


class ProgramSource(Source):
    """Base of the kinds that let another program decode. `options` is what `read_options` gave, the time-outs among them."""

    program = ""
    package = ""

    def __init__(self, spec: SourceSpec, options: dict[str, object]) -> None:
        super().__init__(spec)
        self._open_s = float(str(options["open_timeout_s"]))
        self._read_s = float(str(options["read_timeout_s"]))
        self._process: subprocess.Popen[bytes] | None = None
        self._said: deque[str] = deque(maxlen=SAID_LINES)
        self._size = (0, 0)
        self._full_range = False
        self._fps = FPS_UNKNOWN

    @abstractmethod
    def arguments(self) -> list[str]:
        """What the program is started with."""

    def open(self) -> SourceInfo:
        """Start the program and read how large its pictures are.

        Raises:
            MissingError: the program is not installed. UnavailableError: it gives no picture.
        """
        path = shutil.which(self.program)
        if path is None:
            raise MissingError(
                f"source of kind {self.spec.kind!r} needs the program {self.program}: apt-get install {self.package}"
            )
        self._process = subprocess.Popen(
            [path, *self.arguments()], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
        )
        assert self._process.stdout is not None
        with contextlib.suppress(OSError):  # a system that allows less: the usual 64 KiB do, too
            fcntl.fcntl(self._process.stdout, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
        threading.Thread(target=self._listen, args=(self._process,), name="decoder:said", daemon=True).start()
        self._read_head(time.monotonic() + self._open_s)
        return SourceInfo(*self._size, min(self._fps, self.spec.fps or FPS_RANGE[1]), 0, "rawvideo")

    def frames(self) -> Iterator[Frame]:
        """The frames as they come, or as fast as they are pulled.

        Raises:
            UnavailableError: the program ended, or gave nothing for `read_timeout_s`.
        """
        width, height = self._size
        half = ((width + 1) // 2, (height + 1) // 2)
        lengths = (width * height, half[0] * half[1], half[0] * half[1])
        thinner, times = Thinner(self.spec.fps), ArrivalTimes()
        index = 0
        while not self.closing.is_set():
            mark = self._read(6)
            if mark is None:
                return
            while mark[-1:] != b"\n":  # parameters of a frame, which nobody needs
                mark = self._read(1) or b"\n"
            data = self._read(sum(lengths))
            if data is None:
                return
            now_s = time.monotonic()
            fast = self.spec.pace == "fast"
            media_s = index / self._fps if fast else times.place(None, now_s)
            if thinner.takes(media_s):
                pixels = np.frombuffer(data, np.uint8)
                y, u, v = np.split(pixels, (lengths[0], lengths[0] + lengths[1]))
                planes = (y.reshape(height, width), u.reshape(half[1], half[0]), v.reshape(half[1], half[0]))
                yield Frame(index, media_s, now_s, width, height, "i420", planes, self._full_range)
            index += 1

    def close(self) -> None:
        """Kill the program."""
        self.stop()
        process, self._process = self._process, None
        if process is None:
            return
        process.send_signal(signal.SIGKILL)
        with contextlib.suppress(subprocess.TimeoutExpired):  # in the kernel's hands (a dead disk, a dead driver)
            process.wait(KILL_S)
        for pipe in (process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()

    def _read_head(self, until_s: float) -> None:
        head = b""
        while not head.endswith(b"\n"):
            byte = self._read(1, until_s)
            if byte is None or len(head) > HEAD_BYTES_MAX:
                raise self._lost("gives no picture")
            head += byte
        match = _FIELD.match(head)
        fields = {field[:1]: field[1:].decode("ascii", "replace") for field in match[1].split()} if match else {}
        try:
            width, height = int(fields[b"W"]), int(fields[b"H"])
            rate = Fraction(fields.get(b"F", "25:1").replace(":", "/"))
        except (KeyError, ValueError, ZeroDivisionError) as cause:
            raise self._lost("gives something that is no YUV4MPEG2") from cause
        chroma = fields.get(b"C", "420jpeg")
        if not chroma.startswith("420") or "p1" in chroma or not 0 < width * height <= PIXELS_MAX:
            raise self._lost(f"gives pictures of {width}x{height} as {chroma}, which are refused")
        self._size = (width, height)
        self._full_range = fields.get(b"X", "") == "COLORRANGE=FULL"
        self._fps = float(rate) if FPS_RANGE[0] <= rate <= FPS_RANGE[1] else FPS_UNKNOWN

    def _read(self, length: int, until_s: float | None = None) -> bytes | None:
        """Exactly so many bytes; None when the source is closed, or a file has come to its end.

        Raises:
            UnavailableError: the program ended or hangs.
        """
        ends_s = until_s if until_s is not None else time.monotonic() + self._read_s
        data = bytearray()
        while len(data) < length:
            process = self._process
            if self.closing.is_set() or process is None or process.stdout is None:
                return None
            ready, _, _ = select.select([process.stdout], [], [], 0.25)
            if not ready:
                if time.monotonic() > ends_s:
                    raise self._lost("went silent")
                continue
            part = os.read(process.stdout.fileno(), min(length - len(data), PIPE_BYTES))
            if not part:
                if self.spec.pace == "fast" and process.wait(KILL_S) == 0 and not data:
                    return None
                raise self._lost("ended")
            data += part
        return bytes(data)

    def _lost(self, what: str) -> UnavailableError:
        said = f" ({self._said[-1]})" if self._said else ""
        return UnavailableError(f"{redact(self.spec.uri)}: {self.program} {what}{said}; it is tried again")

    def _listen(self, process: subprocess.Popen[bytes]) -> None:
        """Keep the last lines that it says, without credentials."""
        assert process.stderr is not None
        with contextlib.suppress(ValueError, OSError):  # closed under us
            for line in process.stderr:
                text = redact(line.decode(errors="replace").strip())[:300]
                if text:
                    self._said.append(text)
