"""State that the plans of all kinds share: the files, the server's objects, the record of the configuration."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from edgefleet_client.schemas.alerts import AlertRecipient, AlertRule
from edgefleet_client.schemas.devices import Group
from edgefleet_client.schemas.rollouts import RolloutTemplate
from edgefleet_server.cli.apply.fleet_files import FleetFiles
from edgefleet_server.cli.apply.ownership import Ownership
from edgefleet_server.cli.client import Client


@dataclass
class PlanContext:
    """The server's objects as they were when the plan first asked for them, and what the plan will change in them.

    coming: objects (kind, name) that the plan creates or changes; what depends on them is decided when it is carried out.
    channels: model and channel to version, those of the plan included. pipeline_versions: newest version of each pipeline.
    quiet: without progress of uploads, for output that programs read.
    """

    client: Client
    files: FleetFiles
    ownership: Ownership
    quiet: bool = False
    coming: set[tuple[str, str]] = field(default_factory=set)
    channels: dict[tuple[str, str], str] = field(default_factory=dict)
    pipeline_versions: dict[str, str] = field(default_factory=dict)

    @cached_property
    def groups(self) -> dict[str, Group]:
        """Groups by name."""
        return {each["name"]: each for each in self.client.devices.iterate_groups()}

    @cached_property
    def alert_rules(self) -> dict[str, list[AlertRule]]:
        """Alert rules by name, which need not be unique."""
        found: dict[str, list[AlertRule]] = {}
        for rule in self.client.alerts.iterate_alert_rules():
            found.setdefault(rule["name"], []).append(rule)
        return found

    @cached_property
    def recipients(self) -> dict[str, AlertRecipient]:
        """Recipients of alerts by name."""
        return {each["name"]: each for each in self.client.alerts.iterate_alert_recipients()}

    @cached_property
    def versions(self) -> dict[str, dict[str, str]]:
        """Model to its versions and their digests."""
        return {
            model["name"]: {version["version"]: version["digest"] for version in model["versions"]}
            for model in self.client.models.iterate_models()
        }

    @cached_property
    def pipelines(self) -> dict[str, str]:
        """Pipeline to its newest version."""
        return {row["name"]: row["latest"] for row in self.client.pipelines.iterate_pipelines()}

    @cached_property
    def templates(self) -> dict[str, RolloutTemplate]:
        """Templates of rollouts by name."""
        return {each["name"]: each for each in self.client.rollouts.list_rollout_templates()["items"]}
