"""Runs all pipelines of one process and the model threads that they share (see `pipeline.scheduling.model_thread`)."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from edgefleet_agent.core import plugins
from edgefleet_agent.core.clock import Clock, SystemClock
from edgefleet_agent.machine.vitals import temperature_c
from edgefleet_agent.pipeline.camera.camera_pipeline import CameraPipeline
from edgefleet_agent.pipeline.camera.scene_memory import SceneMemory
from edgefleet_agent.pipeline.graph.frame_graph import GraphExecutor
from edgefleet_agent.pipeline.metrics import Totals
from edgefleet_agent.pipeline.model.loaded_model import LoadedModel
from edgefleet_agent.pipeline.model.model_slots import ModelSlot, Swap
from edgefleet_agent.pipeline.observers import Observers, PipelineObserver
from edgefleet_agent.pipeline.scheduling.background_work import BackgroundHost
from edgefleet_agent.pipeline.scheduling.dry_run import dry_run
from edgefleet_agent.pipeline.scheduling.idle_time import IdleTime
from edgefleet_agent.pipeline.scheduling.model_thread import FrameProducer, ModelThread
from edgefleet_agent.pipeline.scheduling.shadow import Shadow
from edgefleet_agent.pipeline.scheduling.source_check import check_source
from edgefleet_agent.pipeline.sensor.fusion_pipeline import FusionPipeline
from edgefleet_agent.pipeline.sensor.sensor_pipeline import SensorPipeline
from edgefleet_agent.recording.evidence_folder import EvidenceFolder
from edgefleet_agent.sources.camera_switches import CameraSwitches
from edgefleet_agent.sources.packet_ring import PacketRing
from edgefleet_contract.core.errors import EdgefleetError, PipelinesRefusedError
from edgefleet_contract.package.shadow import shadowed
from edgefleet_contract.pipeline.spec import EVENTS, PipelineSpec
from edgefleet_contract.wire.messages import Event, PipelineGauges, Running, ShadowGauges
from edgefleet_contract.worker_process import MODEL_BUSY

OpenModel = Callable[[], LoadedModel]
AnyRun = CameraPipeline | SensorPipeline | FusionPipeline


class _RunnerObserver:
    """Forwards events and faults of pipelines to the runner's listener, and events also to fusion pipelines."""

    def __init__(self, listener: PipelineObserver, fusions: Callable[[], list[FusionPipeline]]) -> None:
        self._listener = listener
        self._fusions = fusions

    def on_event(self, event: Event) -> None:
        for fusion in self._fusions():
            fusion.on_event(event)
        self._listener.on_event(event)

    def on_fault(self, pipeline: str, text: str, over: bool) -> None:
        self._listener.on_fault(pipeline, text, over)


class Runner:
    """All pipelines and slots of one worker. Called from one thread at a time; events come from the model threads."""

    def __init__(
        self,
        listener: PipelineObserver,
        clock: Clock | None = None,
        host: BackgroundHost | None = None,
        evidence: EvidenceFolder | None = None,
        observers: Observers | None = None,
        memory: SceneMemory | None = None,
    ) -> None:
        self._evidence = evidence
        self._memory = memory
        self._observers = observers
        self._observer = _RunnerObserver(listener, self._fusions)
        self._host = host
        self._clock = clock or SystemClock()
        self._ready = threading.Condition()
        self._idle_time = IdleTime()
        self._slots: dict[str, ModelSlot] = {}
        self._model_threads: dict[str, ModelThread] = {}
        self._runs: dict[str, AnyRun] = {}
        self._shadows: dict[str, Shadow] = {}
        self._switches: dict[str, CameraSwitches] = {}

    @property
    def runs(self) -> dict[str, AnyRun]:
        """The pipelines, by name."""
        return dict(self._runs)

    def slots(self) -> dict[str, ModelSlot]:
        """Slots by `slot:NAME` or `package:DIR`: those that pipelines use or that hold a model."""
        return dict(self._slots)

    def skipped(self, slot: ModelSlot) -> int:
        """Frames of the pipelines that use a slot, which came while models were busy. From any thread."""
        users = [run for run in list(self._runs.values()) if slot in run.slots]
        return sum(run.dropped[cause] for run in users for cause in MODEL_BUSY)

    def switches(self, name: str) -> CameraSwitches | None:
        """Switches of a camera pipeline; None if there is no such pipeline. From any thread."""
        return self._switches.get(name)

    def live_ring(self, name: str) -> PacketRing | None:
        """The packets of a camera for live video; None if there is no such camera. From any thread."""
        run = self._runs.get(name)
        return run.live_ring if isinstance(run, CameraPipeline) else None

    def busy_s(self) -> float:
        """Seconds since the oldest frame in progress was taken: grows while a runtime hangs."""
        return max((thread.busy_s() for thread in list(self._model_threads.values())), default=0.0)

    def load(self, name: str, open_model: OpenModel, running: Callable[[LoadedModel], Running]) -> tuple[Swap, int]:
        """Load a model into the slot `name`; an incumbent is replaced between two frames. Returns the swap and the frames lost.

        Raises:
            EdgefleetError: the model cannot be loaded or does not fit a pipeline on this slot; the incumbent continues.
        """
        slot = self._slots.setdefault(name, ModelSlot(name))
        users = [run for run in self._runs.values() if slot in run.slots]

        def open_fitting() -> LoadedModel:
            model = open_model()
            try:
                for run in users:
                    run.check_model(slot, model)
            except EdgefleetError:
                model.close()
                raise
            if name in self._model_threads:
                self._model_threads[name].use_one_thread()
            return model

        before = sum(run.dropped["error"] for run in users)
        try:
            swap = slot.swap(open_fitting, running, lambda model: self._on_switched(slot, model))
        finally:
            if slot.loaded is not None:
                self._model_thread(slot).set_model(slot.loaded.model)
        with self._ready:
            self._ready.notify_all()
        return swap, sum(run.dropped["error"] for run in users) - before

    def _on_switched(self, slot: ModelSlot, model: LoadedModel) -> None:
        about = shadowed(slot.name.removeprefix("slot:")) if slot.name.startswith("slot:") else None
        if about is not None and slot.loaded is not None:
            thread = self._model_thread(slot)
            shadow = Shadow(model, slot.loaded.running.digest, thread.wake, temperature_c)
            self._shadows[about] = shadow
            thread.set_background(shadow)
            self._slots.setdefault(f"slot:{about}", ModelSlot(f"slot:{about}")).tap = shadow
        elif self._host is not None:
            thread = self._model_thread(slot)
            thread.set_background(self._host.switched(slot.name, model, thread.wake))

    def _model_thread(self, slot: ModelSlot) -> ModelThread:
        if slot.name not in self._model_threads:
            self._model_threads[slot.name] = ModelThread(slot, self._ready, self._idle_time, lambda: self._busy_beside(slot.name))
        return self._model_threads[slot.name]

    def _busy_beside(self, name: str) -> bool:
        return any(thread.busy for other, thread in list(self._model_threads.items()) if other != name)

    def clear(self, name: str) -> None:
        """Close the model of the slot `name` and remove the slot, unless a pipeline uses it."""
        slot = self._slots.get(name)
        if slot is None or any(slot in run.slots for run in self._runs.values()):
            return
        about = shadowed(name.removeprefix("slot:"))
        if about is not None and self._shadows.pop(about, None) is not None:
            self._slots[f"slot:{about}"].tap = None
        thread = self._model_threads.pop(name, None)
        if thread is not None:
            thread.close()
        del self._slots[name]
        slot.close()

    def shadows(self) -> dict[str, ShadowGauges]:
        """The window of every shadow candidate since the last call, by slot."""
        return {about: shadow.drain() for about, shadow in list(self._shadows.items())}

    def check(self, spec: PipelineSpec) -> None:
        """Check `spec` without loading its models.

        Raises:
            PipelineError: the specification is wrong; the text gives the reason.
        """
        self._make_pipeline(spec, {}, live=False)

    def set_pipelines(self, specs: Sequence[PipelineSpec]) -> None:
        """Run exactly these pipelines. Unchanged ones continue; a refused one keeps its old version, and the others change.

        A pipeline with the same source keeps it open: its new graph is tried on the loaded models and takes over between two
        frames.

        Raises:
            PipelinesRefusedError: some are refused; it holds the reason of each.
        """
        requested = {spec.name: spec for spec in specs}
        for name in [name for name in self._runs if name not in requested]:
            self._runs.pop(name).close()
            self._switches.pop(name, None)
        refused: dict[str, str] = {}
        for name, spec in requested.items():
            if name in self._runs and self._runs[name].spec.work() == spec.work():
                continue
            try:
                self._set(spec)
            except EdgefleetError as error:
                refused[name] = str(error)
        self._connect()
        with self._ready:
            self._idle_time.retain(
                {executor for run in self._runs.values() if isinstance(run, CameraPipeline) for executor in run.producers}
            )
        published = {f"{name}.{rule.name}" for name, run in self._runs.items() for rule in run.spec.rules}
        for fusion in self._fusions():
            fusion.check_inputs(published)
        if self._observers is not None:
            self._observers.on_pipelines([run.spec for run in self._runs.values()])
        if refused:
            raise PipelinesRefusedError(refused)

    def _set(self, spec: PipelineSpec) -> None:
        """Start or change one pipeline."""
        old = self._runs.get(spec.name)
        executor = old.executor_for(spec, self._slots) if isinstance(old, CameraPipeline) else None
        new = self._make_pipeline(spec, self._slots, live=True) if executor is None else None
        candidate = executor if executor is not None else new
        assert candidate is not None
        for slot in candidate.slots:
            if slot.loaded is not None:
                candidate.check_model(slot, slot.loaded.model)
        if old is not None and not isinstance(new, SensorPipeline | FusionPipeline):
            dry_run(spec, self._slots, self._ready, self._connect)
        if isinstance(old, CameraPipeline) and executor is not None:
            self._connect(executor)
            old.switch_to(executor)
        elif new is not None:
            if old is not None:
                self._runs.pop(spec.name).close()
            self._runs[spec.name] = new
            self._connect()
            new.start()

    def _connect(self, extra: GraphExecutor | None = None) -> None:
        """Let every model thread serve all producers, and `extra` if given."""
        producers: list[FrameProducer] = [executor for run in self._runs.values() for executor in run.producers]
        for slot in self._slots.values():
            self._model_thread(slot).connect([*producers, *([extra] if extra is not None else [])])

    def _make_pipeline(self, spec: PipelineSpec, slots: dict[str, ModelSlot], *, live: bool) -> AnyRun:
        """A camera, sensor or fusion pipeline, by the kind of its source. live: it will run, not only be checked."""
        check_source(spec)
        observers = self._observers if live else None
        if spec.source.kind in plugins.names("sensors"):
            return SensorPipeline(spec, slots, self._ready, self._observer, self._clock, observers)
        if spec.source.kind == EVENTS:
            return FusionPipeline(spec, self._observer, self._clock, self._states, observers)
        evidence, memory = (self._evidence, self._memory) if live else (None, None)
        switches = self._switches.setdefault(spec.name, CameraSwitches()) if live else None
        return CameraPipeline(spec, slots, self._ready, self._observer, self._clock, evidence, observers, memory, switches)

    def _fusions(self) -> list[FusionPipeline]:
        return [run for run in list(self._runs.values()) if isinstance(run, FusionPipeline)]

    def _states(self) -> dict[str, str]:
        return {name: run.state for name, run in list(self._runs.items())}

    def gauges(self, window_s: float) -> dict[str, PipelineGauges]:
        """Every pipeline's window since the last call."""
        return {name: run.gauges(window_s) for name, run in list(self._runs.items())}

    def totals(self) -> dict[str, Totals]:
        """Totals of every pipeline since its start."""
        return {name: run.totals() for name, run in list(self._runs.items())}

    def close(self) -> None:
        """Stop everything; open events are ended and published first, and calls of the host are answered."""
        if self._host is not None:
            self._host.ending()
        for run in self._runs.values():
            run.close()
        for thread in self._model_threads.values():
            thread.close()
        for slot in self._slots.values():
            slot.close()
        self._runs, self._model_threads, self._slots = {}, {}, {}
