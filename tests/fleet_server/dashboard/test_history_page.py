"""The history of a device and the comparison of two, in a browser on a real server with weeks of figures."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.fleet_server.dashboard.conftest import OpenPage
from tests.fleet_server.dashboard.test_pages import violations
from tests.fleet_server.fakes.server_process import ServerProcess
from tests.fleet_server.fakes.stored_history import fill

pytestmark = pytest.mark.system


@pytest.fixture(scope="module")
def fleet(built_ui: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    if shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin:/usr/bin") is None:
        pytest.skip("mosquitto is not installed: apt-get install mosquitto")
    data = tmp_path_factory.mktemp("history") / "fleet"
    data.mkdir()
    fill(data / "fleet.db", ("dev-0", "dev-1"), time.time())
    server = ServerProcess(data).start()
    yield server
    server.stop()


def test_weeks_are_shown_zoomed_and_compared(fleet: ServerProcess, open_page: OpenPage, axe: str) -> None:
    """Values by keys and as a table, updates with a link, a period in the address, and a second device."""
    page = open_page(fleet.state()["url"], "/devices/dev-0?tab=history&period=30d")
    chart = page.get_by_role("slider", name="Latency p95 by hour")
    chart.press("ArrowLeft")
    expect(chart).to_have_attribute("aria-valuetext", re.compile(r": dev-0 6 ms \(5 ms – 7 ms\)"))
    updates = page.get_by_role("table", name="Updates in this time range")
    expect(updates.get_by_role("row")).to_have_count(3)
    expect(updates.get_by_role("link", name="Rollout 1").first).to_have_attribute("href", "/rollouts/1")
    chart.scroll_into_view_if_needed()
    box = chart.locator(".u-over").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 0.25 * box["width"], box["y"] + 50)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.75 * box["width"], box["y"] + 50, steps=4)
    page.mouse.up()
    page.wait_for_url(re.compile(r"tab=history&since=\d+&until=\d+$"))
    since, until = (int(number) for number in re.findall(r"=(\d{8,})", page.url))
    assert until - since == pytest.approx(15 * 86_400, rel=0.1)
    page.get_by_role("button", name="Zoom out").click()
    page.wait_for_url(lambda url: str(since) not in url)
    page.get_by_role("button", name="Table of Frames per second").click()
    first = page.get_by_role("region", name="Values of Frames per second").get_by_role("row").nth(1)
    expect(first).to_contain_text(re.compile("(fps.*){3}"))
    assert violations(page, axe) == []
    page.get_by_role("link", name="Compare devices").click()
    picker = page.get_by_role("combobox", name="Device", exact=True)
    picker.fill("dev-1")
    page.get_by_role("option", name="dev-1").click()
    totals = page.get_by_role("table", name="Over the whole time range")
    expect(totals.get_by_role("row")).to_have_count(3)
    expect(totals.get_by_role("row").nth(2)).to_contain_text(re.compile("dev-1.*fps"))
    page.wait_for_url(re.compile(r"/compare\?device=dev-0&since=\d+&until=\d+&device=dev-1|/compare\?device=dev-0&device=dev-1"))
    assert violations(page, axe) == []
