"""CAN buses by Linux SocketCAN: signals decoded from frames, with the parameters of a DBC file."""

from __future__ import annotations

import math
import re
import socket
import struct
import time
from collections.abc import Iterator
from dataclasses import dataclass

from edgefleet_agent.sources.base import SilentSourceError
from edgefleet_agent.sources.options import Value, read_options
from edgefleet_agent.sources.sensors.base import CHANNELS_MAX, Reading, Sensor
from edgefleet_contract.core.errors import PipelineError, UnavailableError
from edgefleet_contract.pipeline.spec import SourceSpec

FRAME = struct.Struct("=IB3x8s")
EXTENDED = 0x80000000
ID_MASK = 0x1FFFFFFF
POLL_S = 0.25
_SIGNAL = re.compile(
    r"^(?P<name>[a-z0-9_]{1,40})=(?P<id>[0-9a-fA-F]{1,8})(?P<x>x?):(?P<start>\d{1,2})\|(?P<length>\d{1,2})@(?P<order>[01])(?P<sign>[+-])"
    r"(?:\*(?P<factor>-?\d+(?:\.\d+)?(?:e-?\d+)?))?(?:(?P<offset>[+-]\d+(?:\.\d+)?))?$"
)


@dataclass(frozen=True, slots=True)
class Signal:
    """A value in a frame: bits as numbered in DBC; order 1: the least significant byte first. value = raw * factor + offset."""

    name: str
    id: int
    start: int
    length: int
    little: bool
    signed: bool
    factor: float = 1.0
    offset: float = 0.0

    @classmethod
    def parse(cls, text: str) -> Signal:
        """Read `name=ID:start|length@order sign *factor +offset`, such as `rpm=0CF00400x:24|16@1+*0.125`; ID is hexadecimal, `x`
        behind it says that it has 29 bits.

        Raises:
            PipelineError: not of that form, or beyond eight bytes.
        """
        match = _SIGNAL.match(text.replace(" ", ""))
        if match is None:
            raise PipelineError(f"signal {text!r}: must be name=ID:start|length@order+ like rpm=0CF00400x:24|16@1+*0.125")
        start, length, little = int(match["start"]), int(match["length"]), match["order"] == "1"
        number = int(match["id"], 16)
        if not 1 <= length <= 64 or start > 63 or (little and start + length > 64) or number > (ID_MASK if match["x"] else 0x7FF):
            raise PipelineError(f"signal {text!r}: bits must be 0 to 63; the ID has 11 bits, or 29 bits if followed by x")
        factor, offset = float(match["factor"] or 1.0), float(match["offset"] or 0.0)
        return cls(
            match["name"], number | (EXTENDED if match["x"] else 0), start, length, little, match["sign"] == "-", factor, offset
        )

    def read(self, data: bytes) -> float:
        """The value in eight bytes."""
        if self.little:
            raw = int.from_bytes(data, "little") >> self.start
        else:  # DBC counts from the most significant bit of the byte that holds it
            first = self.start // 8 * 8 + 7 - self.start % 8
            raw = int.from_bytes(data, "big") >> max(0, 64 - first - self.length)
        raw &= (1 << self.length) - 1
        if self.signed and raw >> (self.length - 1):
            raw -= 1 << self.length
        return raw * self.factor + self.offset


class CanSensor(Sensor):
    """Kind `can`: `uri` is an interface (`can0`). Options: `signals`, comma-separated (see `Signal.parse`); `silence_s` (10):
    time without any of its frames after which the bus is lost. A reading comes with every frame that holds a signal; signals of
    other frames keep their last value, and are NaN until the first.

    Raises:
        PipelineError: no interface, or invalid signals.
    """

    def __init__(self, spec: SourceSpec) -> None:
        super().__init__(spec)
        known: dict[str, Value] = {"signals": "", "silence_s": 10.0}
        options = read_options(spec, known, {"silence_s": (0.1, 86400.0)})
        self._silence_s: float = options["silence_s"]
        self._signals = [Signal.parse(text) for text in options["signals"].split(",") if text.strip()]
        self.channels = [signal.name for signal in self._signals]
        if not re.match(r"^[a-z][a-z0-9._-]{0,14}$", spec.uri) or not 0 < len(self._signals) <= CHANNELS_MAX:
            raise PipelineError(
                "source of kind 'can': set uri to an interface like can0, and the option signals to 1 to 64 signals"
            )
        self._socket: socket.socket | None = None

    def open(self) -> None:
        """Open the bus, for the frames of the signals only.

        Raises:
            UnavailableError: no such interface, or it is down.
        """
        try:
            self._socket = socket.socket(socket.AF_CAN, socket.SOCK_RAW, socket.CAN_RAW)
            ids = sorted({signal.id for signal in self._signals})
            filters = b"".join(struct.pack("=II", number, EXTENDED | ID_MASK) for number in ids)
            self._socket.setsockopt(socket.SOL_CAN_RAW, socket.CAN_RAW_FILTER, filters)
            self._socket.settimeout(POLL_S)
            self._socket.bind((self.spec.uri,))
        except OSError as cause:
            self.close()
            how = f"ip link set {self.spec.uri} up type can bitrate 250000"
            raise UnavailableError(f"{self.spec.uri}: no such CAN bus ({cause.strerror}); try: {how}") from cause

    def readings(self) -> Iterator[Reading]:
        """One reading a frame.

        Raises:
            UnavailableError: silence, or the interface is gone.
        """
        assert self._socket is not None
        values, received_s = [math.nan] * len(self._signals), time.monotonic()
        while not self.closing.is_set():
            try:
                frame = self._socket.recv(FRAME.size)
            except TimeoutError:
                if time.monotonic() - received_s > self._silence_s:
                    raise SilentSourceError(f"{self.spec.uri}: silent for {self._silence_s:g} s; check the bus") from None
                continue
            except OSError as cause:
                raise UnavailableError(f"{self.spec.uri}: lost: {cause.strerror}; bring the interface up again") from cause
            received_s = time.monotonic()
            number, length, data = FRAME.unpack(frame)
            for index, signal in enumerate(self._signals):
                if signal.id == number & (EXTENDED | ID_MASK) and length:
                    values[index] = signal.read(data)
            yield Reading(time.time(), tuple(values))

    def close(self) -> None:
        """Close the bus."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None
