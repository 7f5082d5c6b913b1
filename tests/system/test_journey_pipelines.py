"""Draw a line on a snapshot and see its count: server, broker, browser, agent and video are real."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from edgefleet_server.simulate.conveyor import site
from tests.fleet_server.dashboard.conftest import OpenPage
from tests.fleet_server.dashboard.test_pages import violations
from tests.system.site import Deployment

pytestmark = [pytest.mark.system, pytest.mark.timeout(600)]

PATIENCE_MS = 120_000
DEVICE = "yard-1"
PIPELINE = """\
name = "yard"

[source]
kind = "file"
uri = {uri}
pace = "realtime"
loop = true

[[stages]]
name = "moves"
kind = "motion"

[stages.options]
min_area = 0.004

[[stages]]
name = "follow"
kind = "track"
from = "moves"
"""


def _click(drawing: Locator, across: float, down: float) -> None:
    box = drawing.bounding_box()
    assert box is not None
    drawing.click(position={"x": box["width"] * across, "y": box["height"] * down})


def _draw(page: Page) -> None:
    """Draw a line from left to right through the middle, which cars cross downward."""
    page.get_by_role("button", name="Draw line").click()
    drawing = page.get_by_test_id("drawing")
    _click(drawing, 0.04, 0.5)
    _click(drawing, 0.96, 0.5)
    page.get_by_label("Name", exact=True).fill("gate")
    page.get_by_label("Forward name").fill("down")


def test_a_line_drawn_on_a_picture_counts(deployment: Deployment, data: Path, open_page: OpenPage, axe: str) -> None:
    video = data / "media" / "videos" / "car-detection.mp4"
    deployment.add_agent(DEVICE, PIPELINE.format(uri=f'"{video}"'), site.model_folder(site.FIRST))
    deployment.wait("the device is known", lambda: bool(deployment.rest.get("/devices")["items"]))
    deployment.wait("the camera runs", lambda: deployment.device(DEVICE)["pipeline_states"].get("yard") == "running")

    page = open_page(deployment.url, f"/devices/{DEVICE}?tab=pipelines")
    table = page.get_by_role("table", name="Pipelines of this device")
    expect(table).to_contain_text("Local file", timeout=PATIENCE_MS)
    table.get_by_role("button", name="yard").click()
    expect(page.get_by_alt_text("Snapshot of yard")).to_be_visible(timeout=PATIENCE_MS)

    _draw(page)
    end = page.get_by_role("button", name=re.compile("^Point 2 of line gate"))
    end.focus()
    before = page.get_by_label("Point 2, Y").input_value()
    end.press("ArrowDown")
    expect(page.get_by_label("Point 2, Y")).not_to_have_value(before)

    page.get_by_role("tab", name="Rules").click()
    rule = page.get_by_label("Name", exact=True)
    rule.fill("Not A Name")
    expect(page.get_by_role("alert").first).to_contain_text("rules[0].name")
    expect(page.get_by_role("button", name="Apply to this device")).to_be_disabled()
    rule.fill("cars")
    expect(page.get_by_role("group", name="Changes")).to_contain_text('line = "gate"')
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert violations(page, axe) == []

    page.get_by_role("button", name="Apply to this device").click()
    expect(page.get_by_test_id("applied")).to_contain_text("Running", timeout=PATIENCE_MS)
    expect(page.get_by_text("Running fleet version 1.0.0")).to_be_visible(timeout=PATIENCE_MS)

    page.get_by_role("tab", name="Live").click()
    counts = page.get_by_role("table", name="Counts by rule")
    expect(counts.get_by_role("row", name=re.compile(r"cars down [1-9]"))).to_be_visible(timeout=PATIENCE_MS)
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.get_by_test_id("camera")).to_have_attribute("data-state", "live", timeout=PATIENCE_MS)
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_test_id("camera")).to_have_count(0)
