"""Discovery documents for Home Assistant: this device, and an entity for every value of its pipelines. Pure.

A document is retained under `PREFIX/COMPONENT/NODE/OBJECT/config` (MQTT discovery of Home Assistant); an empty one removes the
entity. Entities are unavailable while the agent is offline, and those of a camera while the camera is.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from edgefleet_agent.local_api.home_automation.frigate_topics import RESERVED, FrigateTopics
from edgefleet_agent.sources.camera_switches import SWITCHES
from edgefleet_contract.pipeline.spec import PipelineSpec

RATES = ("camera_fps", "process_fps", "skipped_fps", "detection_fps")

Documents = dict[str, dict[str, Any]]
"""Documents by topic."""


def named_labels(spec: PipelineSpec) -> list[str]:
    """The labels named in the pipeline that are counted; others become known when they are detected."""
    named = [label for stage in spec.stages for label in stage.labels] + [label for rule in spec.rules for label in rule.labels]
    return [label for label in dict.fromkeys(named) if label not in RESERVED]


def zone_labels(spec: PipelineSpec, labels: Iterable[str]) -> list[str]:
    """The labels that are counted in zones: those of the picture, or what moves where there is no detector."""
    kinds = {stage.kind for stage in spec.stages}
    return [*labels, *(["motion"] if "motion" in kinds and "detect" not in kinds else [])]


@dataclass(frozen=True, slots=True)
class Discovery:
    """Builds documents for one device. prefix: Home Assistant's discovery prefix. page: address of the status page, empty:
    none."""

    prefix: str
    topics: FrigateTopics
    device: str
    version: str
    page: str = ""

    @property
    def own(self) -> str:
        """Topic filter of all documents of this device."""
        return f"{self.prefix}/+/edgefleet_{self.device}/+/config"

    def counts(self, document: bytes, places: Iterable[str]) -> bool:
        """Whether a document is about a label at one of these cameras or zones: the label may be detected again."""
        try:
            values = json.loads(document)
            topic = str(values.get("state_topic") or values.get("image_topic") or "").removesuffix("/snapshot")
        except (ValueError, AttributeError):
            return False
        place, _, label = topic.rpartition("/")
        return label not in RESERVED and place in {f"{self.topics.prefix}/{place}" for place in places}

    def pictured_on(self, document: bytes) -> str:
        """The topic of a document whose entity is a picture; empty for another one."""
        try:
            values = json.loads(document)
            topic = str(values.get("image_topic") or values.get("topic") or "")
        except (ValueError, AttributeError):
            return ""
        return topic if topic.startswith(f"{self.topics.prefix}/") and topic.endswith("/snapshot") else ""

    def camera(self, spec: PipelineSpec, labels: Sequence[str], places: Mapping[tuple[str, str], str]) -> Documents:
        """All documents of one camera's pipeline. places: topic levels of its zones."""
        name, topics = spec.name, self.topics
        documents: Documents = {}
        for label in labels:
            self._count(documents, name, label, name, topics.count(name, label))
            picture = {"image_topic": topics.label_snapshot(name, label), "content_type": "image/jpeg"}
            self._add(documents, "image", name, f"{name} {label}", picture)
        for zone in dict.fromkeys(rule.zone for rule in spec.rules if rule.kind == "zone"):
            for label in zone_labels(spec, labels):
                self._count(documents, name, label, f"{name} {zone}", topics.count(places[name, zone], label))
        if any(stage.kind == "motion" for stage in spec.stages):
            values = {"state_topic": topics.motion(name), "device_class": "motion"}
            self._add(documents, "binary_sensor", name, f"{name} motion", values)
        for rule in spec.rules:
            values = {"state_topic": topics.rule(name, rule.name)}
            if rule.kind == "crowd":
                self._add(documents, "binary_sensor", name, f"{name} {rule.name}", values | {"device_class": "problem"})
            elif rule.kind == "occupancy":
                values |= {"state_class": "measurement", "icon": "mdi:counter"}
                self._add(documents, "sensor", name, f"{name} {rule.name}", values)
        self._add(documents, "camera", name, f"{name} newest event", {"topic": topics.snapshot(name)})
        for switch in SWITCHES:
            values = {"command_topic": topics.command(name, switch), "state_topic": topics.switched(name, switch)}
            self._add(documents, "switch", name, f"{name} {switch}", values | {"entity_category": "config"})
        press = {"command_topic": topics.command(name, "trigger"), "payload_press": "ON"}
        self._add(documents, "button", name, f"{name} trigger", press)
        for line in spec.lines:
            for direction in (line.forward, line.backward):
                values = {"state_topic": topics.crossings(name, line.name, direction), "state_class": "total_increasing"}
                self._add(documents, "sensor", name, f"{name} {line.name} {direction}", values | {"icon": "mdi:counter"})
        for rate in RATES:
            values = {
                "state_topic": topics.stats,
                "value_template": f"{{{{ value_json.cameras['{name}'].{rate} }}}}",
                "unit_of_measurement": "fps",
                "state_class": "measurement",
                "entity_category": "diagnostic",
            }
            self._add(documents, "sensor", name, f"{name} {rate.replace('_', ' ')}", values)
        self._connectivity(documents, name)
        return documents

    def sensor(self, spec: PipelineSpec) -> Documents:
        """All documents of one sensor's pipeline."""
        documents: Documents = {}
        for rule in spec.rules:
            values = {"state_topic": self.topics.alarm(spec.name, rule.name), "device_class": "problem"}
            self._add(documents, "binary_sensor", spec.name, f"{spec.name} {rule.name}", values)
        self._connectivity(documents, spec.name)
        return documents

    def _count(self, documents: Documents, pipeline: str, label: str, place: str, topic: str) -> None:
        value = "{{ 'None' if value == 'None' else 'ON' if value | int(0) > 0 else 'OFF' }}"
        state = {"state_topic": topic, "value_template": value, "device_class": "occupancy"}
        self._add(documents, "binary_sensor", pipeline, f"{place} {label}", state)
        count = {"state_topic": topic, "state_class": "measurement", "icon": "mdi:counter"}
        self._add(documents, "sensor", pipeline, f"{place} {label} count", count)

    def _connectivity(self, documents: Documents, pipeline: str) -> None:
        status = {"state_topic": self.topics.status(pipeline), "payload_on": "online", "payload_off": "offline"}
        values = status | {"device_class": "connectivity", "entity_category": "diagnostic"}
        self._add(documents, "binary_sensor", "", f"{pipeline} source", values)

    def _add(self, documents: Documents, component: str, pipeline: str, name: str, values: dict[str, Any]) -> None:
        """Add a document. pipeline: the entity is unavailable without it; empty: it depends on the agent only."""
        key = _key(name)
        available = [{"topic": self.topics.available}]
        if pipeline:
            available.append({"topic": self.topics.status(pipeline)})
        device = {
            "identifiers": [f"edgefleet_{self.device}"],
            "name": self.device,
            "manufacturer": "edgefleet",
            "model": "edge agent",
        }
        documents[f"{self.prefix}/{component}/edgefleet_{self.device}/{key}/config"] = {
            "name": name,
            "unique_id": f"edgefleet_{self.device}_{component}_{key}",
            "object_id": f"{self.device}_{key}",  # for a Home Assistant before 2025.10
            "default_entity_id": f"{component}.{re.sub(r'[^a-z0-9]+', '_', f'{self.device}_{key}'.lower()).strip('_')}",
            **values,
            "availability": available,
            "availability_mode": "all",
            "device": {
                **device,
                "sw_version": self.version,
                **({"configuration_url": self.page} if self.page else {}),
            },
            "origin": {"name": "edgefleet", "sw_version": self.version},
        }


def _key(name: str) -> str:
    """A name in the characters of topics and ids. Other letters become underscores, so a checksum keeps such names apart."""
    key = re.sub(r"[^a-zA-Z0-9_-]", "_", name)
    return key if name.isascii() else f"{key}_{zlib.crc32(name.encode()):08x}"
