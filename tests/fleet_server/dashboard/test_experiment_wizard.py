"""An experiment is made on the page: versions, split, figures, a time to look, and a review in plain words."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.fleet_server.dashboard.conftest import OpenPage
from tests.fleet_server.dashboard.test_pages import violations


def test_two_versions_are_set_beside_each_other(open_page: OpenPage, fast_address: str, axe: str) -> None:
    page = open_page(fast_address, "/")
    page.get_by_role("link", name="Experiments").click()
    page.get_by_role("link", name="New experiment").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("New experiment")
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_role("alert")).to_have_text("Choose a model and a version for every arm.")
    page.get_by_role("combobox", name="Model").click()
    page.get_by_role("option", name=re.compile("^Parts detector")).click()
    outcome = page.get_by_role("region", name="Preview")
    expect(outcome).to_contain_text("60 devices, 55 to update")
    page.get_by_role("combobox", name="Version of arm 2").click()
    page.get_by_role("option", name="1.2.0").click()
    expect(outcome).to_contain_text("The arms must have different versions.")
    page.get_by_role("combobox", name="Version of arm 1").click()
    page.get_by_role("option", name="1.1.0").click()
    page.get_by_role("button", name="Next").click()

    page.get_by_role("radio", name=re.compile("^By label One")).click()
    page.get_by_label("Label", exact=True).fill("shift")
    page.get_by_label("Value of arm a").fill("day")
    expect(outcome).to_contain_text("Enter a label value for every arm.")
    page.get_by_label("Value of arm b").fill("night")
    expect(outcome).to_contain_text("31 devices without a matching label value")
    assert violations(page, axe) == []
    page.get_by_role("button", name="Next").click()

    page.get_by_role("checkbox", name=re.compile("^Events per hour")).uncheck()
    page.get_by_role("checkbox", name=re.compile("^Mean confidence")).uncheck()
    page.get_by_label("Evaluate after").fill("3")
    assert violations(page, axe) == []
    page.get_by_role("button", name="Next").click()
    words = page.get_by_role("group", name="Experiment summary")
    expect(words).to_contain_text("Arm b: parts-detector 1.2.0 in slot detector, on devices with shift=night.")
    expect(words).to_contain_text("Latency, Dropped frames, Failed updates: b compared with a")
    page.get_by_label("Name", exact=True).fill("night watch")
    page.get_by_role("button", name="Start with 120 devices").click()

    expect(page.get_by_role("heading", level=1)).to_have_text("night watch")
    expect(page.get_by_text("By label shift")).to_be_visible()
    expect(page.get_by_text(re.compile("^Evaluate in 2 d"))).to_be_visible()
    expect(page.get_by_role("region", name=re.compile("^Latency"))).to_be_visible()
    expect(page.get_by_role("region", name=re.compile("^Events per hour"))).to_have_count(0)
    failed = page.get_by_role("region", name=re.compile("^Failed updates"))
    expect(failed).to_contain_text("3.33 (")
    expect(failed.locator("[aria-hidden]").filter(has_text=re.compile(r"^-"))).to_have_count(0)
