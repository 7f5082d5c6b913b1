"""Discovery documents at the broker: those of the present entities are published, those of earlier ones removed. Thread-safe."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable

from edgefleet_agent.local_api.home_automation.discovery import Discovery, Documents
from edgefleet_contract.encoding.number_text import json_text

OLD_DOCUMENTS_MAX = 4000
"""Documents of an earlier run that are checked."""
SETTLED_S = 60.0
"""Delay after the last change of pipelines before documents of earlier ones are removed: a starting service gets its pipelines
one after the other, and Home Assistant loses a user's settings of an entity that is removed."""


class PublishedDocuments:
    """Documents of one device. retain: publishes a retained message, an empty one to remove it; returns whether the connection
    has it."""

    def __init__(self, discovery: Discovery, retain: Callable[[str, bytes], bool]) -> None:
        self.discovery = discovery
        self._retain = retain
        self._lock = threading.Lock()
        self._present: Documents = {}
        self._removed: set[str] = set()  # to be removed at the broker
        self._old: dict[str, bytes] = {}
        self._settled_s = float("inf")

    def change(self) -> None:
        """Pipelines have changed."""
        self._settled_s = time.monotonic() + SETTLED_S

    def found(self, topic: str, payload: bytes) -> None:
        """Take note of a document that is at the broker."""
        with self._lock:
            if payload and len(self._old) < OLD_DOCUMENTS_MAX:
                self._old[topic] = payload

    @property
    def has_old(self) -> bool:
        """Whether documents of an earlier run may be removed now."""
        return bool(self._old) and time.monotonic() >= self._settled_s

    def publish(self, documents: Documents, *, everything: bool = False) -> None:
        """Publish documents that are new or changed, and remove those of earlier calls that are not among them. everything:
        publish all of them."""
        self._removed |= self._present.keys() - documents.keys()
        self._removed = {topic for topic in self._removed - documents.keys() if not self._retain(topic, b"")}
        for topic, document in documents.items():
            if everything or self._present.get(topic) != document:
                self._retain(topic, json_text(document, compact=True).encode())
        self._present = documents

    def remove_old(self, places: Iterable[str]) -> None:
        """Remove documents of an earlier run whose entities do not exist any more, and their pictures; those of known labels at
        the cameras and zones `places` stay."""
        with self._lock:
            old, self._old = self._old, {}
        pictures = {document.get("image_topic") or document.get("topic") for document in self._present.values()}
        for topic, document in old.items():
            if topic not in self._present and not self.discovery.counts(document, places):
                self._retain(topic, b"")
                picture = self.discovery.pictured_on(document)
                if picture and picture not in pictures:
                    self._retain(picture, b"")
