"""Tools that propose changes. The server stores each as a proposal: nothing changes until a signed-in user approves it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from edgefleet_client.schemas.core import Selector
from edgefleet_client.schemas.rollout_requests import RolloutRequest, WaveSpec
from edgefleet_server.cli.mcp.access import FleetAccess
from edgefleet_server.cli.mcp.answers import ProposalAnswer
from edgefleet_server.cli.mcp.fleet_tools import DeviceId
from edgefleet_server.cli.mcp.rollout_tools import RolloutId
from edgefleet_server.core.errors import InputError

Reason = Annotated[str, Field(min_length=1, max_length=500, description="Why; shown to the person who decides")]
Labels = Annotated[dict[str, str], Field(max_length=64)]


class Devices(BaseModel):
    """Devices of a rollout or group: all; or those named in `ids` and those that have every one of `labels` and match the `query`
    (as in `list_devices`); or those of a `group`."""

    all: bool = False
    ids: Annotated[list[str], Field(max_length=1_000)] = []
    labels: Labels = {}
    group: str | None = None
    query: Annotated[str | None, Field(max_length=2_000)] = None


class WaveChoice(BaseModel):
    """A wave of a rollout: a share of its devices, or a number. `approval`: a person has to approve its start."""

    name: Annotated[str, Field(min_length=1, max_length=64)]
    percent: Annotated[float | None, Field(gt=0, le=100)] = None
    count: Annotated[int | None, Field(ge=1)] = None
    approval: bool = False


class ProposingTools:
    """Tools whose result is a proposal."""

    def __init__(self, access: FleetAccess) -> None:
        self._access = access
        self.tools = (
            self.propose_rollout, self.propose_rollout_action, self.propose_device_labels, self.propose_group,
            self.propose_channel, self.propose_device_command, self.propose_alert_acknowledgement, self.propose_pin,
            self.propose_unpin,
        )  # fmt: skip

    def propose_rollout(
        self,
        package: Annotated[str, Field(description="Name of a model, as listed by list_models")],
        version: Annotated[str, Field(description="Version or channel")],
        devices: Devices,
        reason: Reason,
        slot: Annotated[str, Field(description="Slot of the devices")] = "detector",
        template: Annotated[str | None, Field(description="Plan of waves and gates; null: the server's default")] = None,
        waves: Annotated[list[WaveChoice], Field(max_length=20, description="Instead of those of the template")] = [],  # noqa: B006
        start: Annotated[bool, Field(description="Start once approved; else it stays a draft")] = True,
    ) -> ProposalAnswer:
        """Propose to roll out a version in gated waves. Nothing happens until a person approves the proposal."""
        known = self._access.client.rollouts.list_rollout_templates()
        name = template or known["default"]
        found = next((one for one in known["items"] if one["name"] == name), None)
        if found is None:
            raise InputError(f"no template {name!r}; known are {', '.join(one['name'] for one in known['items'])}")
        body: RolloutRequest = {
            "name": f"{package} {version}",
            "package": package,
            "version": version,
            "slot": slot,
            "selector": _selector(devices),
            "waves": [_wave(wave) for wave in waves] or found["waves"],
            "gate": found["gate"],
            "policy": found["policy"],
            "terms": found["terms"],
            "start": start,
        }
        return self._access.propose("POST", ("rollouts",), body, reason)

    def propose_rollout_action(
        self, rollout: RolloutId, action: Literal["start", "pause", "resume", "abort", "rollback"], reason: Reason
    ) -> ProposalAnswer:
        """Propose to start, pause, resume, abort or roll back a rollout. Nothing happens until a person approves the proposal."""
        return self._access.propose("POST", ("rollouts", rollout, action), {"reason": reason}, reason)

    def propose_device_labels(self, device: DeviceId, changes: dict[str, str | None], reason: Reason) -> ProposalAnswer:
        """Propose to set labels of a device; null removes one, labels that are not named stay. Nothing happens until a person
        approves the proposal."""
        body = {"action": "label", "selector": {"ids": [device]}, "labels": changes}
        self._access.client.devices.get_device(device)
        return self._access.propose("POST", ("devices", "bulk"), body, reason)

    def propose_group(
        self, name: str, devices: Devices, reason: Reason, note: Annotated[str, Field(max_length=200)] = ""
    ) -> ProposalAnswer:
        """Propose to create or change a group of devices. Nothing happens until a person approves the proposal."""
        return self._access.propose("PUT", ("groups", name), {"selector": _selector(devices), "note": note}, reason)

    def propose_channel(self, model: str, channel: str, version: str, reason: Reason) -> ProposalAnswer:
        """Propose to let a channel of a model, for example stable, point to a version. Nothing happens until a person approves
        the proposal."""
        return self._access.propose("PUT", ("channels", model, channel), {"version": version, "note": reason[:200]}, reason)

    def propose_device_command(
        self,
        device: DeviceId,
        command: Annotated[
            Literal["identify", "logs", "pipelines", "restart", "bench"],
            Field(description="identify blinks, logs and pipelines report, restart starts the agent again, bench measures"),
        ],
        reason: Reason,
        args: dict[str, Any] = {},  # noqa: B006
    ) -> ProposalAnswer:
        """Propose one of the fixed commands for a device. Nothing happens until a person approves the proposal."""
        return self._access.propose("POST", ("devices", device, "commands"), {"op": command, "args": args}, reason)

    def propose_alert_acknowledgement(self, alert: Annotated[int, Field(ge=1)], reason: Reason) -> ProposalAnswer:
        """Propose to acknowledge an alert. Nothing happens until a person approves the proposal."""
        return self._access.propose("POST", ("alerts", alert, "acknowledge"), None, reason)

    def propose_pin(
        self,
        device: DeviceId,
        slot: str,
        reason: Reason,
        package: Annotated[str | None, Field(description="With version; null: what the slot runs now")] = None,
        version: str | None = None,
    ) -> ProposalAnswer:
        """Propose to pin a slot of a device, so that rollouts do not change it. Nothing happens until a person approves the
        proposal."""
        body = {"package": package, "version": version, "reason": reason[:200]}
        return self._access.propose("PUT", ("devices", device, "pins", slot), body, reason)

    def propose_unpin(self, device: DeviceId, slot: str, reason: Reason) -> ProposalAnswer:
        """Propose to unpin a slot of a device. Nothing happens until a person approves the proposal."""
        return self._access.propose("DELETE", ("devices", device, "pins", slot), None, reason)


def _selector(devices: Devices) -> Selector:
    made: Selector = {"all": devices.all, "ids": devices.ids, "labels": devices.labels}
    if devices.query:
        made["query"] = devices.query
    return {**made, "group": devices.group} if devices.group else made


def _wave(wave: WaveChoice) -> WaveSpec:
    made: WaveSpec = {"name": wave.name, "approval": wave.approval}
    if wave.percent is not None:
        made["percent"] = wave.percent
    if wave.count is not None:
        made["count"] = wave.count
    return made
