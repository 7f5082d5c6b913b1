"""The data of the settings page."""

from __future__ import annotations

from pathlib import Path

from edgefleet_server.api.services import effective_settings
from edgefleet_server.core.settings import Settings


def test_no_secret_is_shown() -> None:
    """Neither in a mail server's address nor in a broker's."""
    settings = Settings(
        data=Path("/nowhere"),
        smtp_url="smtp+starttls://fleet:hunter2@mail.example:587",
        broker_url="mqtts://fleet:hunter2@broker.example",
        otlp="http://collector.example:4318/v1?key=hunter2",
    )
    shown = effective_settings.groups(settings, "mqtts://fleet:hunter2@127.0.0.1:8883", settings, {})
    text = "".join(group.model_dump_json() for group in shown)
    assert "hunter2" not in text
    assert "mail.example:587" in text
    assert "broker.example" in text


def test_a_setting_names_its_option() -> None:
    """A value without a way to change it is part of the product."""
    settings = Settings(data=Path("/nowhere"))
    groups = effective_settings.groups(settings, "mqtts://127.0.0.1:8883", settings, {})
    changes = {item.name: item.change for group in groups for item in group.items}
    assert len(changes) == sum(len(group.items) for group in groups), "two settings share a name"
    assert changes["smtp_url"].startswith("--smtp")
    assert changes["devices_max"] == ""
