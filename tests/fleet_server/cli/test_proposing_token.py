"""An API token that only proposes: no command says that a change was made, or blames the server.

Here the response of `api.proposals.intake` is a copy; `test_proposals` has the response itself.
"""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

from edgefleet_client.errors import PROPOSAL_HEADER, ProposedError
from edgefleet_client.operations.all_operations import Operations
from edgefleet_client.transport import Transport
from edgefleet_server.__main__ import main
from edgefleet_server.api.proposals import intake
from edgefleet_server.core.errors import ApprovalNeededError, DeniedError
from edgefleet_server.domain.policy.proposals import NOT_PROPOSABLE, UNCHANGING
from edgefleet_server.domain.policy.roles import NEEDED
from tools.client.operations import operations
from tools.write_client import DOCUMENT

ANSWERS: Final[dict[str, Any]] = {
    "/session": {"proposes": True, "role": "admin", "user": "ada"},
    "/alert-rules": {"items": [{"id": 1, "name": "hot"}]},
    "/health": {"broker": {"state": "up"}},
    "/devices/line-1": {"labels": {}},
}
COMMANDS: Final = [
    "device block line-1 --reason oops",
    "device unblock line-1",
    "device label line-1 x=y",
    "device pin line-1 --slot detector --reason r",
    "device unpin line-1 --slot detector",
    "device cmd line-1 identify",
    "device snapshot line-1",
    "group set g9 --label a=b",
    "group delete lines",
    "group do lines identify",
    "alert silence 1",
    "alert delete 1",
    "alert ack 1",
    "alert add hot absence",
    "channel set spotter stable 1.0.0",
    "channel remove spotter stable",
    "rollout create yolox_nano@1.0.0 --device line-2",
    "rollout pause 1",
    "rollout resume 1",
    "rollout abort 1",
    "rollout rollback 1",
    "rollout start 1",
    "experiment stop 1",
    "pipeline set PIPELINE",
]
PIPELINE: Final = """\
name = "gate"
[source]
kind = "device"
uri = "gate"
[[stages]]
name = "find"
kind = "detect"
model = "slot:detector"
"""


def respond(_client: httpx.Client, method: str, path: str, **_more: Any) -> httpx.Response:
    """A proposal in place of each change; lists are empty."""
    if method == "GET":
        return httpx.Response(200, json=ANSWERS.get(path, {"items": [], "total": 0}))
    if path.endswith(("/check", "/preview")):
        return httpx.Response(200, json={"faults": [], "warnings": [], "notes": []})
    return httpx.Response(202, json={"id": 10, "summary": "Change it."}, headers={PROPOSAL_HEADER: "10"})


@pytest.fixture(autouse=True)
def proposing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(httpx.Client, "request", respond)
    monkeypatch.setenv("EDGEFLEET_TOKEN", "eft_x")


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_say_that_the_change_waits(command: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "gate.toml").write_text(PIPELINE)
    words = [str(tmp_path / "gate.toml") if word == "PIPELINE" else word for word in command.split()]
    code = main([*words, "--server", "http://127.0.0.1:9"])
    out, err = capsys.readouterr()
    assert err == (
        "edgefleet: proposed as 10; it waits for approval, and nothing was changed (Change it);"
        " `edgefleet proposal list` shows its state\n"
    )
    assert (code, out) == (ApprovalNeededError.exit_code, "")


def test_every_writing_operation_of_the_client_raises() -> None:
    """A command can only write with one of them."""
    client = Operations(Transport("http://127.0.0.1:9"))
    spec = json.loads(DOCUMENT.read_text(encoding="utf-8"))
    tried = 0
    for operation in operations(spec):
        method = getattr(getattr(client, operation.tag), operation.name)
        if operation.method.upper() == "GET" or operation.name in UNCHANGING:
            continue
        needed = [each for each in inspect.signature(method).parameters.values() if each.default is each.empty]
        arguments = {each.name: {"body": {}, "content": b""}.get(each.name, 1) for each in needed}
        with pytest.raises(ProposedError, match="proposed as 10") as raised:
            method(**arguments)
        assert (raised.value.proposal, raised.value.summary) == (10, "Change it")
        tried += 1
    assert tried > 50


def test_the_server_sends_the_header_that_the_client_reads() -> None:
    assert intake.PROPOSAL_HEADER.decode() == PROPOSAL_HEADER.lower()


FLEET: Final = """\
groups:
  lines: {labels: {site: lyon}}
  halls: {labels: {site: nice}}
"""


def apply(tmp_path: Path, text: str, *more: str) -> int:
    (tmp_path / "fleet.yaml").write_text(text)
    return main(["apply", "-f", str(tmp_path / "fleet.yaml"), "--yes", *more, "--server", "http://127.0.0.1:9"])


def test_apply_proposes_each_change(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The record of the configuration is none of them: nothing was made yet."""
    assert apply(tmp_path, FLEET) == ApprovalNeededError.exit_code
    assert capsys.readouterr().out.splitlines()[-2:] == ["group lines: proposed as 10", "group halls: proposed as 10"]
    assert apply(tmp_path, FLEET, "--json") == ApprovalNeededError.exit_code
    found = json.loads(capsys.readouterr().out)
    assert (found["applied"], [change["note"] for change in found["changes"]]) == (False, ["proposed as 10"] * 2)


def test_apply_names_what_cannot_be_proposed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A change that builds on a proposal is refused, the rest is proposed."""

    def refuse(client: httpx.Client, method: str, path: str, **more: Any) -> httpx.Response:
        assert "/configurations" not in path or method == "GET"
        if path.endswith(("/halls", *refused)):
            return httpx.Response(404, json={"detail": "there is no such thing"})
        return respond(client, method, path, **more)

    refused: list[str] = []
    monkeypatch.setattr(httpx.Client, "request", refuse)
    assert apply(tmp_path, FLEET) == ApprovalNeededError.exit_code
    out, err = capsys.readouterr()
    assert out.splitlines()[-2:] == ["group lines: proposed as 10", "group halls: not proposed: there is no such thing"]
    assert "apply again when these proposals are approved" in err
    refused.append("/lines")
    assert apply(tmp_path, FLEET) == DeniedError.exit_code
    assert "nothing was proposed; group lines: there is no such thing" in capsys.readouterr().err


def test_the_document_has_the_answer_of_each_operation_that_can_be_proposed() -> None:
    """With the header that the client reads; other operations do not answer so."""
    spec = json.loads(DOCUMENT.read_text(encoding="utf-8"))
    proposable = set()
    for methods in spec["paths"].values():
        for method, operation in methods.items():
            name, answer = operation["operationId"], operation["responses"].get("202", {})
            if PROPOSAL_HEADER not in answer.get("headers", {}):
                continue
            proposable.add(name)
            schema = answer["content"]["application/json"]["schema"]
            assert method != "get"
            assert {"$ref": "#/components/schemas/Proposal"} in schema.get("anyOf", [schema]), name
    changing = {name for name, role in NEEDED.items() if role is not None} - NOT_PROPOSABLE - UNCHANGING
    reading = {each["operationId"] for methods in spec["paths"].values() for method, each in methods.items() if method == "get"}
    assert proposable == changing - reading
