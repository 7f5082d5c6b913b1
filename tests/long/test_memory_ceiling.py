"""A version that leaks after its commit, on a real agent with a real worker: restarts that lose no event, and the third time the
version before, with which the rollout fails.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from edgefleet_agent.supervisor.worker.memory_watch import ALLOWANCE_BYTES_MIN
from edgefleet_server.cli.models.push import push
from edgefleet_server.simulate.conveyor import site
from edgefleet_server.simulate.conveyor.video import SiteCamera
from tests.long.test_bad_versions import PLUG_IN, made, spoil
from tests.system.site import Deployment

pytestmark = [pytest.mark.system, pytest.mark.long(minutes=10), pytest.mark.alone, pytest.mark.timeout(1200)]

OVERRUNS_S = 600.0
WATCHED_S = 130.0
DEVICE = "line-0"


@pytest.fixture(autouse=True)
def plug_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """The runtime of spoilt models, installed for every process that the test starts."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(PLUG_IN), *filter(None, [os.environ.get("PYTHONPATH")])]))


def test_a_version_that_leaks_after_its_commit_is_rolled_back_and_fails_its_rollout(
    deployment: Deployment, cameras: list[SiteCamera], tmp_path: Path
) -> None:
    rest = deployment.rest
    good = made(tmp_path / "made", "1.0.0")
    deployment.add_agent(DEVICE, site.conveyor_pipeline(cameras[0].video), good)
    push(rest, good)
    deployment.wait("the first version", lambda: deployment.running_version(DEVICE) == "1.0.0")
    rest.post("/alert-rules", {"name": "memory", "rule": {"kind": "memory", "for_s": 0.0}})

    leaking = made(tmp_path / "made", "1.1.0")
    spoil("leak")(leaking)
    push(rest, leaking)
    request = {
        "name": "1.1.0",
        "package": site.MODEL,
        "version": "1.1.0",
        "slot": site.SLOT,
        "selector": {"all": True},
        "start": True,
        "waves": [{"name": "all"}],
        "policy": {"trial_s": 3.0, "trial_frames_min": 3, "shadow_s": 0.0},
        "gate": {"soak_s": 3600.0, "regressions": None},
    }
    number = rest.post("/rollouts", request)["id"]
    deployment.wait("the commit", lambda: deployment.slot(DEVICE).get("phase") == "committed")

    def sample() -> dict[str, object]:
        points = rest.get(f"/devices/{DEVICE}/telemetry")["points"]
        return dict(points[-1]) if points else {}

    deployment.wait("a first restart", lambda: "restarted for its memory" in str(sample().get("memory_fault")), OVERRUNS_S)
    deployment.wait("an alert", lambda: any("ceiling" in alert["text"] for alert in rest.get("/alerts")["items"]))
    deployment.wait("the version before", lambda: deployment.running_version(DEVICE) == "1.0.0", OVERRUNS_S)
    deployment.wait("the failed rollout", lambda: rest.get(f"/rollouts/{number}")["state"] == "paused")

    (attempt,) = rest.get(f"/rollouts/{number}/attempts")["items"]
    print(attempt["state"], attempt["reason"], attempt["detail"], sample(), sep="\n", flush=True)
    assert (attempt["state"], attempt["reason"]) == ("rolled_back", "over_memory")
    assert "3 times within 7 days of this version" in attempt["detail"]
    assert deployment.slot(DEVICE)["phase"] == "rolled_back"
    restarts = sample()["worker_restarts"]
    assert isinstance(restarts, int)
    assert restarts == 3
    deployment.nothing_is_lost_or_doubled([DEVICE])


def test_a_good_version_stays_far_below_its_ceiling(deployment: Deployment, cameras: list[SiteCamera], tmp_path: Path) -> None:
    """Minutes after the base was measured, what it gained is a small part of the allowance."""
    good = made(tmp_path / "made", "1.0.0")
    deployment.add_agent(DEVICE, site.conveyor_pipeline(cameras[0].video), good)

    def points() -> list[dict[str, int]]:
        found = deployment.rest.get(f"/devices/{DEVICE}/telemetry")["points"]
        return [point for point in found if point["worker_ceiling_bytes"]]

    deployment.wait("a ceiling", lambda: bool(points()))
    time.sleep(WATCHED_S)
    seen = points()
    print([(point["worker_private_bytes"] // 10**6, point["worker_ceiling_bytes"] // 10**6) for point in seen], flush=True)
    last = seen[-1]
    assert last["worker_restarts"] == 0
    assert max(point["worker_private_bytes"] for point in seen) < last["worker_ceiling_bytes"] - ALLOWANCE_BYTES_MIN // 2
