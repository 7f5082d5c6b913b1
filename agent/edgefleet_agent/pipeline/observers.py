"""Interfaces for the observers of pipelines: events, faults, frames and gauges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from edgefleet_agent.pipeline.metrics import Totals
from edgefleet_agent.vision.answers import ModelOutput
from edgefleet_agent.vision.frame import Frame
from edgefleet_contract.pipeline.spec import PipelineSpec
from edgefleet_contract.wire.messages import Event, PipelineGauges

MOTION_HOLD_S = 30.0
"""Time without motion after which there is none, as in Frigate (`mqtt_off_delay`)."""


class PipelineObserver(Protocol):
    """Receives events and faults. Called from pipelines' threads, one at a time per pipeline; must not block long."""

    def on_event(self, event: Event) -> None:
        """Called for each event of a rule."""

    def on_fault(self, pipeline: str, text: str, over: bool) -> None:
        """Called if a part begins to fail, or (`over`) works again."""


class Observers(Protocol):
    """Receives events, frames and gauges for the local API. Called from many threads; must never block: frames wait."""

    def on_pipelines(self, specs: Sequence[PipelineSpec]) -> None:
        """Called with all pipelines that run from now on."""

    def on_event(self, event: Event, picture: bytes) -> None:
        """Called if an event starts, changes (phase `update`) or ends. The event must not be modified: the server gets the same
        object. picture: its best view so far as a JPEG; empty if there is no better one, or without snapshots. The frame of the
        event follows in `on_frame`.
        """

    def on_frame(self, pipeline: str, frame: Frame, seen: Sequence[ModelOutput] | None) -> None:
        """Called with each analyzed frame. seen: its tracks or boxes; None if no model ran. The pixels are valid until this
        returns: copy them to store them."""

    def on_motion(self, pipeline: str, moves: bool) -> None:
        """Called when the motion stage of a pipeline finds motion, and when it has found none for `MOTION_HOLD_S`."""

    def on_gauges(self, gauges: Mapping[str, PipelineGauges], totals: Mapping[str, Totals]) -> None:
        """Called with the last window and the totals of every pipeline."""

    def on_fault(self, pipeline: str, text: str, over: bool, part: str = "") -> None:
        """Called if a part begins to fail, or (`over`) works again; the faults of a source are in the gauges."""
