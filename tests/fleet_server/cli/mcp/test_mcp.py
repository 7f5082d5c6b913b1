"""`edgefleet mcp`: a real MCP client over stdio and over HTTP, on a real server."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import importlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import cv2
import httpx
import numpy as np
import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters

from edgefleet_contract.core.command_line import CommandParser
from edgefleet_server.__main__ import COMMANDS
from edgefleet_server.cli.mcp import answers
from edgefleet_server.cli.mcp.fleet_tools import IMAGE_BYTES_MAX
from tests.corpus.server_run import DEVICES
from tests.fleet_server.fakes.proposing_fleet import ProposingFleet, started_fleet
from tests.fleet_server.fakes.server_process import ROOT

pytestmark = pytest.mark.system

PROGRAM = [sys.executable, "-m", "edgefleet_server"]
READING = {
    "fleet_overview": {},
    "list_devices": {"size": 3},
    "get_device": {"device": DEVICES[0]},
    "get_device_metrics": {"device": DEVICES[0], "span": "hour", "hours": 2000},
    "list_groups": {},
    "search_events": {"hours": None},
    "list_alerts": {"only_open": False},
    "list_audit_entries": {"limit": 5},
    "list_models": {},
    "get_model_version": {"name": "spotter", "version": "1.1.0"},
    "list_rollouts": {},
    "get_rollout": {"rollout": 2},
    "list_rollout_attempts": {"rollout": 2},
    "list_proposals": {},
}
SELECTOR = {"ids": [DEVICES[1]]}
PROPOSING: dict[str, dict[str, Any]] = {
    "propose_rollout": {"package": "spotter", "version": "1.0.0", "devices": SELECTOR, "start": False},
    "propose_rollout_action": {"rollout": 3, "action": "pause"},
    "propose_device_labels": {"device": DEVICES[1], "changes": {"floor": None, "hall": "b"}},
    "propose_group": {"name": "hall-b", "devices": {"labels": {"hall": "b"}, "query": "not state = blocked"}},
    "propose_channel": {"model": "spotter", "channel": "stable", "version": "1.0.0"},
    "propose_device_command": {"device": DEVICES[1], "command": "identify"},
    "propose_alert_acknowledgement": {"alert": 1},
    "propose_pin": {"device": DEVICES[1], "slot": "detector", "package": "spotter", "version": "1.0.0"},
    "propose_unpin": {"device": DEVICES[1], "slot": "detector"},
}


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ProposingFleet]:
    if shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin:/usr/bin") is None:
        pytest.skip("mosquitto is not installed: apt-get install mosquitto")
    with started_fleet(tmp_path_factory.mktemp("mcp") / "fleet") as made:
        yield made


def environment(fleet: ProposingFleet, secret: str) -> dict[str, str]:
    own = {"EDGEFLEET_SERVER": fleet.address, "EDGEFLEET_TOKEN": secret}
    return {**os.environ, **own, "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])}


@contextlib.asynccontextmanager
async def stdio(fleet: ProposingFleet, secret: str) -> AsyncIterator[Client]:
    parameters = StdioServerParameters(command=PROGRAM[0], args=[*PROGRAM[1:], "mcp"], env=environment(fleet, secret))
    async with Client(parameters) as client:
        yield client


@contextlib.contextmanager
def http_service(fleet: ProposingFleet, secret: str, *arguments: str) -> Iterator[str]:
    """The URL of a running `edgefleet mcp --http`."""
    command = [*PROGRAM, "mcp", "--http", "127.0.0.1:0", *arguments]
    with subprocess.Popen(command, env=environment(fleet, secret), stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        line = next(line for line in process.stderr if "http://" in line or "edgefleet:" in line)
        try:
            yield line.split()[-1]
        finally:
            process.terminate()
            process.wait(20.0)


def test_every_reading_tool_answers_in_its_schema(fleet: ProposingFleet) -> None:
    """By an administrator's API token; the SDK's client validates each answer against the tool's own schema."""

    async def read() -> None:
        async with stdio(fleet, fleet.secret("reading", ["propose"])[1]) as client:
            listed = (await client.list_tools()).tools
            reading = {tool.name for tool in listed if tool.annotations and tool.annotations.read_only_hint}
            assert reading == {*READING, "get_proposal", "get_event_snapshot"}
            assert {tool.name for tool in listed} - reading == set(PROPOSING)
            assert all(tool.description and tool.output_schema for tool in listed if tool.name != "get_event_snapshot")
            for name, arguments in READING.items():
                found = await client.call_tool(name, arguments)
                assert not found.is_error, f"{name}: {found.content}"
                assert len(json.dumps(found.structured_content)) < 60_000
            rollout = (await client.call_tool("get_rollout", {"rollout": 2})).structured_content
            assert rollout is not None
            assert rollout["waves"][0]["gate"]["reported"] == 1
            assert rollout["waves"][0]["gate"]["text"] == "0 of 1 reported devices failed (0 %); limit 10 %"
            missing = await client.call_tool("get_device", {"device": "no-such"})
            assert missing.is_error
            assert "no device 'no-such'" in missing.content[0].text  # type: ignore[union-attr]
            none = await client.call_tool("get_event_snapshot", {"device": DEVICES[0], "event": "no-such"})
            assert none.is_error
            content = (await client.read_resource(f"edgefleet://devices/{DEVICES[0]}")).contents[0]
            assert json.loads(content.text)["id"] == DEVICES[0]  # type: ignore[union-attr]
            prompts = (await client.list_prompts()).prompts
            assert "why_did_this_rollout_stop" in {prompt.name for prompt in prompts}

    asyncio.run(read())


def test_snapshots_are_pictures_of_a_limited_size(fleet: ProposingFleet) -> None:
    folder = fleet.server.data / "evidence" / DEVICES[0]
    folder.mkdir(parents=True, exist_ok=True)
    done, encoded = cv2.imencode(".jpg", np.zeros((8, 8, 3), np.uint8))
    assert done
    (folder / "e1.jpg").write_bytes(encoded.tobytes())
    (folder / "e2.jpg").write_bytes(encoded.tobytes() + bytes(IMAGE_BYTES_MAX))
    (folder / "e0.jpg").write_bytes(b"<html>")

    async def read() -> list[Any]:
        async with stdio(fleet, fleet.secret("pictures", ["propose"], "viewer")[1]) as client:
            names = ("e1", "e2", "e0")
            return [await client.call_tool("get_event_snapshot", {"device": DEVICES[0], "event": name}) for name in names]

    small, large, strange = asyncio.run(read())
    picture = small.content[1]
    assert (picture.type, picture.mime_type, base64.b64decode(picture.data)) == ("image", "image/jpeg", encoded.tobytes())
    assert large.is_error
    assert "the maximum is" in large.content[0].text
    assert strange.is_error
    assert "is no picture" in strange.content[0].text


def test_every_change_lands_in_approval(fleet: ProposingFleet) -> None:
    """Nothing of the fleet has changed after every proposing tool was called; the approved one is done."""
    before = fleet.tables()
    fleet_secret = fleet.secret("changes", ["propose"])[1]

    async def ask() -> dict[str, Any]:
        made: dict[str, Any] = {}
        async with stdio(fleet, fleet_secret) as client:
            for name, arguments in PROPOSING.items():
                found = await client.call_tool(name, {**arguments, "reason": f"because of {name} – ü"})
                made[name] = found.structured_content if not found.is_error else found.content[0].text  # type: ignore[union-attr]
        return made

    made = asyncio.run(ask())
    after = fleet.tables()
    assert {name: rows for name, rows in after.items() if rows != before[name]} == {}
    stored = {name: answer for name, answer in made.items() if isinstance(answer, dict)}
    assert {answer["state"] for answer in stored.values()} == {"pending"}
    assert {"propose_rollout", "propose_group", "propose_device_labels", "propose_device_command"} <= set(stored), made
    assert stored["propose_group"]["note"] == "because of propose_group – ü"
    effect = fleet.ada.get(f"/proposals/{stored['propose_rollout']['id']}/effect").json()
    assert (effect["refusal"], effect["preview"]["eligible"]) == ("", 1)
    number = stored["propose_group"]["id"]
    assert fleet.ada.post(f"/proposals/{number}/approve", json={"reason": "fine"}).status_code == 200

    async def outcome() -> Any:
        async with stdio(fleet, fleet_secret) as client:
            return (await client.call_tool("get_proposal", {"proposal": number})).structured_content

    found = asyncio.run(outcome())
    assert (found["state"], found["decided_by"], found["reason"]) == ("approved", "ada", "fine")
    assert fleet.ada.get("/groups/hall-b").status_code == 200


def test_without_a_proposing_token_there_are_only_reading_tools(fleet: ProposingFleet) -> None:
    """A full token in the hands of a program that takes texts of strangers for instructions would change the fleet."""

    async def read() -> set[str]:
        async with stdio(fleet, fleet.secret("full", [])[1]) as client:
            return {tool.name for tool in (await client.list_tools()).tools}

    assert not {name for name in asyncio.run(read()) if name.startswith("propose")}


def test_http_checks_host_origin_and_access_token(fleet: ProposingFleet, tmp_path: Path) -> None:
    secret = fleet.secret("http", ["propose"])[1]
    with http_service(fleet, secret) as url:

        async def read() -> Any:
            async with Client(url) as client:
                return (await client.call_tool("fleet_overview", {})).structured_content

        assert answers.FleetOverview.model_validate(asyncio.run(read())).devices_total == len(DEVICES)
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
        accept = {"accept": "application/json, text/event-stream"}
        for headers in ({"host": "evil.example"}, {"origin": "http://evil.example"}):
            assert httpx.post(url, json=body, headers={**accept, **headers}).status_code in (403, 421)
    file = tmp_path / "access"
    file.write_text("a token of the page, long enough\n")
    with http_service(fleet, secret, "--access-token-file", str(file)) as url:
        assert httpx.post(url, json=body, headers=accept).status_code == 401
        wrong = {**accept, "authorization": "Bearer another"}
        assert httpx.post(url, json=body, headers=wrong).status_code == 401


def test_the_document_names_every_tool_and_command() -> None:
    """`docs/mcp.md`: its tables and lists have all tools, its commands are known, its JSON starts this command."""
    text = (ROOT / "docs/mcp.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([a-z]+_[a-z_]+)`", text))
    assert named == {*READING, *PROPOSING, "get_proposal", "get_event_snapshot"}
    (host,) = json.loads(re.findall(r"```json\n(.*?)```", text, re.DOTALL)[0])["mcpServers"].values()
    commands = [[host["command"], *host["args"]]]
    for block in re.findall(r"```sh\n(.*?)```", text, re.DOTALL):
        commands += [shlex.split(line, comments=True) for line in block.splitlines() if line.startswith("edgefleet ")]
    assert len(commands) > 6
    for command in commands:
        parser = CommandParser(prog="edgefleet")
        importlib.import_module(COMMANDS[command[1]].module).add_arguments(parser)
        parser.parse_args(command[2:])


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--http", "0.0.0.0:0"], "--access-token-file"),
        (["--http", "nowhere"], "must be ADDRESS:PORT"),
        (["--http", "127.0.0.1:0", "--access-token-file", "/nonexistent"], "--access-token-file /nonexistent"),
    ],
)
def test_errors_are_one_line(fleet: ProposingFleet, arguments: list[str], text: str) -> None:
    command = [*PROGRAM, "mcp", *arguments]
    name = f"errors-{abs(hash(text))}"
    done = subprocess.run(command, env=environment(fleet, fleet.secret(name, ["propose"])[1]), capture_output=True, text=True)
    assert done.returncode != 0
    assert text in done.stderr
    assert "Traceback" not in done.stderr


def test_proposals_by_command(fleet: ProposingFleet, tmp_path: Path) -> None:
    """`edgefleet proposal`: list, show with the difference, reject, approve."""
    token = fleet.token("commands", ["propose"])
    first = token.put("/groups/north", json={"selector": {"labels": {"site": "north"}}, "note": "new note"}).json()["id"]
    second = token.put("/groups/second", json={"selector": {"all": True}}).json()["id"]
    home = {**os.environ, "HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path), "EDGEFLEET_SERVER": fleet.address}
    home["PYTHONPATH"] = environment(fleet, "")["PYTHONPATH"]
    home.pop("EDGEFLEET_TOKEN", None)

    def run(*arguments: str, given: str = "") -> str:
        done = subprocess.run([*PROGRAM, *arguments], env=home, input=given, capture_output=True, text=True, timeout=60.0)
        assert done.returncode == 0, done.stderr
        return done.stdout

    run("login", "ada", "--password-stdin", given="four unrelated little words more\n")
    listed = run("proposal", "list")
    assert "put_group" in listed
    assert "ada (commands)" in listed
    shown = run("proposal", "show", str(first))
    assert "would be     accepted now (complete check)" in shown
    assert '"new note"' in shown
    assert "approved" in run("proposal", "approve", str(first), "--reason", "ok")
    assert "rejected" in run("proposal", "reject", str(second), "--reason", "no")
    assert json.loads(run("proposal", "show", str(second), "--json"))["proposal"]["reason"] == "no"
    notes = {group["name"]: group["note"] for group in fleet.ada.get("/groups").json()["items"]}
    assert notes["north"] == "new note"
