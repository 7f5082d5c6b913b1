"""Sensors of Linux's Industrial I/O: accelerometers, ADCs, thermometers that the kernel has drivers for, polled through sysfs."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

from edgefleet_agent.sources.frame_pacing import Pacer
from edgefleet_agent.sources.options import read_options
from edgefleet_agent.sources.sensors.base import CHANNELS_MAX, Reading, Sensor
from edgefleet_contract.core.errors import MediaError, PipelineError, UnavailableError
from edgefleet_contract.core.fault_text import fault_text
from edgefleet_contract.pipeline.spec import SourceSpec

DEVICES = Path("/sys/bus/iio/devices")


class IioSensor(Sensor):
    """Kind `iio`: `uri` is a device's folder (`/sys/bus/iio/devices/iio:device0`) or its name there (`bme280`). Options: `rate`
    (10 readings a second, up to a few hundred: each is a file read); `channels`, comma-separated (`accel_x,accel_y`; all).

    Values are (raw + offset) * scale, the units of the kernel: m/s2, milli degrees Celsius, millivolts, kilopascals.
    """

    def __init__(self, spec: SourceSpec) -> None:
        super().__init__(spec)
        options = read_options(spec, {"rate": 10.0, "channels": ""}, {"rate": (0.001, 1000.0)})
        if not spec.uri:
            raise PipelineError("source of kind 'iio': set uri to the device's folder or name, like iio:device0 or bme280")
        self._rate: float = options["rate"]
        self._chosen = [name.strip() for name in options["channels"].split(",") if name.strip()]
        self._files: list[tuple[Path, float, float]] = []

    def open(self) -> None:
        """Find the device and its channels.

        Raises:
            UnavailableError: no such device now. MediaError: it has no such channel.
        """
        folder = self._folder()
        found = {path.name[3:].removesuffix("_raw"): path for path in sorted(folder.glob("in_*_raw"))}
        found |= {path.name[3:].removesuffix("_input"): path for path in sorted(folder.glob("in_*_input"))}
        self.channels = self._chosen or list(found)
        missing = next((name for name in self.channels if name not in found), None)
        if missing is not None or not 0 < len(self.channels) <= CHANNELS_MAX:
            raise MediaError(f"{folder}: no channel {missing or ''}; it has {', '.join(found) or 'none that can be polled'}")
        self._files = []
        for name in self.channels:
            done = found[name].name.endswith("_input")  # such a channel is in its unit already
            scale = 1.0 if done else _attribute(folder, name, "scale", 1.0)
            self._files.append((found[name], scale, 0.0 if done else _attribute(folder, name, "offset", 0.0)))

    def readings(self) -> Iterator[Reading]:
        """All channels, `rate` times a second.

        Raises:
            UnavailableError: the device is gone.
        """
        pacer, count = Pacer(self.closing), 0
        while pacer.wait_for(count / self._rate):
            count += 1
            at_s = time.time()
            try:
                values = tuple((float(path.read_text()) + offset) * scale for path, scale, offset in self._files)
            except (OSError, ValueError) as cause:
                raise UnavailableError(
                    f"{self.spec.uri}: cannot be read any more ({fault_text(cause)}); check the sensor"
                ) from cause
            yield Reading(at_s, values)

    def close(self) -> None:
        """Does nothing: no file is held open."""

    def _folder(self) -> Path:
        direct = Path(self.spec.uri) if self.spec.uri.startswith("/") else DEVICES / self.spec.uri
        if direct.is_dir():
            return direct
        for folder in sorted(DEVICES.glob("iio:device*")):
            if _text(folder / "name").strip() == self.spec.uri:
                return folder
        raise UnavailableError(f"{self.spec.uri}: no such IIO device; list the devices with `ls {DEVICES}`")


def _attribute(folder: Path, channel: str, name: str, default: float) -> float:
    """An attribute of the channel itself (`in_accel_x_scale`), or of its type (`in_accel_scale`)."""
    for owner in (channel, channel.rstrip("0123456789"), channel.rpartition("_")[0]):
        text = _text(folder / f"in_{owner}_{name}")
        if text:
            return float(text)
    return default


def _text(path: Path) -> str:
    """The content of the file; empty if it does not exist, or not any more."""
    try:
        return path.read_text(encoding="ascii")
    except OSError:
        return ""
