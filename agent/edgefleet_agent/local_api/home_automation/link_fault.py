"""The fault of a connection to the broker, for people to read."""

from __future__ import annotations

from collections.abc import Callable

from edgefleet_contract.mqtt.client import MqttClient


class LinkFault:
    """on_fault: gets the reason for which the broker at `url` gets nothing, when it changes, and (True) that it does again."""

    def __init__(self, link: MqttClient, url: str, on_fault: Callable[[str, bool], None]) -> None:
        self._link = link
        self._url = url
        self._on_fault = on_fault
        self._present = ""

    def report(self) -> None:
        """Report a change."""
        why = "" if self._link.connected else self._link.fault
        text = f"home automation: broker {self._url}: {why}; check [local_api.mqtt] and the broker" if why else ""
        if text != self._present:
            self._on_fault(text or f"home automation: connected to {self._url}", not text)
        self._present = text
