"""One sensor pipeline at work: a thread that reads, and the rules on what it read. Lives beside camera pipelines in a runner."""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from agent import plugins
from agent.clock import Clock
from agent.contract.messages import Event, PipelineGauges
from agent.contract.pipeline import PipelineSpec, SourceSpec, config_digest
from agent.errors import EdgefleetError, ManifestError, MissingError, ModelError, PipelineError
from agent.pipeline.gauges import Totals
from agent.pipeline.listener import Audience, Listener
from agent.pipeline.model import LoadedModel, installed_runtimes
from agent.pipeline.sensing import Sensing, compile_sensing
from agent.pipeline.series_model import SeriesModel
from agent.pipeline.slots import Slot
from agent.sources.credentials import with_credentials
from agent.sources.redact import redact
from agent.sources.sensor import Sensor
from agent.sources.state import SourceMachine, State


class SensorRun:
    """One pipeline from its sensor to its events.

    Raises:
        PipelineError: the specification cannot work; the text says why.
    """

    def __init__(self, spec: PipelineSpec, listener: Listener, clock: Clock, audience: Audience | None = None) -> None:
        self.spec = spec
        self._audience = audience
        self._digest = config_digest(spec)
        self.graph = compile_sensing(spec)
        self.slots: list[Slot] = []
        self.error: EdgefleetError | None = None
        self.done = threading.Event()
        self.frames_total = 0
        self.frames_expected = 0
        self.quiet_total = 0
        self.dropped: Counter[str] = Counter()
        self._make: Callable[[SourceSpec], Sensor] = plugins.load("sensors", spec.source.kind)
        self._make(with_credentials(spec.source))  # what cannot work is told before anything starts
        self._listener = listener
        self._clock = clock
        self._live = spec.source.pace == "realtime"
        self._machine = SourceMachine(random.random)
        self._closing = threading.Event()
        self._sensor: Sensor | None = None
        self._sensing: Sensing | None = None
        self._model: SeriesModel | None = None
        self._told = 0
        self._prefix = f"{random.getrandbits(40):010x}-"
        self._thread = threading.Thread(target=self._run, name=f"sensor:{spec.name}", daemon=True)

    @property
    def state(self) -> str:
        """`opening`, `running`, `stalled`, `source_lost`, `ended` or `failed`."""
        if self.done.is_set():
            return "failed" if self.error else State.ENDED.value
        return self._machine.state(time.monotonic()).value

    def start(self) -> None:
        """Begin to read."""
        self._thread.start()

    def close(self) -> None:
        """Stop reading, and end what goes on in the rules."""
        self._closing.set()
        sensor = self._sensor
        if sensor is not None:
            sensor.stop()
        self._thread.join()

    def check_model(self, slot: Slot, model: LoadedModel) -> None:
        """A sensor pipeline has no models to check."""

    def gauges(self, window_s: float) -> PipelineGauges:
        """The window since the last call. Frames are readings here."""
        total = self.frames_total
        rate = round((total - self._told) / window_s, 2)
        self._told = total
        coverage = float(self.state == State.RUNNING.value or not self._live)
        return PipelineGauges(state=self.state, camera_fps=rate, process_fps=rate, frames_total=total, coverage=coverage)

    def totals(self) -> Totals:
        """What was done since the start."""
        return Totals(captured=self.frames_total, processed=self.frames_total, losses=self._machine.losses_total)

    def _run(self) -> None:
        try:
            while not self._closing.is_set() and not self._machine.over:
                self._until_lost()
                if not self._machine.over:
                    self._closing.wait(self._machine.pause_s)
        except EdgefleetError as error:
            self.error = error
            if self._live:
                self._trouble(redact(str(error)), False)
        finally:
            if self._sensing is not None:
                self._tell(self._sensing.finish())
            if self._model is not None:
                self._model.close()
            self.done.set()

    def _until_lost(self) -> None:
        """One opening's readings, to the end or to a loss that is worth another attempt."""
        machine = self._machine
        machine.opening(time.monotonic())
        sensor = self._sensor = self._make(with_credentials(self.spec.source))
        try:
            sensor.open()
            machine.opened(time.monotonic(), 1.0 / self.graph.period_s)
            if self._sensing is None:
                if self.graph.model:
                    self._model = SeriesModel.open(Path(self.graph.model), installed_runtimes())
                self._sensing = Sensing(self.spec, self.graph, sensor.channels, self._prefix, self._model)
            self._read(sensor, self._sensing)
            machine.ended()
        except (PipelineError, MissingError, ManifestError, ModelError):
            raise
        except EdgefleetError as error:
            if not self._live:
                raise
            edge = machine.lost(redact(str(error)))
            if edge is not None:
                self._trouble(edge.text, edge.over)
        finally:
            sensor.close()

    def _read(self, sensor: Sensor, sensing: Sensing) -> None:
        if self._closing.is_set():
            return
        for reading in sensor.readings():
            self.frames_total += 1
            if self._live:
                edge = self._machine.frame(time.monotonic())
                if edge is not None:
                    self._trouble(edge.text, edge.over)
            self._tell(sensing.take(reading.at_s, reading.values))

    def _tell(self, events: list[Event]) -> None:
        for event in events:
            if self._live:
                moment = datetime.fromisoformat(event.data.get("to", event.data["from"]).replace("Z", "+00:00"))
                event.at = moment.timestamp() if self.spec.source.kind != "csv" else round(self._clock.wall(), 3)
            event.config_digest = self._digest
            self._listener.on_event(event)
            if self._audience is not None:
                self._audience.on_event(event, b"")

    def _trouble(self, text: str, over: bool) -> None:
        self._listener.on_trouble(self.spec.name, text, over)
        if self._audience is not None:
            self._audience.on_trouble(self.spec.name, text, over)
