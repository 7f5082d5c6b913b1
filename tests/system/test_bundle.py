"""Two slots of a real agent in one rollout, over a real broker: both take the new versions, or both keep the old ones."""

from __future__ import annotations

import shutil
import time
from pathlib import Path
from typing import Any

import pytest

from edgefleet_server.cli.models.push import push
from edgefleet_server.simulate.conveyor import site
from edgefleet_server.simulate.conveyor.video import SiteCamera
from tests.system.site import Deployment

pytestmark = [pytest.mark.system, pytest.mark.timeout(600)]

OLD = {site.SLOT: "1.0.0", "second": "1.0.0"}
NEW = {site.SLOT: "1.1.0", "second": "1.1.0"}
SECOND_STAGE = """
[[stages]]
name = "look_again"
kind = "detect"
model = "slot:second"
"""


def _twin(folder: Path, source: str, version: str, golden: str = "1") -> Path:
    """A package `twin` with the demo's model in it; with another picture's answer as `golden` it fails its self-test."""
    made = folder / f"twin-{version}"
    shutil.copytree(site.model_folder(source), made)
    manifest = made / "model.toml"
    text = manifest.read_text(encoding="utf-8").replace(f'name = "{site.MODEL}"', 'name = "twin"')
    manifest.write_text(text.replace(f'version = "{source}"', f'version = "{version}"'), encoding="utf-8")
    (made / "golden/1.json").write_bytes((site.model_folder(source) / f"golden/{golden}.json").read_bytes())
    return made


def _running(deployment: Deployment) -> dict[str, str]:
    rows = deployment.rest.get("/devices", size=200)["items"]
    return {slot["slot"]: str((slot["running"] or {}).get("version", "")) for row in rows for slot in row["slots"]}


def _line(deployment: Deployment, camera: SiteCamera, folder: Path) -> None:
    """A real agent with two slots, and a registry with versions for both."""
    files = site.write_agent(
        deployment.folder / "agents",
        device="line-1",
        pipeline=site.conveyor_pipeline(camera.video).replace("\n[[lines]]", f"{SECOND_STAGE}\n[[lines]]"),
        factory=site.model_folder(site.FIRST),
        broker_url="",
        labels={},
    )
    twins = [
        _twin(folder, site.FIRST, "1.0.0"),
        _twin(folder, site.SECOND, "1.1.0"),
        _twin(folder, site.SECOND, "1.2.0", golden="2"),
    ]
    config = files.config.read_text(encoding="utf-8")
    files.config.write_text(config.replace("[factory]\n", f'[factory]\nsecond = "{twins[0]}"\n'), encoding="utf-8")
    site.enrol(files, deployment.rest)
    deployment.start_known_agent(files)
    for each in (site.model_folder(site.FIRST), site.model_folder(site.SECOND), *twins):
        push(deployment.rest, each)
    deployment.wait("both factory models", lambda: _running(deployment) == OLD)


def _begin(deployment: Deployment, detector: str, second: str, trial_s: float = 1.0) -> int:
    """Both slots in one rollout."""
    body = {
        "name": f"{detector} and {second}", "package": site.MODEL, "version": detector, "slot": site.SLOT,
        "parts": [{"package": "twin", "version": second, "slot": "second"}], "selector": {"all": True},
        "waves": [{"name": "all"}], "gate": {"reported_min": 1, "offline_s": 120.0, "soak_s": 0.0},
        "policy": {"trial_s": trial_s, "trial_frames_min": 3, "shadow_s": 0.0}, "wave_timeout_s": 300.0, "start": True,
    }  # fmt: skip
    return int(deployment.rest.post("/rollouts", body)["id"])


def _attempt(deployment: Deployment, rollout: int) -> dict[str, Any]:
    return dict(deployment.rest.get(f"/rollouts/{rollout}/attempts")["items"][0])


def _over(deployment: Deployment, rollout: int) -> bool:
    """Whether it has ended or stopped."""
    return deployment.rest.get(f"/rollouts/{rollout}")["state"] in ("completed", "paused")


def test_both_slots_switch_or_neither(deployment: Deployment, cameras: list[SiteCamera], tmp_path: Path) -> None:
    _line(deployment, cameras[0], tmp_path)
    rollout = _begin(deployment, "1.1.0", "1.1.0")
    deployment.wait("the good one's end", lambda: _over(deployment, rollout))
    good = _attempt(deployment, rollout)
    assert (good["state"], good["parts"]) == ("committed", {site.SLOT: "committed", "second": "committed"})
    assert _running(deployment) == NEW

    rollout = _begin(deployment, "1.0.0", "1.2.0")
    deployment.wait("the bad one's end", lambda: _over(deployment, rollout))
    bad = _attempt(deployment, rollout)
    assert (bad["state"], bad["reason"]) == ("rolled_back", "golden_mismatch"), bad
    assert "part second" in bad["explanation"]
    deployment.wait("both as they were", lambda: _running(deployment) == NEW)


@pytest.mark.long
def test_part_that_dies_on_trial_takes_the_committed_one_back(
    deployment: Deployment, cameras: list[SiteCamera], tmp_path: Path
) -> None:
    """One is committed already when the other's trial kills the worker, again and again."""
    _line(deployment, cameras[0], tmp_path)
    rollout = _begin(deployment, "1.1.0", "1.1.0", trial_s=10.0)
    deployment.wait(
        "one committed, one on trial", lambda: sorted(_attempt(deployment, rollout)["parts"].values()) == ["committed", "trial"]
    )
    while "trial" in _attempt(deployment, rollout)["parts"].values():
        deployment.kill9_worker("line-1")
        time.sleep(3.0)
    deployment.wait("the rollout's stop", lambda: _over(deployment, rollout))
    assert _attempt(deployment, rollout)["reason"] == "trial_crash"
    deployment.wait("both as they were", lambda: _running(deployment) == OLD)
