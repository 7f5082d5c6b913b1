"""Output and exit code of commands that follow a rollout."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from edgefleet_contract.wire.messages import SlotPhase
from edgefleet_contract.wire.reason_codes import Reason
from edgefleet_server.cli import follow
from edgefleet_server.cli.client import Client
from tests.fleet_server.api.routes.test_pipelines import DOCUMENT
from tests.fleet_server.cli.test_commands import edgefleet
from tests.fleet_server.fakes.packages import files, tar
from tests.fleet_server.fakes.server_process import ServerProcess, eventually
from tests.fleet_server.fakes.virtual_device import Behaviour, VirtualDevice

MISMATCH = Behaviour(fate=SlotPhase.REFUSED, reason=Reason.INCOMPATIBLE, detail="slot 'detector' has no model")
GATE = ("--soak-s", "0", "--reported-min", "1", "--waves", "rest")
Fleet = Callable[..., str]


@pytest.fixture
def fleet(server: ServerProcess) -> Iterator[Fleet]:
    """Makes devices that take pipelines, by their behaviour; the address of their server."""
    made: list[VirtualDevice] = []

    def make(*behaviours: Behaviour) -> str:
        for number, behaviour in enumerate(behaviours, 1):
            one = VirtualDevice(f"dev-{number}", server.mqtt_port, behaviour)
            one.runtimes = [*one.runtimes, "pipelines"]
            made.append(one)
            one.start().wait_online()
        eventually("all are known", lambda: server.get("/overview")["online"] == len(behaviours))
        server.push(tar(files("spotter")))
        return str(server.state()["url"])

    yield make
    for one in made:
        one.stop()


@pytest.mark.system
def test_no_device_took_it(fleet: Fleet, tmp_path: Path) -> None:
    """Completed, and no device runs it: how many did, why not, and exit code 1, from both commands and as JSON."""
    url = fleet(MISMATCH)
    file = tmp_path / "gate.toml"
    file.write_text(DOCUMENT)
    put = edgefleet("pipeline", "set", str(file), "--device", "dev-1", "--watch", server=url)
    assert "completed: all 0/1" in put.stdout
    assert put.stdout.splitlines()[-2:] == [
        "0 of 1 devices have the version",
        "  dev-1: Incompatible: the package is not compatible with the device; slot 'detector' has no model.",
    ]
    assert put.returncode == 1
    made = edgefleet("rollout", "create", "spotter@1.0.0", *GATE, "--watch", server=url)
    assert (made.returncode, "0 of 1 devices have the version" in made.stdout) == (1, True), made.stdout
    again = edgefleet("rollout", "watch", "2", "--json", server=url)
    assert (again.returncode, json.loads(again.stdout)["counts"]) == (1, {"incompatible": 1})


@pytest.mark.system
def test_some_took_it(fleet: Fleet) -> None:
    """A rollout that its gates let through has done its work; who is left out, and why, is printed."""
    url = fleet(Behaviour(), MISMATCH)
    made = edgefleet("rollout", "create", "spotter@1.0.0", *GATE, "--watch", server=url)
    assert made.returncode == 0, made.stdout
    assert "1 of 2 devices have the version" in made.stdout
    assert "  dev-2: Incompatible" in made.stdout


@pytest.mark.system
def test_paused_by_its_gate(fleet: Fleet) -> None:
    """The reason of a device that failed stands beside the gate's arithmetic."""
    url = fleet(Behaviour(fate=SlotPhase.ROLLED_BACK, reason=Reason.TRIAL_UNHEALTHY, detail="no frames"))
    made = edgefleet("rollout", "create", "spotter@1.0.0", *GATE, "--watch", server=url)
    assert made.returncode == 1
    assert "rollout 1 paused" in made.stdout
    assert made.stdout.splitlines()[-2] == "0 of 1 devices have the version"
    assert made.stdout.splitlines()[-1].startswith("  dev-1: Rolled back to the committed version")


class Answers:
    """A server with one rollout, and as many attempts in each state as it counts."""

    def __init__(self, state: str, counts: dict[str, int]) -> None:
        some = {"id": 7, "state": state, "state_reason": "", "parts": [], "waves": []}
        self._rollout: dict[str, Any] = {**some, "counts": counts, "total": sum(counts.values())}

        self.rollouts = self

    def get_rollout(self, rollout: int) -> Any:
        assert rollout == 7
        return self._rollout

    def list_attempts(self, rollout: int, *, state: str, size: int) -> Any:
        assert rollout == 7
        count = min(size, self._rollout["counts"][state])
        return {"items": [{"device": f"{state}-{number}", "explanation": "So it is."} for number in range(count)]}


@pytest.mark.parametrize(
    ("state", "counts", "code", "last"),
    [
        ("completed", {"committed": 2}, 0, []),
        ("completed", {"already_installed": 1, "regressed": 1}, 0, []),
        ("completed", {"offered": 1}, 1, ["0 of 1 devices have the version", "  offered-0: So it is."]),
        (
            "paused",
            {"committed": 3, "queued": 90, "rejected": 1},
            1,
            ["3 of 94 devices have the version", "  rejected-0: So it is."],
        ),
        (
            "aborted",
            {"cancelled": 7},
            1,
            [*(f"  cancelled-{n}: So it is." for n in (3, 4)), "  and 2 more: edgefleet rollout why 7"],
        ),
        ("draft", {"queued": 4}, 1, []),
    ],
)
def test_last_lines(state: str, counts: dict[str, int], code: int, last: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Five reasons at most; devices still to come only of a rollout that completed; nothing where all took it."""
    assert follow.follow(cast("Client", Answers(state, counts)), 7, as_json=False) == code
    printed = capsys.readouterr().out.splitlines()[1:]
    assert printed[len(printed) - len(last) :] == last
    assert len(printed) <= 7
    assert bool(printed) == bool(last)
