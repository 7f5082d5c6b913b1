"""Output and exit code of commands that follow a rollout."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast, get_args

import pytest

from edgefleet_client.schemas.rollouts import Rollout
from edgefleet_contract.wire.messages import SlotPhase
from edgefleet_contract.wire.reason_codes import Reason
from edgefleet_server.api.schemas.fields import AttemptOutcome
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
        some = {"id": 7, "wave_timeout_s": 3600.0, "state": state, "state_reason": "", "parts": [], "waves": []}
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


NOW = 1_000_000.0
OUTCOMES = dict.fromkeys(get_args(AttemptOutcome), 0)


def wave(name: str, state: str, **more: Any) -> dict[str, Any]:
    gate = {"text": "2 of 3 reported", "comparison": ""}
    return {"name": name, "state": state, "total": 10, "committed": 6, "gate": gate, "started_at": NOW - 600.0, **more}


def bars(state: str, *waves: dict[str, Any]) -> list[str]:
    answer = {"id": 7, "state": state, "state_reason": "", "parts": [], "waves": waves, "wave_timeout_s": 3600.0}
    return follow.lines(cast("Rollout", answer), NOW)


def test_a_bar_has_committed_failed_and_waiting_devices() -> None:
    counted = OUTCOMES | {"succeeded": 6, "failed": 1, "queued": 3}
    (_, line) = bars("running", wave("canary", "running", outcomes=counted))
    assert f"{'█' * 18}✗✗✗{'·' * 9}  running " in line
    for part in ("3 queued", "6 succeeded", "1 failed", "[2 of 3 reported]", "updates time out in 50 min"):
        assert part in line


@pytest.mark.parametrize(
    ("state", "one", "expected"),
    [
        ("running", wave("w", "soaking", outcomes=OUTCOMES, soak_ends_at=NOW + 480.0), "soaks for 8 min at least"),
        ("running", wave("w", "soaking", outcomes=OUTCOMES, soak_ends_at=NOW - 5.0), ""),
        ("running", wave("w", "running", outcomes=OUTCOMES, soak_ends_at=None), "updates time out in 50 min"),
        ("running", wave("w", "running", outcomes=OUTCOMES), "updates time out in 50 min"),
        ("paused", wave("w", "running", outcomes=OUTCOMES), ""),
        ("running", wave("w", "passed", outcomes=OUTCOMES), ""),
        ("running", wave("w", "pending", outcomes=OUTCOMES) | {"started_at": None}, ""),
    ],
)
def test_time_left_is_shown_where_it_is_certain(state: str, one: dict[str, Any], expected: str) -> None:
    line = bars(state, one)[1]
    assert line.endswith(expected) if expected else not re.search("soaks for|time out", line)


def test_elsewhere_than_on_a_terminal_each_change_is_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The gate's text changes between two answers, what the line says does not."""
    monkeypatch.setattr(follow, "PERIOD_S", 0.0)
    first = wave("w", "running", outcomes=OUTCOMES)
    second = {**first, "gate": {"text": "3 of 3 reported", "comparison": ""}}
    some = {"id": 7, "state_reason": "", "parts": [], "counts": {"committed": 1}, "total": 1, "wave_timeout_s": 3600.0}
    answers = iter(
        [{**some, "state": "running", "waves": [each]} for each in (first, second)]
        + [{**some, "state": "completed", "waves": []}]
    )
    fake = SimpleNamespace(rollouts=SimpleNamespace(get_rollout=lambda _number: next(answers)))
    assert follow.follow(cast("Client", fake), 7, as_json=False) == 0
    assert capsys.readouterr().out.splitlines() == ["rollout 7 running: w 6/10 running", "rollout 7 completed: "]
