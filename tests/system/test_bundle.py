"""Two slots of a real agent in one rollout, over a real broker: both take the new versions, or both keep the old ones."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from fleet_server.cli.model_push import push
from fleet_server.simulate import site
from fleet_server.simulate.video import SiteCamera
from tests.system.house import House

pytestmark = [pytest.mark.system, pytest.mark.timeout(600)]

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


def _running(house: House) -> dict[str, str]:
    rows = house.rest.get("/devices", size=200)["items"]
    return {slot["slot"]: str((slot["running"] or {}).get("version", "")) for row in rows for slot in row["slots"]}


def _roll_out(house: House, detector: str, second: str) -> dict[str, Any]:
    """Both slots in one rollout, until it has ended or stopped."""
    body = {
        "name": f"{detector} and {second}", "package": site.MODEL, "version": detector, "slot": site.SLOT,
        "parts": [{"package": "twin", "version": second, "slot": "second"}], "selector": {"all": True},
        "waves": [{"name": "all"}], "gate": {"reported_min": 1, "offline_s": 120.0, "soak_s": 0.0},
        "policy": {"trial_s": 1.0, "trial_frames_min": 3}, "wave_timeout_s": 300.0, "start": True,
    }  # fmt: skip
    number = house.rest.post("/rollouts", body)["id"]
    house.wait("the rollout's end", lambda: house.rest.get(f"/rollouts/{number}")["state"] in ("completed", "paused"))
    return {**house.rest.get(f"/rollouts/{number}"), **house.rest.get(f"/rollouts/{number}/attempts")["items"][0]}


def test_both_slots_switch_or_neither(house: House, cameras: list[SiteCamera], tmp_path: Path) -> None:
    files = site.write_agent(
        house.folder / "agents",
        device="line-1",
        pipeline=site.conveyor_pipeline(cameras[0].video).replace("\n[[lines]]", f"{SECOND_STAGE}\n[[lines]]"),
        factory=site.model_folder(site.FIRST),
        broker_url="",
        labels={},
    )
    twins = [
        _twin(tmp_path, site.FIRST, "1.0.0"),
        _twin(tmp_path, site.SECOND, "1.1.0"),
        _twin(tmp_path, site.SECOND, "1.2.0", "2"),
    ]
    config = files.config.read_text(encoding="utf-8")
    files.config.write_text(config.replace("[factory]\n", f'[factory]\nsecond = "{twins[0]}"\n'), encoding="utf-8")
    site.enrol(files, house.rest)
    house.start_known_agent(files)
    for folder in (site.model_folder(site.FIRST), site.model_folder(site.SECOND), *twins):
        push(house.rest, folder)
    house.wait("both factory models", lambda: _running(house) == {site.SLOT: "1.0.0", "second": "1.0.0"})

    good = _roll_out(house, "1.1.0", "1.1.0")
    assert (good["state"], good["parts"]) == ("committed", {site.SLOT: "committed", "second": "committed"})
    assert _running(house) == {site.SLOT: "1.1.0", "second": "1.1.0"}

    bad = _roll_out(house, "1.0.0", "1.2.0")
    assert (bad["state"], bad["reason"]) == ("rolled_back", "golden_mismatch"), bad
    assert "part second" in bad["why"]
    house.wait("both as they were", lambda: _running(house) == {site.SLOT: "1.1.0", "second": "1.1.0"})
