"""Sensors at a serial port that send a line of numbers for each reading: Arduinos, weighing cells, most loggers."""

from __future__ import annotations

import math
import os
import re
import select
import termios
import time
from collections.abc import Iterator

from edgefleet_agent.sources.base import SilentSourceError
from edgefleet_agent.sources.options import Value, read_options
from edgefleet_agent.sources.sensors.base import CHANNELS_MAX, Reading, Sensor
from edgefleet_contract.core.errors import MediaError, PipelineError, UnavailableError
from edgefleet_contract.pipeline.spec import SourceSpec

LINE_BYTES_MAX = 4096
BAD_LINES_MAX = 100
"""Unreadable lines in a row before the port is given up: the speed is wrong, or it is another device."""
POLL_S = 0.25
_NUMBER = re.compile(rb"(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w.])")


class SerialSensor(Sensor):
    """Kind `serial`: `uri` is a port, better `/dev/serial/by-id/...`. Options: `baud` (115200); `channels`, comma-separated names
    of the numbers in a line (`value`); `silence_s` (10): time without a line after which the sensor is lost. Text between the
    numbers is skipped: `t=21.5 C, p=1013` is two numbers.

    Raises:
        PipelineError: no port, or an unsupported speed.
    """

    def __init__(self, spec: SourceSpec) -> None:
        super().__init__(spec)
        known: dict[str, Value] = {"baud": 115200, "channels": "value", "silence_s": 10.0}
        options = read_options(spec, known, {"silence_s": (0.1, 86400.0)})
        self._speed = getattr(termios, f"B{options['baud']}", None)
        self._silence_s: float = options["silence_s"]
        self.channels = [name.strip() for name in options["channels"].split(",") if name.strip()]
        if self._speed is None or not spec.uri.startswith("/") or not 0 < len(self.channels) <= CHANNELS_MAX:
            raise PipelineError(
                f"source of kind 'serial': {spec.uri!r} at {options['baud']} baud with channels {options['channels']!r}; "
                "use a port like /dev/ttyUSB0, a standard speed like 9600 or 115200, and 1 to 64 channels"
            )
        self._port = -1

    def open(self) -> None:
        """Open the port, raw: 8 bits, no parity, no flow control.

        Raises:
            UnavailableError: it does not exist, or cannot be opened.
        """
        try:
            self._port = os.open(self.spec.uri, os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK)
            flags = termios.tcgetattr(self._port)
            flags[0:4] = [termios.IGNPAR, 0, termios.CS8 | termios.CREAD | termios.CLOCAL, 0]
            flags[4:6] = [self._speed, self._speed]
            termios.tcsetattr(self._port, termios.TCSANOW, flags)
        except (OSError, termios.error) as cause:
            self.close()
            reason = cause.strerror if isinstance(cause, OSError) else cause.args[-1]
            raise UnavailableError(
                f"{self.spec.uri}: cannot be opened: {reason}; check the cable and the group `dialout`"
            ) from cause

    def readings(self) -> Iterator[Reading]:
        """One reading a line, with the time of its end.

        Raises:
            UnavailableError: silence, or unplugged. MediaError: no numbers.
        """
        bad = -1  # the first line may be incomplete
        for line in self._lines():
            numbers = [float(number) for number in _NUMBER.findall(line)]
            if len(numbers) == len(self.channels) and all(map(math.isfinite, numbers)):
                bad = 0
                yield Reading(time.time(), tuple(numbers))
                continue
            bad += 1
            if bad > BAD_LINES_MAX:
                raise MediaError(
                    f"{self.spec.uri}: lines without {len(self.channels)} numbers; check the option baud and channels"
                )

    def close(self) -> None:
        """Close the port."""
        if self._port >= 0:
            os.close(self._port)
            self._port = -1

    def _lines(self) -> Iterator[bytes]:
        rest, received_s = b"", time.monotonic()
        poller = select.poll()  # `select` takes no descriptor from 1024 on
        poller.register(self._port, select.POLLIN)
        while not self.closing.is_set():
            if not poller.poll(POLL_S * 1000):
                if time.monotonic() - received_s > self._silence_s:
                    raise SilentSourceError(f"{self.spec.uri}: silent for {self._silence_s:g} s; check the sensor")
                continue
            try:
                data = os.read(self._port, LINE_BYTES_MAX)
            except OSError as cause:
                raise UnavailableError(f"{self.spec.uri}: was lost: {cause.strerror}; plug it in again") from cause
            if not data:
                raise UnavailableError(f"{self.spec.uri}: was unplugged; plug it in again")
            received_s = time.monotonic()
            *lines, rest = (rest + data).split(b"\n")
            rest = rest[-LINE_BYTES_MAX:]
            yield from lines
