"""IP cameras: RTSP over TCP or UDP, H.264, H.265 or anything else that FFmpeg decodes."""

from __future__ import annotations

from edgefleet_agent.sources.base import SourceInfo
from edgefleet_agent.sources.bitrate_gate import DecodeGate, TriggerGate
from edgefleet_agent.sources.live.live_source import COMMON, RANGES, Address, LiveSource, checked_url
from edgefleet_agent.sources.live.main_stream import MainStream
from edgefleet_agent.sources.live.onvif_events import OnvifWatch
from edgefleet_agent.sources.options import Value, gate_option, read_options
from edgefleet_agent.sources.redact import redact
from edgefleet_contract.core.errors import PipelineError
from edgefleet_contract.pipeline.spec import SourceSpec

SCHEMES = ("rtsp", "rtsps")
OPTIONS: dict[str, Value] = {"transport": "tcp", "substream": "", "keyframes_only": False, "gate": "", "onvif": "", **COMMON}
PROBE_US = 500_000
"""Time of a stream that is analysed before its first picture. Most cameras declare codec and size at once; others are known
after the first decoded picture."""


class RtspSource(LiveSource):
    """Kind `rtsp`: `uri` is the camera's main stream.

    Options: `substream`, the address of the camera's small stream: then that one is decoded, and clips are cut from `uri`.
    `transport` `tcp` (default) or `udp`. `keyframes_only`: decode key frames only, about one a second, for hardly any work.
    `gate` `packets`: the same while nothing happens, everything when the packets grow (see `bitrate_gate`); `onvif`: everything
    while the camera reports motion, at its event service `onvif` (`http://host/onvif/event_service`); `trigger`: while an
    external trigger is active (see `trigger`), which opens the other gates, too.
    `open_timeout_s` (5), `read_timeout_s` (3), `threads` of the decoder (1), `rotate` (see `rotation`). `decode` `ffmpeg` or
    `gstreamer`: by that program, with `hwaccel`, `decoder`, `device`, `convert` (see `decoder_options`).

    Raises:
        PipelineError: an invalid address or option.
    """

    def __init__(self, spec: SourceSpec) -> None:
        options = read_options(spec, OPTIONS, RANGES)
        super().__init__(spec, options)
        if options["transport"] not in ("tcp", "udp"):
            raise PipelineError(f"source of kind 'rtsp': transport {options['transport']!r} must be 'tcp' or 'udp'")
        checked_url(spec, spec.uri, SCHEMES)
        self._url = checked_url(spec, options["substream"] or spec.uri, SCHEMES)
        self._transport: str = options["transport"]
        self._keyframes_only = options["keyframes_only"]
        self._gate_kind = gate_option(spec, options["gate"], ("packets", "onvif", "trigger"))
        self._gates = bool(self._gate_kind)
        self._onvif = checked_url(spec, options["onvif"], ("http", "https")) if self._gate_kind == "onvif" else ""
        self._watch: OnvifWatch | None = None
        self._main: MainStream | None = None

    def gate(self) -> DecodeGate:
        """The gate by packet sizes, by the camera's ONVIF events, or by the trigger only."""
        if self._gate_kind == "packets":
            return super().gate()
        gate = TriggerGate()
        if self._gate_kind == "trigger":
            gate.set_active(False)
            return gate
        self._watch = OnvifWatch(self._onvif, gate.set_active)
        self._watch.start()
        return gate

    def open(self) -> SourceInfo:
        """Connect to the decoded stream; if clips are requested and that is the small stream, also to the main stream.

        Raises:
            UnavailableError: no answer, or no video now. MissingError: a codec this build lacks.
        """
        info = super().open()
        ring = self.ring
        if ring is not None and ring.main_stream and self._url != self.spec.uri:
            self.ring = None  # the main stream's from now on, which decides whether its packets are copied
            ring.wants_frames = False
            self._main = MainStream(self._at(self.spec.uri), ring, (self._open_s, self._read_s), self._rotate)
            self._main.start()
        return info

    def began(self, origin_s: float) -> None:
        """The main stream shares the time of the small one."""
        if self._main is not None:
            self._main.anchor(origin_s)

    def stop(self) -> None:
        """Make `frames` end soon, and ask for no more events and packets."""
        super().stop()
        if self._main is not None:
            self._main.stop()
        if self._watch is not None:
            self._watch.stop()

    def address(self) -> Address:
        """Address of the decoded stream."""
        return self._at(self._url)

    def _at(self, url: str) -> Address:
        """Address with options. No protocol is allowed that reads files."""
        options = {
            "rtsp_transport": self._transport,
            "analyzeduration": str(PROBE_US),
            "protocol_whitelist": "tcp,udp,rtp,srtp,tls,http,https,crypto",
        }
        return Address(url, redact(url), "rtsp", options)
