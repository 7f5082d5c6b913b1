"""The second decoder: the system's own FFmpeg as a process, with the hardware decoders that vendors build into it."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from agent.contract.pipeline import SourceSpec
from agent.errors import PipelineError
from agent.sources.live import RANGES
from agent.sources.options import Value, read_options
from agent.sources.y4m import ProgramSource

HWACCELS = ("", "auto", "cuda", "drm", "qsv", "rkmpp", "vaapi", "vdpau", "vulkan")
LIVE = {"rtsp": "tcp,udp,rtp,tls,crypto", "rtsps": "tcp,udp,rtp,srtp,tls,crypto", "http": "tcp,crypto", "https": "tcp,tls,crypto"}
OPTIONS: dict[str, Value] = {
    "hwaccel": "",
    "decoder": "",
    "device": "",
    "transport": "tcp",
    "width": 0,
    "height": 0,
    "open_timeout_s": 10.0,
    "read_timeout_s": 5.0,
}
_DECODER = re.compile(r"^[a-z0-9_]{0,40}$")
_DEVICE = re.compile(r"^(/dev/[A-Za-z0-9/_-]{1,60}|[0-9]{0,2})$")


class FfmpegSource(ProgramSource):
    """Kind `ffmpeg`: `uri` is an RTSP or HTTP address, or a file.

    Options: `hwaccel` (`vaapi`, `qsv`, `cuda`, `drm`, `rkmpp`, `vulkan`, `vdpau`, `auto`; none), `decoder` (`h264_v4l2m2m`,
    `hevc_cuvid`, `h264_nvmpi`, ...; FFmpeg's choice), `device` (`/dev/dri/renderD128`, or the number of a GPU), `width` and
    `height` (pictures are made so large), `transport` (`tcp`, `udp`), `open_timeout_s` (10), `read_timeout_s` (5). No clips:
    packets do not pass through here.

    Raises:
        PipelineError: an address or an option that cannot be.
    """

    program = "ffmpeg"
    package = "ffmpeg"

    def __init__(self, spec: SourceSpec) -> None:
        sides = (0, 16384)
        options = read_options(spec, OPTIONS, {**RANGES, "width": sides, "height": sides})
        super().__init__(spec, options)
        self._options = options
        scheme = urlsplit(spec.uri).scheme
        if not spec.uri or spec.uri.startswith("-") or ("://" in spec.uri and scheme not in LIVE):
            raise PipelineError("source of kind 'ffmpeg': give an address of rtsp, rtsps, http or https, or the path of a file")
        if options["hwaccel"] not in HWACCELS:
            raise PipelineError(f"source of kind 'ffmpeg': hwaccel {options['hwaccel']!r}; known are {', '.join(HWACCELS[1:])}")
        if not _DECODER.match(options["decoder"]) or not _DEVICE.match(options["device"]):
            raise PipelineError(
                "source of kind 'ffmpeg': decoder is a name like h264_v4l2m2m, device one like /dev/dri/renderD128"
            )
        if bool(options["width"]) is not bool(options["height"]) or options["transport"] not in ("tcp", "udp"):
            raise PipelineError("source of kind 'ffmpeg': give width and height together; transport is 'tcp' or 'udp'")
        self._live = "://" in spec.uri

    def arguments(self) -> list[str]:
        """Before the input what decodes it, behind it what becomes of it."""
        options, scheme = self._options, urlsplit(self.spec.uri).scheme
        words = ["-nostdin", "-hide_banner", "-loglevel", "error"]
        words += ["-hwaccel", options["hwaccel"]] if options["hwaccel"] else []
        words += ["-hwaccel_device", options["device"]] if options["device"] and options["hwaccel"] else []
        words += ["-c:v", options["decoder"]] if options["decoder"] else []
        if scheme.startswith("rtsp") and self._live:
            words += ["-rtsp_transport", options["transport"], "-timeout", str(round(self._read_s * 1e6))]
        words += ["-protocol_whitelist", LIVE[scheme] + f",{scheme}" if self._live else "file"]
        words += ["-fflags", "nobuffer"] if self._live else ["-re"] if self.spec.pace == "realtime" else []
        words += ["-stream_loop", "-1"] if self.spec.loop and not self._live else []
        words += ["-i", self.spec.uri, "-map", "0:v:0", "-an", "-sn", "-dn"]
        if options["width"]:
            words += ["-vf", f"scale={options['width']}:{options['height']}"]
        return [*words, "-pix_fmt", "yuv420p", "-fps_mode", "passthrough", "-strict", "-1", "-f", "yuv4mpegpipe", "pipe:1"]
