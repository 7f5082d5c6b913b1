"""A pipeline over the events of other pipelines: rules of kind `combine` over cameras and sensors, on one clock.

Times of events are wall times, which may jump. On arrival they are converted to this process's monotonic clock by their age, so
that a later jump shifts nothing.
"""

from __future__ import annotations

import queue
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from datetime import datetime, timezone
from typing import Any

from edgefleet_agent.core.clock import Clock
from edgefleet_agent.pipeline.metrics import STATES_SEEING, Totals
from edgefleet_agent.pipeline.model.loaded_model import LoadedModel
from edgefleet_agent.pipeline.model.model_slots import ModelSlot
from edgefleet_agent.pipeline.observers import Observers, PipelineObserver
from edgefleet_agent.signal.cross_source_rule import CombinedEpisode, CrossSourceRule
from edgefleet_contract.core.errors import EdgefleetError, PipelineError
from edgefleet_contract.pipeline.spec import PipelineSpec, RuleSpec, check_pipeline, config_digest
from edgefleet_contract.wire.messages import Event, EventPhase, PipelineGauges

TURN_S = 0.25
"""Interval at which rules are evaluated and other pipelines' states are read."""
WAITING_MAX = 1000
"""Limit of received events that are not evaluated yet."""
States = Callable[[], Mapping[str, str]]


def compile_fusion(spec: PipelineSpec) -> list[CrossSourceRule]:
    """The cross-source rules of `spec`, one per rule.

    Raises:
        PipelineError: there are stages, or rules that do not refer to other pipelines.
    """
    check_pipeline(spec)
    if spec.stages:
        raise PipelineError(
            f"{spec.at('stages', 0)}: a source of kind 'events' has no stages; its rules refer to other pipelines"
        )
    found = []
    for index, rule in enumerate(spec.rules):
        at = spec.at("rules", index)
        if rule.kind != "combine":
            raise PipelineError(f"{at}: rule {rule.name!r}: kind {rule.kind!r} needs frames or readings; here it is 'combine'")
        if not rule.all:
            raise PipelineError(f'{at}: rule {rule.name!r}: `all` must list events as "pipeline.rule"')
        wrong = next((name for name in (*rule.all, *rule.none) if not all(name.partition(".")[::2])), None)
        if wrong is not None:
            raise PipelineError(f'{at}: rule {rule.name!r}: {wrong!r} must be "pipeline.rule"')
        found.append(CrossSourceRule(rule.all, rule.none, rule.min_s, rule.gap_s, rule.settle_s))
    return found


class FusionPipeline:
    """One fusion pipeline. states: returns the states of all pipelines by name. `on_event` is called with every event of every
    pipeline, by their threads.

    Raises:
        PipelineError: the specification cannot work; the text gives the reason.
    """

    def __init__(
        self, spec: PipelineSpec, listener: PipelineObserver, clock: Clock, states: States, observers: Observers | None = None
    ) -> None:
        self.spec = spec
        self.producers: list[Any] = []
        self.slots: list[ModelSlot] = []
        self.error: EdgefleetError | None = None
        self.done = threading.Event()
        self.frames_total = self.frames_expected = self.quiet_total = 0
        self.dropped: Counter[str] = Counter()
        self._conditions = compile_fusion(spec)
        self._digest = config_digest(spec)
        self._listener, self._clock, self._states, self._observers = listener, clock, states, observers
        self._names = {name for rule in spec.rules for name in (*rule.all, *rule.none)}
        self._received: queue.Queue[tuple[Event, float]] = queue.Queue(WAITING_MAX)
        self._closing = threading.Event()
        self._prefix = f"{random.getrandbits(40):010x}-"
        self._began_s = time.monotonic()
        self._reported = 0
        self._missing: list[str] = []
        self._thread = threading.Thread(target=self._run, name=f"fusion:{spec.name}", daemon=True)

    @property
    def state(self) -> str:
        """State: `running` or `ended`."""
        return "ended" if self.done.is_set() else "running"

    def start(self) -> None:
        """Start to evaluate events."""
        self._thread.start()

    def close(self) -> None:
        """Stop, and end open events."""
        self._closing.set()
        self._thread.join()

    def check_model(self, slot: ModelSlot, model: LoadedModel) -> None:
        """Does nothing: a fusion pipeline has no models."""

    def check_inputs(self, published: Collection[str]) -> None:
        """Report rules that no pipeline publishes, and when all exist again. published: every existing `pipeline.rule`."""
        missing = sorted(self._names - set(published))
        if missing != self._missing:
            self._missing = missing
            text = (
                f"no pipeline publishes {', '.join(missing)}; rules that use it never apply"
                if missing
                else "all inputs exist again"
            )
            self._listener.on_fault(self.spec.name, text, not missing)

    def on_event(self, event: Event) -> None:
        """Queue an event of another pipeline. Never waits."""
        if f"{event.pipeline}.{event.rule}" not in self._names or event.phase is EventPhase.UPDATE:
            return
        try:
            self._received.put_nowait((event, time.monotonic() - max(0.0, self._clock.wall() - event.at)))
        except queue.Full:
            self.dropped["busy"] += 1

    def gauges(self, window_s: float) -> PipelineGauges:
        """The window since the last call. Frames are events here."""
        rate = round((self.frames_total - self._reported) / window_s, 2)
        self._reported = self.frames_total
        return PipelineGauges(state=self.state, camera_fps=rate, process_fps=rate, frames_total=self.frames_total)

    def totals(self) -> Totals:
        """Frame counts since the start."""
        return Totals(captured=self.frames_total, processed=self.frames_total, dropped=dict(self.dropped))

    def _run(self) -> None:
        while not self._closing.wait(TURN_S):
            self._evaluate()
        self._evaluate()
        for rule, condition in zip(self.spec.rules, self._conditions, strict=True):
            self._publish(rule, condition.finish())
        self.done.set()

    def _evaluate(self) -> None:
        now_s = time.monotonic()
        states = self._states()
        for condition in self._conditions:
            for pipeline in {name.partition(".")[0] for name in (*condition.all, *condition.none)}:
                condition.sees(pipeline, now_s, sees=states.get(pipeline) in STATES_SEEING)
        while not self._received.empty():
            event, at_s = self._received.get_nowait()
            self.frames_total += 1
            self._take(event, at_s)
        for rule, condition in zip(self.spec.rules, self._conditions, strict=True):
            self._publish(rule, condition.advance(now_s))

    def _take(self, event: Event, at_s: float) -> None:
        name = f"{event.pipeline}.{event.rule}"
        for condition in self._conditions:
            if name not in (*condition.all, *condition.none):
                continue
            if event.phase is EventPhase.NEW:
                condition.start(name, event.id, at_s)
            else:
                lasted_s = (event.end_s - event.start_s) if event.end_s is not None and event.start_s is not None else 0.0
                condition.end(name, event.id, at_s - lasted_s, at_s)

    def _publish(self, rule: RuleSpec, found: list[CombinedEpisode]) -> None:
        shift_s = self._clock.wall() - time.monotonic()
        for one in found:
            event = Event(
                kind="combine",
                id=f"{self._prefix}{rule.name}-{one.number}",
                phase=EventPhase.NEW if one.end_s is None else EventPhase.END,
                at=round((one.start_s if one.end_s is None else one.end_s) + shift_s, 3),
                pipeline=self.spec.name,
                rule=rule.name,
                start_s=round(one.start_s - self._began_s, 3),
                end_s=None if one.end_s is None else round(one.end_s - self._began_s, 3),
                config_digest=self._digest,
                data={
                    "all": list(rule.all),
                    "none": list(rule.none),
                    "events": list(one.parts),
                    "from": _iso(one.start_s + shift_s),
                    **({} if one.end_s is None else {"to": _iso(one.end_s + shift_s)}),
                },
            )
            self._listener.on_event(event)
            if self._observers is not None:
                self._observers.on_event(event, b"")


def _iso(at: float) -> str:
    return datetime.fromtimestamp(at, timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
