"""Every process is killed during a rollout; it still completes, and no record is lost or duplicated."""

from __future__ import annotations

import pytest

from edgefleet_server.cli.models.push import push
from edgefleet_server.simulate import demo
from edgefleet_server.simulate.conveyor import site
from edgefleet_server.simulate.conveyor.video import SiteCamera
from tests.system.site import FleetSite

pytestmark = [pytest.mark.system, pytest.mark.timeout(600)]


def _stage(fleet: FleetSite, name: str) -> str:
    return str(fleet.slot(name).get("stage", ""))


def test_a_rollout_survives_kill_9_of_every_process(fleet: FleetSite, cameras: list[SiteCamera]) -> None:
    names = ["line-1", "line-2"]
    for name, camera in zip(names, cameras, strict=True):
        fleet.add_agent(name, site.conveyor_pipeline(camera.video), site.model_folder(site.FIRST))
    for version in (site.FIRST, site.SECOND):
        push(fleet.rest, site.model_folder(version))
    fleet.wait("agents on the first version", lambda: all(fleet.running_version(name) == site.FIRST for name in names))

    rollout = fleet.rest.post("/rollouts", demo.rollout_request(len(names)))["id"]
    fleet.kill9_broker()
    fleet.wait("a first trial", lambda: any(_stage(fleet, name) == "trial" for name in names))
    canary = next(name for name in names if _stage(fleet, name) == "trial")
    other = next(name for name in names if name != canary)
    fleet.kill9_worker(canary)
    fleet.wait("the canary's commit", lambda: _stage(fleet, canary) == "committed")

    fleet.wait("the second trial", lambda: _stage(fleet, other) == "trial")
    fleet.kill9(other)
    fleet.kill9("server")
    fleet.start_agent(other)
    fleet.start_server()
    fleet.wait("the rollout's end", lambda: fleet.rest.get(f"/rollouts/{rollout}")["state"] != "running")

    ended = fleet.rest.get(f"/rollouts/{rollout}")
    assert ended["state"] == "completed", (ended["state_reason"], fleet.last_words())
    assert [fleet.running_version(name) for name in names] == [site.SECOND, site.SECOND]
    fleet.nothing_is_lost_or_doubled(names)
