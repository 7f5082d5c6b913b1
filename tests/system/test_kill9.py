"""Every process of the house is killed in the middle of a rollout; it still completes, and nothing is lost or doubled."""

from __future__ import annotations

import pytest

from edgefleet_server.cli.models.push import push
from edgefleet_server.simulate import demo
from edgefleet_server.simulate.conveyor import site
from edgefleet_server.simulate.conveyor.video import SiteCamera
from tests.system.site import House

pytestmark = [pytest.mark.system, pytest.mark.timeout(600)]


def _stage(house: House, name: str) -> str:
    return str(house.slot(name).get("stage", ""))


def test_a_rollout_survives_kill_9_of_every_process(house: House, cameras: list[SiteCamera]) -> None:
    names = ["line-1", "line-2"]
    for name, camera in zip(names, cameras, strict=True):
        house.add_agent(name, site.conveyor_pipeline(camera.video), site.model_folder(site.FIRST))
    for version in (site.FIRST, site.SECOND):
        push(house.rest, site.model_folder(version))
    house.wait("agents on the first version", lambda: all(house.running_version(name) == site.FIRST for name in names))

    rollout = house.rest.post("/rollouts", demo.rollout_request(len(names)))["id"]
    house.kill9_broker()
    house.wait("a first trial", lambda: any(_stage(house, name) == "trial" for name in names))
    canary = next(name for name in names if _stage(house, name) == "trial")
    other = next(name for name in names if name != canary)
    house.kill9_worker(canary)
    house.wait("the canary's commit", lambda: _stage(house, canary) == "committed")

    house.wait("the second trial", lambda: _stage(house, other) == "trial")
    house.kill9(other)
    house.kill9("server")
    house.start_agent(other)
    house.start_server()
    house.wait("the rollout's end", lambda: house.rest.get(f"/rollouts/{rollout}")["state"] != "running")

    ended = house.rest.get(f"/rollouts/{rollout}")
    assert ended["state"] == "completed", (ended["state_reason"], house.last_words())
    assert [house.running_version(name) for name in names] == [site.SECOND, site.SECOND]
    house.nothing_is_lost_or_doubled(names)
