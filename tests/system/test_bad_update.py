"""A badly calibrated update fails its golden samples on the device; the device keeps running, and the reason is shown."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from edgefleet_server.cli.models.push import push
from tests.packages import MakePackage
from tests.system.site import Deployment

pytestmark = [pytest.mark.system, pytest.mark.long, pytest.mark.timeout(600)]

PIPELINE = """
name = "hall"

[source]
kind = "file"
uri = "{video}"
loop = true

[[stages]]
name = "find"
kind = "detect"
model = "slot:detector"
labels = ["person"]

[[stages]]
name = "follow"
kind = "track"
from = "find"

[[rules]]
name = "visits"
kind = "visit"
"""


def test_a_badly_calibrated_person_detector_never_replaces_the_good_one(
    deployment: Deployment, data: Path, package: MakePackage
) -> None:
    good, bad = (package("person_detection_retail_0013", version, copy=True) for version in ("1.0.0", "1.1.0"))
    video = data / "media/videos/one-by-one-person-detection.mp4"
    deployment.add_agent("hall", PIPELINE.format(video=video), good)
    push(deployment.rest, good)
    push(deployment.rest, bad)
    deployment.wait("the agent on FP16", lambda: deployment.running_version("hall") == "1.0.0")

    request = {
        "name": "person 1.1.0",
        "package": "person_detection_retail_0013",
        "version": "1.1.0",
        "slot": "detector",
        "selector": {"all": True},
        "waves": [{"name": "canary"}],
        "gate": {"error_percent_max": 0.0, "reported_min": 1, "offline_s": 60.0, "soak_s": 10.0},
        "policy": {"trial_s": 4.0, "trial_frames_min": 5, "shadow_s": 0.0},
        "wave_timeout_s": 300.0,
        "start": True,
    }
    rollout = deployment.rest.post("/rollouts", request)["id"]
    deployment.wait("the rollout's stop", lambda: deployment.rest.get(f"/rollouts/{rollout}")["state"] != "running")

    assert deployment.rest.get(f"/rollouts/{rollout}")["state"] == "paused"
    (attempt,) = deployment.rest.get(f"/rollouts/{rollout}/attempts")["items"]
    assert attempt["reason"] == "golden_mismatch"
    assert "expected 2" in attempt["explanation"]
    before = _frames(deployment)
    deployment.wait("more frames with FP16", lambda: _frames(deployment) > before)
    assert deployment.running_version("hall") == "1.0.0"


def test_a_new_version_runs_beside_the_old_one_before_its_trial(deployment: Deployment, data: Path, package: MakePackage) -> None:
    """The same model under another version, with a real worker: both answer the same frames alike."""
    good = package("person_detection_retail_0013", "1.0.0", copy=True)
    again = good.with_name("again")
    shutil.copytree(good, again)
    manifest = again / "model.toml"
    manifest.write_text(manifest.read_text(encoding="utf-8").replace("1.0.0", "1.0.1"), encoding="utf-8")
    video = data / "media/videos/one-by-one-person-detection.mp4"
    deployment.add_agent("hall", PIPELINE.format(video=video), good)
    push(deployment.rest, good)
    push(deployment.rest, again)
    deployment.wait("the agent on 1.0.0", lambda: deployment.running_version("hall") == "1.0.0")
    request = {
        "name": "person 1.0.1",
        "package": "person_detection_retail_0013",
        "version": "1.0.1",
        "slot": "detector",
        "selector": {"all": True},
        "waves": [{"name": "canary"}],
        "gate": {"error_percent_max": 0.0, "reported_min": 1, "offline_s": 60.0, "soak_s": 1.0},
        "policy": {"trial_s": 2.0, "trial_frames_min": 5, "shadow_s": 10.0},
        "wave_timeout_s": 300.0,
        "start": True,
    }
    rollout = deployment.rest.post("/rollouts", request)["id"]
    deployment.wait("the rollout's end", lambda: deployment.rest.get(f"/rollouts/{rollout}")["state"] != "running")
    assert deployment.rest.get(f"/rollouts/{rollout}")["state"] == "completed"
    assert deployment.running_version("hall") == "1.0.1"
    (attempt,) = deployment.rest.get(f"/rollouts/{rollout}/attempts")["items"]
    assert "agreement 100 % with the committed version on" in attempt["detail"]


def _frames(deployment: Deployment) -> int:
    """Frames processed so far, from telemetry; 0 before the first sample."""
    return int(deployment.device("hall")["pipelines"].get("hall", {}).get("frames_total", 0))
