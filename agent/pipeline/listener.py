"""Who hears what pipelines say."""

from __future__ import annotations

from typing import Protocol

from agent.contract.messages import Event


class Listener(Protocol):
    """Who hears what pipelines say. Called from their threads, one at a time for each pipeline; must not block for long."""

    def on_event(self, event: Event) -> None:
        """A rule fired."""

    def on_trouble(self, pipeline: str, text: str, over: bool) -> None:
        """Something began to fail, or (`over`) works again."""
