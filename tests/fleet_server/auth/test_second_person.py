"""A rollout that touches production devices waits for the approval of a second person."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from tests.fleet_server.auth.conftest import PASSWORD, setup_code
from tests.fleet_server.fakes.packages import files, tar
from tests.fleet_server.fakes.server_process import ServerProcess, eventually, order
from tests.fleet_server.fakes.virtual_device import VirtualDevice

pytestmark = pytest.mark.system


def test_two_people_decide_about_production(tmp_path: Path) -> None:
    """The one who ordered it cannot approve it; another can; other rollouts need no approval."""
    server = ServerProcess(tmp_path / "fleet", "--second-person", "env=production").start()
    devices = {name: VirtualDevice(name, server.mqtt_port) for name in ("prod", "lab")}
    devices["prod"].labels = {"env": "production"}
    url = f"{server.state()['url']}/api/v1"
    try:
        for one in devices.values():
            one.start().wait_online()
        with httpx.Client(base_url=url) as ada, httpx.Client(base_url=url) as otto:
            assert ada.post("/setup", json={"code": setup_code(server), "name": "ada", "password": PASSWORD}).status_code == 201
            ada.post("/users", json={"name": "otto", "role": "operator", "password": PASSWORD})
            otto.post("/session", json={"name": "otto", "password": PASSWORD})
            eventually("two online", lambda: ada.get("/overview").json()["online"] == 2)
            package = {"package": ("package.tar", tar(files()), "application/x-tar")}
            assert otto.post("/models", files=package).status_code == 201
            body = order("spotter", "1.0.0", [{"name": "all"}])
            preview = {name: body[name] for name in ("package", "version", "selector", "waves")}
            assert otto.post("/rollouts/preview", json=preview).json()["needs_second_person"]
            waiting = otto.post("/rollouts", json=body).json()
            assert (waiting["state"], waiting["created_by"]) == ("awaiting_approval", "otto")
            rows = otto.get(f"/rollouts/{waiting['id']}/attempts").json()["items"]
            assert {row["explanation"] for row in rows} == {
                "Waiting for approval of the rollout by a second person, which selects its devices anew."
            }
            refused = otto.post(f"/rollouts/{waiting['id']}/approve", json={})
            assert (refused.status_code, "another user must approve" in refused.json()["detail"]) == (409, True)
            approved = ada.post(f"/rollouts/{waiting['id']}/approve", json={"reason": "looked at the canary"}).json()
            assert (approved["state"], approved["approved_by"]) == ("running", "ada")
            eventually("done", lambda: ada.get(f"/rollouts/{waiting['id']}").json()["state"] == "completed")
            texts = [item["text"] for item in ada.get(f"/rollouts/{waiting['id']}/timeline").json()["items"]]
            assert any("second person" in text for text in texts)
            again = {**body, "version": "1.0.0", "selector": {"ids": ["lab"]}, "start": False}
            assert otto.post("/rollouts", json=again).status_code == 422  # it runs it already
    finally:
        for one in devices.values():
            one.stop()
        server.stop()
