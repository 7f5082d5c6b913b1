"""Operations about settings.

Generated from docs/openapi.json by `python -m tools.write_client`.
"""

from __future__ import annotations

from edgefleet_client.schemas.settings import SettingList, SettingsChange
from edgefleet_client.transport import Transport


class SettingsOperations:
    """Operations about settings."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get_settings(self) -> SettingList:
        """The effective settings, each with its bounds and the option that changes it. Role: admin."""
        answer: SettingList = self._transport.ask("GET", ("settings",))
        return answer

    def change_settings(self, body: SettingsChange) -> SettingList:
        """Change settings, all given ones or none; null restores the value from the server's start. Takes effect
        immediately, in other processes of the server within seconds. Role: admin."""
        answer: SettingList = self._transport.ask("PATCH", ("settings",), json=body)
        return answer
