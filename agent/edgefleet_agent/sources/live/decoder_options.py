"""Decoder programs and their options: `decode`, `hwaccel`, `decoder`, `device`, `convert` of live sources."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from edgefleet_agent.sources.live.decoder_program import ProgramCommand, gdp_head, gdp_packet, ivf_head, ivf_packet
from edgefleet_agent.sources.options import Value
from edgefleet_agent.sources.rotation import AUTO
from edgefleet_contract.core.errors import PipelineError
from edgefleet_contract.pipeline.spec import SourceSpec

PROGRAMS = ("ffmpeg", "gstreamer")
HWACCELS = ("", "auto", "cuda", "drm", "qsv", "rkmpp", "vaapi", "vdpau", "vulkan")
OPTIONS: dict[str, Value] = {"decode": "", "hwaccel": "", "decoder": "", "device": "", "convert": ""}
_PARSERS = {"h264": ("h264parse", "avdec_h264"), "hevc": ("h265parse", "avdec_h265"), "mjpeg": ("jpegparse", "jpegdec")}
_NAME = re.compile(r"^[a-z][a-z0-9_]{0,40}$")
_DEVICE = re.compile(r"^(/dev/[A-Za-z0-9/_-]{1,60}|[0-9]{1,2})$")


@dataclass(frozen=True, slots=True)
class DecoderChoice:
    """A decoder program. Empty options leave the choice to it. autorotate: FFmpeg turns pictures as the stream declares."""

    program: str
    hwaccel: str = ""
    decoder: str = ""
    device: str = ""
    convert: str = ""
    autorotate: bool = True

    def command(self, codec: str, width: int, height: int) -> ProgramCommand:
        """The program's command line for a stream. No part of it comes from an address."""
        return self._ffmpeg(codec, width, height) if self.program == "ffmpeg" else self._gstreamer(codec)

    def _ffmpeg(self, codec: str, width: int, height: int) -> ProgramCommand:
        """One thread on either side: threads hold pictures back."""
        words = ["ffmpeg", "-nostdin", "-hide_banner", "-loglevel", "error", "-threads", "1", "-fpsprobesize", "0"]
        words += ["-hwaccel", self.hwaccel] if self.hwaccel else []
        words += ["-hwaccel_device", self.device] if self.device else []
        words += ["-c:v", self.decoder] if self.decoder else []
        words += [] if self.autorotate else ["-noautorotate"]
        words += ["-protocol_whitelist", "pipe", "-f", "ivf", "-i", "pipe:0", "-map", "0:v:0", "-copyts"]
        words += ["-fps_mode", "passthrough", "-enc_time_base", "1:1000000", "-pix_fmt", "yuv420p", "-threads", "1"]
        words += ["-c:v", "rawvideo", "-flush_packets", "1", "-f", "nut", "pipe:1"]
        return ProgramCommand(tuple(words), "ffmpeg", ivf_head(codec, width, height), ivf_packet, "nut")

    def _gstreamer(self, codec: str) -> ProgramCommand:
        parse, software = _PARSERS[codec]
        chain = [parse, self.decoder or software, self.convert or "videoconvert", "video/x-raw,format=I420"]
        words = ["gst-launch-1.0", "-q", "fdsrc", "fd=0", "!", "gdpdepay"]
        for element in chain:
            words += ["!", element]
        words += ["!", "matroskamux", "streamable=true", "!", "fdsink", "fd=1", "sync=false"]
        package = "gstreamer1.0-tools gstreamer1.0-plugins-good gstreamer1.0-plugins-bad gstreamer1.0-libav"
        return ProgramCommand(tuple(words), package, gdp_head(codec), gdp_packet, "matroska")


def decoder_choice(spec: SourceSpec, options: Mapping[str, object]) -> DecoderChoice | None:
    """The program that the options name; None if pictures are decoded in this process.

    Raises:
        PipelineError: an invalid option.
    """
    program, *words = (str(options[name]) for name in OPTIONS)
    hwaccel, decoder, device, convert = words
    where = f"source of kind {spec.kind!r}"
    if program not in ("", *PROGRAMS):
        raise PipelineError(f"{where}: decode {program!r}: must be 'ffmpeg' or 'gstreamer', or omitted")
    if any(words) and not program:
        raise PipelineError(f"{where}: hwaccel, decoder, device and convert require decode = 'ffmpeg' or 'gstreamer'")
    foreign = convert if program == "ffmpeg" else hwaccel or device
    if foreign:
        raise PipelineError(f"{where}: hwaccel and device require decode = 'ffmpeg', convert requires decode = 'gstreamer'")
    if hwaccel not in HWACCELS:
        raise PipelineError(f"{where}: hwaccel {hwaccel!r}; known are {', '.join(HWACCELS[1:])}")
    if device and not (hwaccel and _DEVICE.match(device)):
        raise PipelineError(
            f"{where}: device must be a path like /dev/dri/renderD128 or the number of a GPU, and requires hwaccel"
        )
    if not all(_NAME.match(name) for name in (decoder, convert) if name):
        raise PipelineError(f"{where}: decoder and convert must be names like h264_v4l2m2m or nvv4l2decoder")
    autorotate = options.get("rotate", AUTO) == AUTO
    return DecoderChoice(program, hwaccel, decoder, device, convert, autorotate) if program else None
