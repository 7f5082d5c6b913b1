"""A camera that plays a file."""

from __future__ import annotations

from collections.abc import Iterator

import av
from av.container import InputContainer
from av.video.stream import VideoStream

from edgefleet_agent.sources.live.live_source import COMMON, RANGES, Address, LiveSource
from edgefleet_agent.sources.options import read_options
from edgefleet_contract.core.errors import UnavailableError
from edgefleet_contract.pipeline.spec import SourceSpec


class Tape(LiveSource):
    """A camera that plays a file and then is silent: what `rtsp` and `camera` have in common."""

    def __init__(self, spec: SourceSpec) -> None:
        super().__init__(spec, read_options(spec, COMMON, RANGES))

    def address(self) -> Address:
        return Address(self.spec.uri, self.spec.uri)

    def _packets(self, container: InputContainer) -> Iterator[tuple[av.Packet[VideoStream], float]]:
        try:
            yield from super()._packets(container)
        except UnavailableError:
            self.closing.wait(20.0)
            raise


class PacedTape(Tape):
    """The same at the pace of the file."""

    def _packets(self, container: InputContainer) -> Iterator[tuple[av.Packet[VideoStream], float]]:
        rate = container.streams.video[0].average_rate
        for packet in super()._packets(container):
            yield packet
            self.closing.wait(float(1 / rate) if rate else 0.0)
