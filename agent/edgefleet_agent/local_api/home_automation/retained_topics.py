"""The retained messages of this device's pipelines: only changes are published, all of them to a broker that is back, and those
of removed pipelines, lines, rules and zones are taken back. For one thread.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from edgefleet_agent.local_api.home_automation.frigate_topics import FrigateTopics, Places
from edgefleet_contract.pipeline.spec import PipelineSpec

Owner = tuple[str, str]
"""A pipeline, and the part of it whose end also ends the topic; empty: only the pipeline."""


class RetainedTopics:
    """publish: sends a retained message, an empty one to take it back; returns whether the connection has it."""

    def __init__(self, topics: FrigateTopics, publish: Callable[[str, bytes], bool]) -> None:
        self._topics = topics
        self._publish = publish
        self._pipelines: frozenset[str] = frozenset()
        self._parts: dict[str, Owner] = {}  # by topic
        self._zones: dict[str, Owner] = {}  # by beginning of topics
        self._owners: dict[str, Owner] = {}  # of all topics that may be at the broker
        self._held: dict[str, bytes] = {}  # payloads
        self._withdrawn: set[str] = set()  # topics to be taken back

    def set_pipelines(self, specs: Iterable[PipelineSpec], places: Places) -> set[str]:
        """Set the running pipelines. Returns the topics that were taken back."""
        specs, topics = list(specs), self._topics
        self._pipelines = frozenset(spec.name for spec in specs)
        self._parts, self._zones = {}, {}
        for spec in specs:
            lines = [
                (topics.crossings(spec.name, line.name, way), line)
                for line in spec.lines
                for way in (line.forward, line.backward)
            ]
            self._parts |= {topic: (spec.name, f"line {line.name}") for topic, line in lines}
            for rule in spec.rules:
                for topic in (topics.rule(spec.name, rule.name), topics.alarm(spec.name, rule.name)):
                    self._parts[topic] = (spec.name, f"rule {rule.name}")
            if any(stage.kind == "motion" for stage in spec.stages):
                self._parts[topics.motion(spec.name)] = (spec.name, "motion")
        for (camera, zone), place in places.items():
            self._zones[f"{topics.prefix}/{place}/"] = (camera, f"zone {zone}")
        removed = {
            topic
            for topic, owner in self._owners.items()
            if owner[0] not in self._pipelines or self._owner(owner[0], topic) != owner
        }
        for topic in removed:
            del self._owners[topic]
            self._held.pop(topic, None)
        self._take_back(removed)
        return removed

    def now(self, topic: str) -> bytes | None:
        """The payload; None for an unknown topic."""
        return self._held.get(topic)

    def hold(self, pipeline: str, topic: str, payload: bytes) -> None:
        """Publish a payload if it is another than before. That of a pipeline that does not run any more is dropped."""
        if pipeline not in self._pipelines or self._held.get(topic) == payload:
            return
        self._owners[topic] = self._owner(pipeline, topic)
        self._held[topic] = payload
        self._withdrawn.discard(topic)
        self._publish(topic, payload)

    def picture(self, pipeline: str, topic: str, jpeg: bytes) -> None:
        """Publish a picture, which is not kept here for a broker that is back."""
        if pipeline in self._pipelines and self._publish(topic, jpeg):
            self._owners[topic] = self._owner(pipeline, topic)
            self._withdrawn.discard(topic)

    def publish_all(self) -> None:
        """Publish everything to a broker that may have another state."""
        for topic, payload in self._held.items():
            self._publish(topic, payload)
        self._take_back(set())

    def _take_back(self, topics: set[str]) -> None:
        self._withdrawn = {topic for topic in self._withdrawn | topics if not self._publish(topic, b"")}

    def _owner(self, pipeline: str, topic: str) -> Owner:
        known = self._parts.get(topic)
        if known is not None:
            return known
        return next((owner for start, owner in self._zones.items() if topic.startswith(start)), (pipeline, ""))
