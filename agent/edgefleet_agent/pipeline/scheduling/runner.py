"""All pipelines of one process, and the lanes they share (`edgefleet_agent.pipeline.scheduling.model_thread`)."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from edgefleet_agent.core import plugins
from edgefleet_agent.core.clock import Clock, SystemClock
from edgefleet_agent.machine.vitals import temperature_c
from edgefleet_agent.pipeline.camera.camera_pipeline import CameraPipeline
from edgefleet_agent.pipeline.camera.frame_graph import GraphExecutor
from edgefleet_agent.pipeline.camera.scene_memory import SceneMemory
from edgefleet_agent.pipeline.metrics import Totals
from edgefleet_agent.pipeline.model.loaded_model import LoadedModel
from edgefleet_agent.pipeline.model.model_slots import ModelSlot, Swap
from edgefleet_agent.pipeline.observers import Observers, PipelineObserver
from edgefleet_agent.pipeline.scheduling.background_work import BackgroundHost
from edgefleet_agent.pipeline.scheduling.dry_run import rehearse
from edgefleet_agent.pipeline.scheduling.idle_time import IdleTime
from edgefleet_agent.pipeline.scheduling.model_thread import FrameProducer, ModelThread
from edgefleet_agent.pipeline.scheduling.shadow import Shadow
from edgefleet_agent.pipeline.sensor.fusion_pipeline import FusionPipeline
from edgefleet_agent.pipeline.sensor.sensor_pipeline import SensorPipeline
from edgefleet_agent.recording.evidence_folder import EvidenceFolder
from edgefleet_agent.sources.camera_switches import CameraSwitches
from edgefleet_contract.core.errors import EdgefleetError, PipelinesRefusedError
from edgefleet_contract.package.shadow import shadowed
from edgefleet_contract.pipeline.spec import EVENTS, PipelineSpec
from edgefleet_contract.wire.messages import Event, PipelineGauges, Running, ShadowGauges

OpenModel = Callable[[], LoadedModel]
AnyRun = CameraPipeline | SensorPipeline | FusionPipeline


class _RunnerObserver:
    """Tells what pipelines say to the runner's listener, and to those pipelines that are about others."""

    def __init__(self, listener: PipelineObserver, fusions: Callable[[], list[FusionPipeline]]) -> None:
        self._listener = listener
        self._fusions = fusions

    def on_event(self, event: Event) -> None:
        for fusion in self._fusions():
            fusion.hear(event)
        self._listener.on_event(event)

    def on_trouble(self, pipeline: str, text: str, over: bool) -> None:
        self._listener.on_trouble(pipeline, text, over)


class Runner:
    """Everything that runs in one worker. Called from one thread at a time; events come on the lanes' threads."""

    def __init__(
        self,
        listener: PipelineObserver,
        clock: Clock | None = None,
        host: BackgroundHost | None = None,
        evidence: EvidenceFolder | None = None,
        audience: Observers | None = None,
        memory: SceneMemory | None = None,
    ) -> None:
        self._evidence = evidence
        self._memory = memory
        self._audience = audience
        self._hearing = _RunnerObserver(listener, self._fusions)
        self._host = host
        self._clock = clock or SystemClock()
        self._ready = threading.Condition()
        self._slack = IdleTime()
        self._slots: dict[str, ModelSlot] = {}
        self._lanes: dict[str, ModelThread] = {}
        self._runs: dict[str, AnyRun] = {}
        self._shadows: dict[str, Shadow] = {}
        self._switches: dict[str, CameraSwitches] = {}

    @property
    def runs(self) -> dict[str, AnyRun]:
        """The pipelines, by name."""
        return dict(self._runs)

    def slots(self) -> dict[str, ModelSlot]:
        """The slots that pipelines or packages have named, by `slot:NAME` or `package:DIR`."""
        return dict(self._slots)

    def switches(self, name: str) -> CameraSwitches | None:
        """Those of a camera's pipeline; None where there is none. From any thread."""
        return self._switches.get(name)

    def busy_s(self) -> float:
        """How long the slowest frame now computing has been at it: a runtime that never returns shows here."""
        return max((lane.busy_s() for lane in list(self._lanes.values())), default=0.0)

    def load(self, name: str, open_model: OpenModel, running: Callable[[LoadedModel], Running]) -> tuple[Swap, int]:
        """Put a model into the slot `name`: an empty one, or between two frames of the incumbent. Also: frames lost by that.

        Raises:
            EdgefleetError: it cannot be loaded, or lacks what a pipeline on this slot asks for; the incumbent goes on.
        """
        slot = self._slots.setdefault(name, ModelSlot(name))
        users = [run for run in self._runs.values() if slot in run.slots]

        def fitting() -> LoadedModel:
            model = open_model()
            try:
                for run in users:
                    run.check_model(slot, model)
            except EdgefleetError:
                model.close()
                raise
            if name in self._lanes:
                self._lanes[name].narrow()
            return model

        before = sum(run.dropped["error"] for run in users)
        try:
            swap = slot.swap(fitting, running, lambda model: self._switched(slot, model))
        finally:
            if slot.occupant is not None:
                self._lane(slot).fit(slot.occupant.model)
        with self._ready:
            self._ready.notify_all()
        return swap, sum(run.dropped["error"] for run in users) - before

    def _switched(self, slot: ModelSlot, model: LoadedModel) -> None:
        about = shadowed(slot.name.removeprefix("slot:")) if slot.name.startswith("slot:") else None
        if about is not None and slot.occupant is not None:
            lane = self._lane(slot)
            shadow = Shadow(model, slot.occupant.running.digest, lane.wake, temperature_c)
            self._shadows[about] = shadow
            lane.host(shadow)
            self._slots.setdefault(f"slot:{about}", ModelSlot(f"slot:{about}")).tap = shadow
        elif self._host is not None:
            lane = self._lane(slot)
            lane.host(self._host.switched(slot.name, model, lane.wake))

    def _lane(self, slot: ModelSlot) -> ModelThread:
        if slot.name not in self._lanes:
            self._lanes[slot.name] = ModelThread(slot, self._ready, self._slack, lambda: self._busy_beside(slot.name))
        return self._lanes[slot.name]

    def _busy_beside(self, name: str) -> bool:
        return any(lane.busy for other, lane in list(self._lanes.items()) if other != name)

    def clear(self, name: str) -> None:
        """Give back what the slot `name` holds. One that a pipeline uses stays."""
        slot = self._slots.get(name)
        if slot is None or any(slot in run.slots for run in self._runs.values()):
            return
        about = shadowed(name.removeprefix("slot:"))
        if about is not None and self._shadows.pop(about, None) is not None:
            self._slots[f"slot:{about}"].tap = None
        lane = self._lanes.pop(name, None)
        if lane is not None:
            lane.close()
        del self._slots[name]
        slot.close()

    def shadows(self) -> dict[str, ShadowGauges]:
        """Every candidate's window since the last call, by the slot that it is about."""
        return {about: shadow.drain() for about, shadow in list(self._shadows.items())}

    def check(self, spec: PipelineSpec) -> None:
        """Whether `spec` can work, as far as that is known without its models.

        Raises:
            PipelineError: it cannot; the text says why.
        """
        self._made(spec, {}, kept=False)

    def set_pipelines(self, specs: Sequence[PipelineSpec]) -> None:
        """Run exactly these; those unchanged go on undisturbed. One that is refused stays what it was, the others are changed.

        A pipeline whose source stays the same goes on with it: its new graph is tried on the models that are there, and takes
        over between two frames.

        Raises:
            PipelinesRefusedError: some cannot work; it names each.
        """
        wanted = {spec.name: spec for spec in specs}
        for name in [name for name in self._runs if name not in wanted]:
            self._runs.pop(name).close()
            self._switches.pop(name, None)
        refused: dict[str, str] = {}
        for name, spec in wanted.items():
            if name in self._runs and self._runs[name].spec.work() == spec.work():
                continue
            try:
                self._set(spec)
            except EdgefleetError as error:
                refused[name] = str(error)
        self._connect()
        with self._ready:
            self._slack.keep({flow for run in self._runs.values() if isinstance(run, CameraPipeline) for flow in run.flows})
        told = {f"{name}.{rule.name}" for name, run in self._runs.items() for rule in run.spec.rules}
        for fusion in self._fusions():
            fusion.look_for(told)
        if self._audience is not None:
            self._audience.on_pipelines([run.spec for run in self._runs.values()])
        if refused:
            raise PipelinesRefusedError(refused)

    def _set(self, spec: PipelineSpec) -> None:
        """One pipeline, new or changed."""
        old = self._runs.get(spec.name)
        flow = old.prepared(spec, self._slots) if isinstance(old, CameraPipeline) else None
        fresh = self._made(spec, self._slots, kept=True) if flow is None else None
        candidate = flow if flow is not None else fresh
        assert candidate is not None
        for slot in candidate.slots:
            if slot.occupant is not None:
                candidate.check_model(slot, slot.occupant.model)
        if old is not None and not isinstance(fresh, SensorPipeline | FusionPipeline):
            rehearse(spec, self._slots, self._ready, self._connect)
        if isinstance(old, CameraPipeline) and flow is not None:
            self._connect(flow)
            old.change(flow)
        elif fresh is not None:
            if old is not None:
                self._runs.pop(spec.name).close()
            self._runs[spec.name] = fresh
            self._connect()
            fresh.start()

    def _connect(self, guest: GraphExecutor | None = None) -> None:
        """Let every lane serve the flows that there are, and one more."""
        flows: list[FrameProducer] = [flow for run in self._runs.values() for flow in run.flows]
        for slot in self._slots.values():
            self._lane(slot).connect([*flows, *([guest] if guest is not None else [])])

    def _made(self, spec: PipelineSpec, slots: dict[str, ModelSlot], *, kept: bool) -> AnyRun:
        """A camera's pipeline, or a sensor's: the kind of the source tells. kept: it will run, not only be checked."""
        audience = self._audience if kept else None
        if spec.source.kind in plugins.names("sensors"):
            return SensorPipeline(spec, slots, self._ready, self._hearing, self._clock, audience)
        if spec.source.kind == EVENTS:
            return FusionPipeline(spec, self._hearing, self._clock, self._states, audience)
        evidence, memory = (self._evidence, self._memory) if kept else (None, None)
        switches = self._switches.setdefault(spec.name, CameraSwitches()) if kept else None
        return CameraPipeline(spec, slots, self._ready, self._hearing, self._clock, evidence, audience, memory, switches)

    def _fusions(self) -> list[FusionPipeline]:
        return [run for run in list(self._runs.values()) if isinstance(run, FusionPipeline)]

    def _states(self) -> dict[str, str]:
        return {name: run.state for name, run in list(self._runs.items())}

    def gauges(self, window_s: float) -> dict[str, PipelineGauges]:
        """Every pipeline's window since the last call."""
        return {name: run.gauges(window_s) for name, run in list(self._runs.items())}

    def totals(self) -> dict[str, Totals]:
        """What every pipeline did since its start."""
        return {name: run.totals() for name, run in list(self._runs.items())}

    def close(self) -> None:
        """Stop everything; what goes on in rules is ended and told first."""
        for run in self._runs.values():
            run.close()
        for lane in self._lanes.values():
            lane.close()
        for slot in self._slots.values():
            slot.close()
        self._runs, self._lanes, self._slots = {}, {}, {}
