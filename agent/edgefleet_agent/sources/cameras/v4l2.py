"""Local cameras: V4L2, which is USB cameras and most camera modules."""

from __future__ import annotations

from pathlib import Path

from edgefleet_agent.sources.base import SourceInfo
from edgefleet_agent.sources.live.live_source import COMMON, FPS_RANGE, RANGES, Address, LiveSource
from edgefleet_agent.sources.options import Value, read_options
from edgefleet_contract.core.errors import PipelineError, UnavailableError
from edgefleet_contract.pipeline.spec import SourceSpec

OPTIONS: dict[str, Value] = {"width": 0, "height": 0, "rate": 0.0, "format": "", **COMMON}
SIDE_MAX = 16384


class CameraSource(LiveSource):
    """Kind `camera`: `uri` is a device, `/dev/video0` or better `/dev/v4l/by-id/...`, which stays the same after a replug.

    Options: `width` and `height`, `rate` (frames a second), `format` (`mjpeg`, `yuyv422`, ...): requested from the camera, its
    own choice if left out. USB 2 cameras give more than 5 frames a second at 1280 x 720 only as `mjpeg`.

    Raises:
        PipelineError: no device path, or an invalid option.
    """

    def __init__(self, spec: SourceSpec) -> None:
        sides = (0, SIDE_MAX)
        options = read_options(spec, OPTIONS, {**RANGES, "width": sides, "height": sides, "rate": (0.0, FPS_RANGE[1])})
        super().__init__(spec, options)
        if not spec.uri.startswith("/"):
            raise PipelineError(f"source of kind 'camera': {spec.uri!r} is not a device; use one like /dev/video0")
        if bool(options["width"]) is not bool(options["height"]):
            raise PipelineError("source of kind 'camera': width and height must be given together")
        self._requested = options

    def open(self) -> SourceInfo:
        """Open the device.

        Raises:
            UnavailableError: it is not there, busy, or not a camera.
        """
        if not Path(self.spec.uri).is_char_device():
            raise UnavailableError(
                f"{self.spec.uri}: no such camera; plug it in and list the cameras with `v4l2-ctl --list-devices`"
            )
        return super().open()

    def address(self) -> Address:
        """The device and the requested format."""
        requested, options = self._requested, {}
        if requested["width"]:
            options["video_size"] = f"{requested['width']}x{requested['height']}"
        if requested["rate"]:
            options["framerate"] = f"{requested['rate']:g}"
        if requested["format"]:
            options["input_format"] = str(requested["format"])
        return Address(self.spec.uri, self.spec.uri, "video4linux2", options)
