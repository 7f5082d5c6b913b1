"""GStreamer as a process of its own: the way to the decoders of Jetson, Raspberry Pi, Rockchip and Intel."""

from __future__ import annotations

import re

from agent.contract.pipeline import SourceSpec
from agent.errors import PipelineError
from agent.sources.live import RANGES, checked_url
from agent.sources.options import Value, read_options
from agent.sources.y4m import ProgramSource

CODECS = {"h264": ("rtph264depay", "h264parse", "avdec_h264"), "h265": ("rtph265depay", "h265parse", "avdec_h265")}
OPTIONS: dict[str, Value] = {
    "codec": "h264",
    "decoder": "",
    "convert": "videoconvert",
    "transport": "tcp",
    "latency_ms": 100,
    "open_timeout_s": 10.0,
    "read_timeout_s": 5.0,
}
_ELEMENT = re.compile(r"^[a-z][a-z0-9_]{0,40}$")


class GstreamerSource(ProgramSource):
    """Kind `gstreamer`: `uri` is an RTSP address.

    Options: `codec` (`h264`, `h265`), `decoder` (`nvv4l2decoder`, `v4l2h264dec`, `vah264dec`, `mppvideodec`, ...; FFmpeg's in
    software), `convert` (`nvvidconv` on a Jetson; `videoconvert`), `transport`, `latency_ms` (100), `open_timeout_s` (10),
    `read_timeout_s` (5). No clips: packets do not pass through here.

    Raises:
        PipelineError: an address or an option that cannot be.
    """

    program = "gst-launch-1.0"
    package = "gstreamer1.0-tools gstreamer1.0-plugins-good gstreamer1.0-libav"

    def __init__(self, spec: SourceSpec) -> None:
        options = read_options(spec, OPTIONS, {**RANGES, "latency_ms": (0, 10_000)})
        super().__init__(spec, options)
        checked_url(spec, spec.uri, ("rtsp", "rtsps"))
        if options["codec"] not in CODECS or options["transport"] not in ("tcp", "udp"):
            raise PipelineError("source of kind 'gstreamer': codec is 'h264' or 'h265', transport 'tcp' or 'udp'")
        if not all(_ELEMENT.match(options[name]) for name in ("decoder", "convert") if options[name]):
            raise PipelineError("source of kind 'gstreamer': decoder and convert are names of elements, like nvv4l2decoder")
        self._options = options

    def arguments(self) -> list[str]:
        """One chain of elements, with every word an argument of its own: nothing in an address is taken for an element."""
        options = self._options
        depay, parse, software = CODECS[options["codec"]]
        source = ["rtspsrc", f"location={self.spec.uri}", f"protocols={options['transport']}", f"latency={options['latency_ms']}"]
        limits = [f"tcp-timeout={round(self._open_s * 1e6)}", f"timeout={round(self._read_s * 1e6)}"]
        chain = [depay, parse, options["decoder"] or software, options["convert"], "video/x-raw,format=I420", "y4menc"]
        words = [*source, *limits]
        for element in chain:
            words += ["!", element]
        return ["-q", *words, "!", "fdsink", "fd=1", "sync=false"]
