"""Every operation of the OpenAPI document is called once with its documented example, on a real server with devices."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import httpx
import pytest

from edgefleet_server.api.document.examples import BODIES
from tests.corpus.rest_calls import JSON, document, operations
from tests.fleet_server.auth.conftest import setup_code
from tests.fleet_server.fakes.packages import files, tar
from tests.fleet_server.fakes.server_process import ServerProcess, eventually
from tests.fleet_server.fakes.virtual_device import VirtualDevice

pytestmark = pytest.mark.system

OPERATIONS = operations(document())
NO_PROPOSAL = "404: there is no API token that proposes"
NO_UPLOAD = "404: its id is known when it has begun"
NOT_MADE = "404: its id is known when it was made"
NO_PROVIDER = "404: the server has no provider of identities"
REFUSED = {
    "acknowledge_alert": "404: nothing is wrong yet, so there is no alert",
    "append_upload": NO_UPLOAD,
    "approve_proposal": NO_PROPOSAL,
    "approve_rollout": "409: no wave of this rollout needs an approval",
    "begin_openid": NO_PROVIDER,
    "create_alert_snooze": "422: its end is a time within a year from now, which no document knows",
    "drop_upload": NO_UPLOAD,
    "end_alert_snooze": NOT_MADE,
    "enrol_device": "422: its certificate request is made by the device",
    "finish_openid": NO_PROVIDER,
    "finish_upload": NO_UPLOAD,
    "get_blob": "404: its digest is that of no file",
    "get_command": NOT_MADE,
    "get_device_blob": "403: the ticket of a device is missing",
    "delete_support_bundle": NOT_MADE,
    "get_last_logs": NOT_MADE,
    "get_support_bundle": NOT_MADE,
    "get_evidence": "404: the device has no events",
    "get_picture": NOT_MADE,
    "get_proposal": NO_PROPOSAL,
    "get_proposal_effect": NO_PROPOSAL,
    "get_rollout_shadow": "404: the rollout is none of a shadow",
    "get_upload": NO_UPLOAD,
    "post_signed_root": "422: people sign it elsewhere",
    "post_signed_targets": "422: people sign it elsewhere",
    "reject_proposal": NO_PROPOSAL,
    "revoke_api_token": NOT_MADE,
    "revoke_enrolment_token": NOT_MADE,
    "set_up": "409: the server has users",
    "start_rollout": "409: it runs already",
    "stop_experiment": "409: an arm is chosen before",
    "upload_measurements": "409: its digest is that of no package",
    "view_live": "503: the device has no camera",
}
"""Operations whose example needs what only this server knows: the status, and why."""
FIRST = (
    "sign_in",
    "create_user",
    "put_group",
    "set_channel",
    "create_rollout",
    "start_rollout",
    "pause_rollout",
    "resume_rollout",
    "skip_wave",
    "abort_rollout",
    "rollback_rollout",
)
LAST = ("withdraw_version", "block_device", "unblock_device", "decommission_device", "change_password", "sign_out")
"""Operations on which others depend, and operations after which others have nothing to act on."""
METHODS = ("POST", "PUT", "PATCH", "GET", "DELETE")


def rank(name: str) -> tuple[int, int, bool, str]:
    """The place of an operation in an order in which the examples fit each other."""
    method, path, _ = OPERATIONS[name]
    if name in FIRST:
        return 0, FIRST.index(name), False, name
    return (2, LAST.index(name), False, name) if name in LAST else (1, METHODS.index(method), "{" in path, name)


@pytest.fixture(scope="module")
def plant(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server with the devices and the packages that the examples name."""
    server = ServerProcess(tmp_path_factory.mktemp("examples") / "fleet").start()
    devices = [VirtualDevice(f"press-0{number}", server.mqtt_port) for number in (1, 2, 3)]
    try:
        for device in devices:
            device.start().wait_online()
            named = partial(server.http.patch, f"/devices/{device.name}", json={"labels": {"site": "north"}})
            eventually("the server knows it", lambda call=named: call().status_code == 200)
        for version in ("1.0.0", "1.1.0"):
            assert server.push(tar(files("spotter", version))).status_code == 201
        assert server.http.post("/setup", json={**BODIES["set_up"], "code": setup_code(server)}).status_code == 201
        yield server
    finally:
        for device in devices:
            device.stop()
        server.stop()


def called(http: httpx.Client, method: str, path: str, operation: dict[str, Any]) -> tuple[int, str]:
    """Status and start of the body of the response to the documented example."""
    parameters = operation.get("parameters", [])
    url = path.format(**{each["name"]: each["example"] for each in parameters if each["in"] == "path"}).removeprefix("/api/v1")
    query = {each["name"]: each["example"] for each in parameters if each["in"] == "query" and each.get("required")}
    more: dict[str, Any] = {}
    for kind, content in operation.get("requestBody", {}).get("content", {}).items():
        more = {
            JSON: {"json": content.get("example")},
            "multipart/form-data": {"files": {"package": tar(files("other", "1.0.0"))}},
            "application/octet-stream": {"content": b"x", "headers": {"content-type": kind}},
        }[kind]
    with http.stream(method, url, params=query, **more) as answer:
        kind = answer.headers.get("content-type", "")
        text = "" if kind.startswith("text/event-stream") else answer.read().decode("utf-8", "replace")
    return answer.status_code, text[:500]


def end_rollouts(plant: ServerProcess) -> None:
    """Abort the rollouts that still run, and wait for the devices that are being updated."""
    for rollout in plant.get("/rollouts", size=100)["items"]:
        if rollout["state"] in ("running", "paused"):
            plant.post(f"/rollouts/{rollout['id']}/abort", {})
    moving = ("running", "paused", "aborting", "rolling_back")
    eventually("the end", lambda: all(each["state"] not in moving for each in plant.get("/rollouts", size=100)["items"]))


def test_every_operation_takes_its_documented_example(plant: ServerProcess) -> None:
    faults = []
    for name in sorted(OPERATIONS, key=rank):
        method, path, operation = OPERATIONS[name]
        if name == "decommission_device":
            end_rollouts(plant)
        status, text = called(plant.http, method, path, operation)
        if str(status) not in operation["responses"]:
            faults.append(f"{name}: {status} is not documented: {text}")
        expected = REFUSED.get(name)
        if (str(status) != expected[:3]) if expected else status >= 400:
            faults.append(f"{name}: {status} {text}")
    assert not faults, "\n".join(faults)
    assert set(REFUSED) <= set(OPERATIONS)
