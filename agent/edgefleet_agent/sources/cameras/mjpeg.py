"""HTTP cameras that send one JPEG after the other (multipart/x-mixed-replace): ESP32, mjpg-streamer and many more."""

from __future__ import annotations

import contextlib
import statistics
import time
from itertools import pairwise

import av
from av.video.stream import VideoStream

from edgefleet_agent.sources.live.live_source import COMMON, FPS_RANGE, FPS_UNKNOWN, RANGES, Address, LiveSource, checked_url
from edgefleet_agent.sources.options import Value, read_options
from edgefleet_agent.sources.redact import redact
from edgefleet_contract.pipeline.spec import SourceSpec

SCHEMES = ("http", "https")
OPTIONS: dict[str, Value] = {"rate": 0.0, **COMMON}
"""rate: frames a second that the camera sends, 0 to measure it."""
MEASURED = 6
"""Number of pictures for measuring the rate."""
MEASURE_S_MAX = 1.5


class MjpegSource(LiveSource):
    """Kind `mjpeg`: `uri` is the address of the stream. Options: `rate`, `open_timeout_s` (5), `read_timeout_s` (3), `threads`.

    Such a stream does not declare its rate. Unless `rate` is given, it is measured over the first pictures, for a second and a
    half at most.

    Raises:
        PipelineError: an invalid address or option.
    """

    def __init__(self, spec: SourceSpec) -> None:
        options = read_options(spec, OPTIONS, {**RANGES, "rate": (0.0, FPS_RANGE[1])})
        super().__init__(spec, options)
        self._url = checked_url(spec, spec.uri, SCHEMES)
        self._rate: float = options["rate"]

    def address(self) -> Address:
        """Address of the stream. Its parts carry no times; arrival times are used."""
        options = {"protocol_whitelist": "http,https,httpproxy,tcp,tls,crypto", "use_wallclock_as_timestamps": "1"}
        return Address(self._url, redact(self._url), "mpjpeg", options)

    def _fps(self, stream: VideoStream) -> float:
        if self._rate:
            return self._rate
        container = self._container
        if container is None:
            return FPS_UNKNOWN
        began_s = time.monotonic()
        moments: list[float] = []
        with contextlib.suppress(av.error.FFmpegError, OSError):  # its reader meets and reports what ends it
            for packet in container.demux(stream):  # late because of the stream's analysis, and not needed otherwise
                moments.append(time.monotonic())
                self._received = self._received or packet.size > 0
                if packet.size == 0 or len(moments) > MEASURED or moments[-1] - began_s > MEASURE_S_MAX:
                    break
        steps = [after - before for before, after in pairwise(moments)]
        step_s = statistics.median(steps) if steps else 0.0
        return min(max(1.0 / step_s, FPS_RANGE[0]), FPS_RANGE[1]) if step_s > 1.0 / FPS_RANGE[1] else FPS_UNKNOWN
