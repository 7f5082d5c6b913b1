"""A sensor pipeline: a thread reads the sensor, computes its stages and publishes events. Runs in parallel with camera
pipelines."""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from edgefleet_agent.core import plugins
from edgefleet_agent.core.clock import Clock
from edgefleet_agent.pipeline.metrics import TEXT_CHARS_MAX, Totals, source_reasons
from edgefleet_agent.pipeline.model.loaded_model import LoadedModel, installed_runtimes
from edgefleet_agent.pipeline.model.model_slots import ModelSlot
from edgefleet_agent.pipeline.model.series_model import SeriesModel
from edgefleet_agent.pipeline.observers import Observers, PipelineObserver
from edgefleet_agent.pipeline.sensor.model_query import ModelQuery
from edgefleet_agent.pipeline.sensor.sensor_graph import compile_sensing
from edgefleet_agent.pipeline.sensor.sensor_step import SensorGraphState
from edgefleet_agent.signal.spectrogram import Picture
from edgefleet_agent.sources.base import SilentSourceError, faults_as_losses
from edgefleet_agent.sources.credentials import with_credentials
from edgefleet_agent.sources.reconnect_state import Edge, ReconnectMachine, ReconnectState
from edgefleet_agent.sources.redact import redact
from edgefleet_agent.sources.sensors.base import Sensor, is_moment
from edgefleet_agent.vision.detections import Classes
from edgefleet_agent.vision.frame import Frame
from edgefleet_contract.core.errors import (
    EdgefleetError,
    ManifestError,
    MissingError,
    ModelError,
    PipelineError,
    UnavailableError,
)
from edgefleet_contract.pipeline.nodes import check_model_labels
from edgefleet_contract.pipeline.spec import PipelineSpec, SourceSpec, config_digest
from edgefleet_contract.wire.messages import Event, PipelineGauges


class SensorPipeline:
    """One pipeline from its sensor to its events.

    Raises:
        PipelineError: the specification cannot work; the text gives the reason.
    """

    def __init__(
        self,
        spec: PipelineSpec,
        slots: dict[str, ModelSlot],
        ready: threading.Condition,
        listener: PipelineObserver,
        clock: Clock,
        observers: Observers | None = None,
    ) -> None:
        self.spec = spec
        self._ready = ready
        self._observers = observers
        self._digest = config_digest(spec)
        self.graph = compile_sensing(spec)
        classify = self.graph.classify
        self._query = (
            ModelQuery(slots.setdefault(classify.model, ModelSlot(classify.model)), ready) if classify is not None else None
        )
        self.error: EdgefleetError | None = None
        self.done = threading.Event()
        self.frames_total = 0
        self.frames_expected = 0
        self.quiet_total = 0
        self.dropped: Counter[str] = Counter()
        self._make: Callable[[SourceSpec], Sensor] = plugins.load("sensors", spec.source.kind)
        self._make(with_credentials(spec.source))  # a wrong specification is refused before anything starts
        self._listener = listener
        self._clock = clock
        self._live = spec.source.pace == "realtime"
        self._machine = ReconnectMachine(random.random)
        self._closing = threading.Event()
        self._sensor: Sensor | None = None
        self._state: SensorGraphState | None = None
        self._model: SeriesModel | None = None
        self._reported = 0
        self._read_s = 0.0
        self._failing = False
        self._prefix = f"{random.getrandbits(40):010x}-"
        self._thread = threading.Thread(target=self._run, name=f"sensor:{spec.name}", daemon=True)

    @property
    def producers(self) -> list[ModelQuery]:
        """Frame producers for the model threads."""
        return [self._query] if self._query is not None else []

    @property
    def slots(self) -> list[ModelSlot]:
        """The slots it uses."""
        return [slot for query in self.producers for slot in query.slots]

    @property
    def state(self) -> str:
        """State: `opening`, `running`, `stalled`, `source_lost`, `ended` or `failed`."""
        if self.done.is_set():
            return "failed" if self.error else ReconnectState.ENDED.value
        if any(slot.loaded is None for slot in self.slots):
            return "waiting"
        return self._machine.state(time.monotonic()).value

    def start(self) -> None:
        """Start to read."""
        self._thread.start()

    def close(self) -> None:
        """Stop reading, and end open events."""
        self._closing.set()
        with self._ready:
            self._ready.notify_all()
        sensor = self._sensor
        if sensor is not None:
            sensor.stop()
        self._thread.join()

    def check_model(self, slot: ModelSlot, model: LoadedModel) -> None:
        """Check that `model` fits the classify stage.

        Raises:
            PipelineError: the model is no classifier, or lacks a label.
        """
        stage = self.graph.classify
        if stage is None or slot not in self.slots:
            return
        if model.manifest.task != "classification":
            raise PipelineError(
                f"{stage.at}: stage {stage.name!r}: {model.manifest.id} does {model.manifest.task}, not classification"
            )
        check_model_labels(stage.name, stage.labels, model.labels, model.manifest.id, stage.at)

    def gauges(self, window_s: float) -> PipelineGauges:
        """The window since the last call. Frames are readings here."""
        total = self.frames_total
        rate = round((total - self._reported) / window_s, 2)
        self._reported = total
        observed = self._state.coverage() if self._state is not None else None
        reading = self.state in (ReconnectState.RUNNING.value, ReconnectState.ENDED.value) or not self._live
        coverage = (1.0 if observed is None else round(observed, 4)) if reading else 0.0
        now_s = time.monotonic()
        reason = redact(str(self.error)) if self.error is not None else self._machine.reason(now_s) if self._live else ""
        return PipelineGauges(
            state=self.state,
            camera_fps=rate,
            process_fps=rate,
            frames_total=total,
            coverage=coverage,
            reason=reason[:TEXT_CHARS_MAX],
            reasons=source_reasons(self._machine.faults, self._clock.wall() - now_s),
        )

    def totals(self) -> Totals:
        """Totals since the start."""
        dropped, losses = dict(self.dropped), self._machine.losses_total
        return Totals(captured=self.frames_total, processed=self.frames_total, dropped=dropped, losses=losses)

    def _run(self) -> None:
        try:
            self._wait_for_model()
            while not self._closing.is_set() and not self._machine.over:
                self._until_lost()
                if not self._machine.over:
                    self._closing.wait(self._machine.pause_s)
                    if self._state is not None:
                        self._publish(self._state.silent(time.monotonic() - self._read_s), "source_lost")
        except EdgefleetError as error:
            self.error = error
            if self._live:
                self._listener.on_fault(self.spec.name, redact(str(error)), False)
        finally:
            if self._state is not None:
                self._publish(self._state.finish(), ("stopped" if self._closing.is_set() else "ended") if self._live else "")
            if self._model is not None:
                self._model.close()
            self.done.set()

    def _wait_for_model(self) -> None:
        with self._ready:
            while not self._closing.is_set() and any(slot.loaded is None for slot in self.slots):
                self._ready.wait()
        for slot in self.slots:
            if slot.loaded is not None:
                self.check_model(slot, slot.loaded.model)

    def _classify(self, picture: Picture) -> tuple[str, float]:
        """The model's best label of a window's picture; empty if the model failed, which is reported once."""
        assert self._query is not None
        frame = Frame(0, 0.0, time.monotonic(), picture.shape[1], picture.shape[0], "gray", (picture,))
        try:
            result, model = self._query.infer(frame)
        except (ModelError, UnavailableError) as error:
            self.dropped["error"] += 1
            if not self._failing:
                self._failing = True
                self._fault(f"inference fails: {error}", False)
            return "", 0.0
        if self._failing:
            self._failing = False
            self._fault("inference works again", True)
        assert isinstance(result, Classes)
        number, score = result.top(1)[0]
        return model.label(number), score

    def _until_lost(self) -> None:
        """Read one opening of the sensor, up to its end or to a loss that allows another attempt."""
        machine = self._machine
        machine.opening(time.monotonic())
        sensor = self._sensor = self._make(with_credentials(self.spec.source))
        try:
            with faults_as_losses(self.spec.name):
                self._read_until_end(sensor)
            machine.ended(time.monotonic())
        except (PipelineError, MissingError, ManifestError, ModelError):
            raise
        except EdgefleetError as error:
            if not self._live:
                raise
            silent = isinstance(error, SilentSourceError)
            self._report(machine.lost(redact(str(error)), time.monotonic(), silent=silent))
        finally:
            sensor.close()

    def _read_until_end(self, sensor: Sensor) -> None:
        sensor.open()
        self._machine.opened(time.monotonic(), 1.0 / self.graph.period_s)
        if self._state is None:
            score = self.graph.score
            if score is not None and score.model:
                self._model = SeriesModel.open(Path(score.model), installed_runtimes())
            self._state = SensorGraphState(
                self.spec, self.graph, sensor.channels, self._prefix, self._model, self._classify, sensor.texts
            )
        self._read(sensor, self._state)

    def _read(self, sensor: Sensor, state: SensorGraphState) -> None:
        if self._closing.is_set():
            return
        for reading in sensor.readings():
            if not is_moment(reading.at_s):
                self.dropped["time"] += 1
                continue
            self.frames_total += 1
            self._read_s = time.monotonic()
            if self._live:
                self._report(self._machine.frame(time.monotonic()))
            self._publish(state.take(reading.at_s, reading.values))

    def _publish(self, events: list[Event], end_reason: str = "") -> None:
        """Publish events. end_reason: of those that end because nothing is observed any more."""
        for event in events:
            if end_reason:
                event.data["end_reason"] = end_reason
            if self._live:
                moment = datetime.fromisoformat(event.data.get("to", event.data["from"]).replace("Z", "+00:00"))
                event.at = moment.timestamp() if self.spec.source.kind != "csv" else round(self._clock.wall(), 3)
            event.config_digest = self._digest
            if self._query is not None and (loaded := self._query.slots[0].loaded) is not None:
                event.model, event.model_digest = loaded.model.manifest.id, loaded.running.digest
            self._listener.on_event(event)
            if self._observers is not None:
                self._observers.on_event(event, b"")

    def _report(self, edge: Edge | None) -> None:
        """Report a fault of the sensor; observers read the present one in the gauges."""
        if edge is not None:
            self._listener.on_fault(self.spec.name, edge.text, edge.over)

    def _fault(self, text: str, over: bool) -> None:
        self._listener.on_fault(self.spec.name, text, over)
        if self._observers is not None:
            self._observers.on_fault(self.spec.name, text, over, "inference")
