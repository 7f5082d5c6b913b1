"""A candidate beside what runs, on the page of its rollout."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.fleet_server.dashboard.conftest import OpenPage


def test_a_candidate_is_compared_by_kind_of_device(open_page: OpenPage, address: str) -> None:
    page = open_page(address, "/rollouts/4")
    panel = page.get_by_role("region", name=re.compile("^Shadow comparison"))
    table = panel.get_by_role("table", name="Shadow comparison")
    expect(table.get_by_role("row")).to_have_count(7)
    slow = table.get_by_role("row", name=re.compile("^coral-usb"))
    expect(slow.get_by_role("img", name=re.compile(r"^8\d(\.\d)? % \(.* to .*\), required 85 %$"))).to_be_visible()
    expect(slow).to_contain_text(re.compile(r"\+3\d(\.\d)? %"))
    expect(panel).to_contain_text("at least 5 samples and agreement below 85 % counts as failed")
    expect(panel.get_by_role("link").first).to_have_attribute("href", re.compile("^/devices/osaka-"))
    page.goto(f"{address}/rollouts/2")
    expect(page.get_by_role("heading", level=1)).to_have_text("1.3.0-rc1 in Lyon")
    expect(page.get_by_role("region", name="Timeline")).to_be_visible()
    expect(panel).to_have_count(0)
