"""Settings are changed on their page, within their bounds, and only where the start left them open."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.fleet_server.dashboard.conftest import OpenPage
from tests.fleet_server.dashboard.test_pages import violations


def row(page: Page, title: str) -> Locator:
    return page.locator("dl > div").filter(has=page.locator("dt").filter(has_text=re.compile(f"^{title}")))


def test_a_setting_is_changed_and_taken_back(open_page: OpenPage, fast_address: str, axe: str) -> None:
    page = open_page(fast_address, "/settings", expected="status of 422")
    samples = row(page, "Telemetry samples")
    expect(samples).to_contain_text("1 d")
    page.get_by_role("button", name="Change Telemetry samples").click()
    dialog = page.get_by_role("dialog")
    number = dialog.get_by_role("textbox", name="Telemetry samples")
    dialog.get_by_role("combobox", name="Unit of telemetry samples").select_option("h")
    number.fill("0.5")
    expect(dialog.get_by_text("Allowed: 1 h to 90 d")).to_be_visible()
    expect(dialog.get_by_role("button", name="Save")).to_be_disabled()
    assert violations(page, axe) == []
    number.fill("72")
    dialog.get_by_role("button", name="Save").click()
    expect(samples).to_contain_text("3 d")
    expect(samples).to_contain_text(re.compile("Changed .* by ada"))

    page.get_by_role("button", name="Change Telemetry samples").click()
    dialog.get_by_role("button", name="Reset to 1 d").click()
    expect(samples).to_contain_text("Default")

    page.get_by_role("button", name="Change Sender address").click()
    dialog.get_by_label("Sender address").fill("nobody")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_role("alert")).to_contain_text("must be an email address")
    dialog.get_by_role("button", name="Cancel").click()

    page.get_by_role("button", name="Change Default template").click()
    dialog.get_by_role("combobox", name="Default template").click()
    page.get_by_role("option", name="Careful").click()
    dialog.get_by_role("button", name="Save").click()
    expect(row(page, "Default template")).to_contain_text("Careful")


def test_settings_of_the_startup_are_fixed(open_page: OpenPage, address: str) -> None:
    page = open_page(address, "/settings")
    pinned = row(page, "Events and evidence")
    expect(pinned).to_contain_text("Set at startup by --keep-events-days")
    expect(pinned.get_by_role("button")).to_have_count(0)
