"""Who hears and sees what pipelines do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from edgefleet_agent.pipeline.metrics import Totals
from edgefleet_agent.vision.answers import ModelOutput
from edgefleet_agent.vision.frame import Frame
from edgefleet_contract.pipeline.spec import PipelineSpec
from edgefleet_contract.wire.messages import Event, PipelineGauges


class PipelineObserver(Protocol):
    """Who hears what pipelines say. Called from their threads, one at a time for each pipeline; must not block for long."""

    def on_event(self, event: Event) -> None:
        """A rule fired."""

    def on_trouble(self, pipeline: str, text: str, over: bool) -> None:
        """Something began to fail, or (`over`) works again."""


class Observers(Protocol):
    """The faces of this device to its neighbours. Called from many threads; must never block, because frames wait meanwhile."""

    def on_pipelines(self, specs: Sequence[PipelineSpec]) -> None:
        """Exactly these pipelines run from now on."""

    def on_event(self, event: Event, picture: bytes) -> None:
        """An event began, changed (phase `update`) or ended. Must not be written to: the server gets the same object. picture: a
        better view of it than any before, as a JPEG; empty where there is none, or no pictures are kept. A frame of the same
        pipeline follows, in which the event was told.
        """

    def on_frame(self, pipeline: str, frame: Frame, seen: Sequence[ModelOutput] | None) -> None:
        """A frame was looked at. seen: what is followed in it; None where only the motion stage looked. Its pixels are borrowed:
        what is wanted of them must be copied before this returns."""

    def on_gauges(self, gauges: Mapping[str, PipelineGauges], totals: Mapping[str, Totals]) -> None:
        """The last window of every pipeline, and what it did since its start."""

    def on_trouble(self, pipeline: str, text: str, over: bool) -> None:
        """Something began to fail, or (`over`) works again."""
