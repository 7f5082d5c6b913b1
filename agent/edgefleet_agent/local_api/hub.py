"""Hub of the local API: passes events of pipelines to the state, live pictures, the event store and integrations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from edgefleet_agent.local_api.live_view import LiveView
from edgefleet_agent.local_api.state import LocalApiState
from edgefleet_agent.pipeline.metrics import Totals
from edgefleet_agent.recording.event_store import EventStore
from edgefleet_agent.sources.camera_switches import CameraSwitches
from edgefleet_agent.vision.answers import ModelOutput
from edgefleet_agent.vision.frame import Frame
from edgefleet_contract.core.errors import InputError, UnavailableError
from edgefleet_contract.pipeline.spec import PipelineSpec
from edgefleet_contract.wire.messages import Event, PipelineGauges


class Integration(Protocol):
    """A further consumer of all events, frames and gauges, such as the publisher to a broker."""

    def on_pipelines(self, specs: Sequence[PipelineSpec]) -> None: ...
    def on_event(self, event: Event, picture: bytes) -> None: ...
    def on_frame(self, pipeline: str, frame: Frame, seen: Sequence[ModelOutput]) -> None: ...
    def on_motion(self, pipeline: str, moves: bool) -> None: ...
    def on_gauges(self, gauges: Mapping[str, PipelineGauges]) -> None: ...
    def on_switch(self, pipeline: str, name: str, on: bool) -> None: ...
    def close(self) -> None: ...


class HttpListener(Protocol):
    """A listener for local API clients."""

    def close(self) -> None: ...


class LocalApiHub:
    """An `Observers` of pipelines. No method blocks a pipeline: slow work is done by threads of the parts. `integrations`,
    `listener`, `store` and `switches_of` are set before the first pipeline runs, if there are any.
    """

    def __init__(self, device: str, version: str) -> None:
        self.state = LocalApiState(device, version)
        self.live = LiveView()
        self.integrations: list[Integration] = []
        self.listener: HttpListener | None = None
        self.store: EventStore | None = None
        self.switches_of: Callable[[str], CameraSwitches | None] = lambda _: None

    # Requests of clients: see `edgefleet_agent.local_api.controls.Controls`.

    def switches(self, pipeline: str) -> dict[str, bool]:
        return self._switches(pipeline).states()

    def switch(self, pipeline: str, name: str, on: bool) -> None:
        self._switches(pipeline).set(name, on)
        for integration in self.integrations:
            integration.on_switch(pipeline, name, on)

    def trigger(self, pipeline: str, seconds: float) -> None:
        self._switches(pipeline).trigger.pull(seconds)

    def _switches(self, pipeline: str) -> CameraSwitches:
        found = self.switches_of(pipeline)
        if found is None:
            raise InputError(f"no camera {pipeline!r}; /api/status lists the cameras of this device")
        return found

    def close(self) -> None:
        """Close the listener, the integrations and the store."""
        if self.listener is not None:
            self.listener.close()
        for integration in self.integrations:
            integration.close()
        if self.store is not None:
            self.store.close()

    def picture(self, pipeline: str, *, overlays: bool, wait_s: float) -> tuple[bytes, int, int]:
        """See `edgefleet_agent.recording.snapshots.SnapshotMaker`."""
        gauges = self.state.gauges.get(pipeline)
        state = (gauges.state if gauges is not None else "") or "starting"
        why = f": {gauges.reason}" if gauges is not None and gauges.reason else ""
        try:
            with self.live.watch(pipeline):
                shot = self.live.next(pipeline, 0, wait_s)
        except KeyError:
            there = ", ".join(sorted(self.state.specs)) or "none"
            raise UnavailableError(f"camera pipeline {pipeline!r} is not running; available: {there}") from None
        if shot is None:
            raise UnavailableError(f"no frame from {pipeline} within {wait_s:g} s; pipeline state: {state}{why}")
        width, height = shot.size
        return shot.jpeg(overlays=overlays), width, height

    # Callbacks of pipelines: see `edgefleet_agent.pipeline.observers.Observers`.

    def on_pipelines(self, specs: Sequence[PipelineSpec]) -> None:
        self.state.pipelines(specs)
        self.live.pipelines(specs)
        for integration in self.integrations:
            integration.on_pipelines(specs)

    def on_event(self, event: Event, picture: bytes) -> None:
        self.state.event(event)
        if self.store is not None:
            self.store.write(event)
        for integration in self.integrations:
            integration.on_event(event, picture)

    def on_frame(self, pipeline: str, frame: Frame, seen: Sequence[ModelOutput] | None) -> None:
        self.live.show(pipeline, frame, seen)
        if seen is not None:
            for integration in self.integrations:
                integration.on_frame(pipeline, frame, seen)

    def on_motion(self, pipeline: str, moves: bool) -> None:
        for integration in self.integrations:
            integration.on_motion(pipeline, moves)

    def on_gauges(self, gauges: Mapping[str, PipelineGauges], totals: Mapping[str, Totals]) -> None:
        self.state.measured(gauges, totals)
        for integration in self.integrations:
            integration.on_gauges(gauges)

    def on_fault(self, pipeline: str, text: str, over: bool, part: str = "") -> None:
        self.state.fault(pipeline, text, over, part)
