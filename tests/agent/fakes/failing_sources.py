"""Sources that fail as a test wants it, and a broker that remembers."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from edgefleet_agent.sources.base import Source, SourceInfo
from edgefleet_agent.sources.cameras.synthetic import SyntheticSource
from edgefleet_agent.sources.sensors.base import Reading, Sensor
from edgefleet_agent.vision.frame import Frame
from edgefleet_contract.mqtt.events import Connected, Outgoing
from edgefleet_contract.pipeline.spec import SourceSpec


@dataclass(frozen=True)
class Fault:
    """A fault of a source, and what must be shown. size: of the frames that come instead. hang: nothing comes, no error."""

    name: str
    error: Callable[[], Exception] | None
    state: str
    reason: str = ""
    size: tuple[int, int] | None = None
    hang: bool = False


@dataclass
class Script:
    """The behaviour of a source: it delivers until `broken`, then has the fault until `healed`."""

    fault: Fault
    broken: threading.Event = field(default_factory=threading.Event)
    healed: threading.Event = field(default_factory=threading.Event)

    def play(self, deliver: Callable[[tuple[int, int] | None], Iterator[Any]], closing: threading.Event) -> Iterator[Any]:
        if not self.broken.is_set():
            for one in deliver(None):
                if self.broken.is_set():
                    break
                yield one
        if not self.healed.is_set() and not closing.is_set():
            if self.fault.error is not None:
                raise self.fault.error()
            while self.fault.hang and not self.healed.wait(0.01) and not closing.is_set():
                pass
            if self.fault.size is None and not self.fault.hang:
                return
        yield from deliver(self.fault.size)


class ScriptedSource(Source):
    """A camera that follows a script."""

    def __init__(self, spec: SourceSpec, script: Script) -> None:
        super().__init__(spec)
        self._script = script

    def open(self) -> SourceInfo:
        return SourceInfo(64, 48, 100.0)

    def frames(self) -> Iterator[Frame]:
        return self._script.play(self._pictures, self.closing)

    def _pictures(self, size: tuple[int, int] | None) -> Iterator[Frame]:
        width, height = size or (64, 48)
        spec = SourceSpec(kind="synthetic", options={"width": width, "height": height, "rate": 100.0, "boxes": 1})
        source = SyntheticSource(spec)
        source.closing = self.closing
        source.open()
        return source.frames()

    def close(self) -> None:
        self.stop()


class ScriptedSensor(Sensor):
    """A sensor that follows a script."""

    def __init__(self, spec: SourceSpec, script: Script) -> None:
        super().__init__(spec)
        self._script = script

    def open(self) -> None:
        self.channels = ["t"]

    def readings(self) -> Iterator[Reading]:
        return self._script.play(self._values, self.closing)

    def _values(self, _size: tuple[int, int] | None) -> Iterator[Reading]:
        while not self.closing.wait(0.01):
            yield Reading(time.time(), (1.0,))

    def close(self) -> None:
        self.stop()


class RecordingBroker:
    """In place of the MQTT client: the retained message of each topic."""

    retained: dict[str, bytes]

    def __init__(
        self, _broker: Any, _name: str, _topics: Any, deliver: Callable[[Connected], None], *_: Any, **_options: Any
    ) -> None:
        self.connected, self.fault = True, ""
        self._deliver = deliver
        RecordingBroker.retained = {}

    def start(self) -> None:
        self._deliver(Connected(1))

    def close(self, last: Outgoing) -> None:
        self.publish(last)

    def publish(self, message: Outgoing) -> int:
        if message.retain:
            RecordingBroker.retained[message.topic] = message.payload
        return 1
