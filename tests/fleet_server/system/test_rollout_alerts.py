"""A rollout stops in an empty office: webhook and mail arrive. Server, broker, receiver and mail server are real."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from aiosmtpd.controller import Controller

from edgefleet_contract.wire.messages import SlotPhase
from edgefleet_contract.wire.reason_codes import Reason
from tests.fleet_server.cli.test_commands import edgefleet
from tests.fleet_server.fakes.packages import files, tar
from tests.fleet_server.fakes.server_process import ServerProcess, eventually, order
from tests.fleet_server.fakes.virtual_device import Behaviour, VirtualDevice
from tests.fleet_server.jobs.notices.test_notifier import Hook, Mailbox, free_port
from tests.fleet_server.jobs.notices.test_notifier import hook as hook

pytestmark = pytest.mark.system


def test_recipients_are_notified_of_a_gate_and_of_a_pending_wave(tmp_path: Path, hook: Hook) -> None:
    """Both rules as they are typed; the subject is the rollout and the text has the gate's reason."""
    mailbox, port = Mailbox(), free_port()
    controller = Controller(mailbox, hostname="127.0.0.1", port=port)
    controller.start()
    server = ServerProcess(tmp_path / "fleet", "--smtp", f"smtp://127.0.0.1:{port}").start()
    device = VirtualDevice("dev-1", server.mqtt_port, Behaviour(SlotPhase.ROLLED_BACK, Reason.GOLDEN_MISMATCH, "found 0 of 1"))
    try:
        device.start().wait_online()
        eventually("the device is known", lambda: server.get("/overview")["online"] == 1)
        url = server.state()["url"]
        made = edgefleet("alert", "add", "stopped", "rollout_paused", "--for", "0", "--email", "ops@example.org", server=url)
        assert (made.returncode, "rollout_paused" in made.stdout) == (0, True), made.stderr
        edgefleet("alert", "add", "waits", "rollout_approval", "--for", "0", "--webhook", hook.url, server=url)
        refused = edgefleet("alert", "add", "some", "rollout_paused", "--group", "lyon", server=url)
        assert (refused.returncode, "omit group" in refused.stderr) == (2, True)
        server.push(tar(files()))
        waits = server.post("/rollouts", order("spotter", "1.0.0", [{"name": "field", "approval": True}]))["id"]
        (_, body), *_ = eventually("the webhook", lambda: hook.got, 60.0)
        assert {"what": "began", "subject": f"rollout {waits}", "rollout": waits}.items() <= json.loads(body).items()
        assert server.post(f"/rollouts/{waits}/approve", {"wave": 0})["waves"][0]["approved_by"]
        (message,) = eventually("the mail", lambda: mailbox.got, 60.0)
        assert message["Subject"] == f"[edgefleet] stopped: rollout {waits} began"
        assert "is paused: gate of wave 'field'" in str(message.get_payload(decode=True), "utf-8")
        assert f"rollout {waits}" in edgefleet("alert", "list", server=url).stdout
    finally:
        device.stop()
        server.stop()
        controller.stop()
