"""Every process is killed during a rollout; it still completes, and no record is lost or duplicated."""

from __future__ import annotations

import pytest

from edgefleet_server.cli.models.push import push
from edgefleet_server.simulate import demo
from edgefleet_server.simulate.conveyor import site
from edgefleet_server.simulate.conveyor.video import SiteCamera
from tests.system.site import Deployment

pytestmark = [pytest.mark.system, pytest.mark.long, pytest.mark.timeout(600)]


def _stage(deployment: Deployment, name: str) -> str:
    return str(deployment.slot(name).get("phase", ""))


def test_a_rollout_survives_kill_9_of_every_process(deployment: Deployment, cameras: list[SiteCamera]) -> None:
    names = ["line-1", "line-2"]
    for name, camera in zip(names, cameras, strict=True):
        deployment.add_agent(name, site.conveyor_pipeline(camera.video), site.model_folder(site.FIRST))
    for version in (site.FIRST, site.SECOND):
        push(deployment.rest, site.model_folder(version))
    deployment.wait("agents on the first version", lambda: all(deployment.running_version(name) == site.FIRST for name in names))

    rollout = deployment.rest.post("/rollouts", demo.rollout_request(len(names)))["id"]
    deployment.kill9_broker()
    deployment.wait("a first trial", lambda: any(_stage(deployment, name) == "trial" for name in names))
    canary = next(name for name in names if _stage(deployment, name) == "trial")
    other = next(name for name in names if name != canary)
    deployment.kill9_worker(canary)
    deployment.wait("the canary's commit", lambda: _stage(deployment, canary) == "committed")

    deployment.wait("the second trial", lambda: _stage(deployment, other) == "trial")
    deployment.kill9(other)
    deployment.kill9("server")
    deployment.start_agent(other)
    deployment.start_server()
    deployment.wait("the rollout's end", lambda: deployment.rest.get(f"/rollouts/{rollout}")["state"] != "running")

    ended = deployment.rest.get(f"/rollouts/{rollout}")
    assert ended["state"] == "completed", (ended["state_reason"], deployment.last_words())
    assert [deployment.running_version(name) for name in names] == [site.SECOND, site.SECOND]
    deployment.nothing_is_lost_or_doubled(names)
