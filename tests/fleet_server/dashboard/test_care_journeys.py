"""Journeys of an operator: bulk actions on devices, the map of sites, and the history of a rollout."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.fleet_server.dashboard.conftest import OpenPage
from tests.fleet_server.dashboard.test_pages import violations


def test_every_number_of_the_strip_filters_the_list(open_page: OpenPage, address: str) -> None:
    page = open_page(address)
    strip = page.get_by_role("group", name=re.compile("^Fleet health"))
    facts = {
        "On target": "on_target",
        "Updating": "updating",
        "Degraded": "degraded",
        "Offline": "offline",
        "Flapping": "flapping",
    }
    for word, fact in {**facts, "Needs attention": "attention"}.items():
        strip.get_by_role("button", name=re.compile(f"^{word}")).click()
        expect(page).to_have_url(re.compile(f"status={fact}"))
        expect(strip.get_by_role("button", pressed=True)).to_contain_text(word)
    page.goto(f"{address}/?status=offline")
    expect(strip.get_by_role("button", pressed=True)).to_contain_text("Offline")
    expect(page.get_by_role("table", name="Devices").locator("tbody tr").first).to_contain_text(re.compile("Offline|Attention"))


def test_labels_are_set_on_all_that_match_with_the_count_spelled_out(open_page: OpenPage, fast_address: str, axe: str) -> None:
    page = open_page(fast_address, "/?label=site=toledo&size=25")
    page.get_by_role("checkbox", name="Select all on this page").check()
    bar = page.get_by_role("region", name="Selection")
    expect(bar).to_contain_text("25 devices selected")
    bar.get_by_role("button", name="Select all 32").click()
    expect(bar).to_contain_text("32 devices selected")
    bar.get_by_role("button", name="Labels").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("32 devices get the labels below")
    dialog.get_by_role("combobox", name="Set").fill("shift=night")
    page.keyboard.press("Enter")
    assert violations(page, axe) == []
    dialog.get_by_role("button", name="Labels: 32 devices").click()
    expect(dialog.get_by_role("status")).to_contain_text("Succeeded for 32 devices")
    dialog.get_by_role("button", name="Close", exact=True).last.click()
    expect(page.get_by_role("region", name="Selection")).to_have_count(0)
    page.goto(f"{fast_address}/?label=shift=night")
    expect(page.get_by_text("1–25 of 32 devices")).to_be_visible()


def test_irreversible_actions_need_the_number(open_page: OpenPage, fast_address: str) -> None:
    page = open_page(fast_address, "/?search=osaka-gate5")
    for name in ("Select osaka-gate5-cam01", "Select osaka-gate5-cam02"):
        page.get_by_role("checkbox", name=name).click()
        expect(page.get_by_role("checkbox", name=name)).to_be_checked()
    page.get_by_role("region", name="Selection").get_by_role("button", name="Decommission").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("2 devices are removed from the fleet")
    expect(dialog.get_by_role("button", name="Decommission: 2 devices")).to_be_disabled()
    dialog.get_by_label(re.compile("^Type 2")).fill("2")
    dialog.get_by_role("button", name="Decommission: 2 devices").click()
    expect(dialog.get_by_role("status")).to_contain_text("Succeeded for 2 devices")
    page.goto(f"{fast_address}/?search=osaka-gate5")
    expect(page.get_by_text("1–2 of 2 devices")).to_be_visible()


def test_columns_are_chosen_and_remembered(open_page: OpenPage, address: str) -> None:
    page = open_page(address)
    page.get_by_role("button", name="Columns").click()
    page.get_by_role("checkbox", name="CPU").check()
    page.get_by_role("checkbox", name="Labels").uncheck()
    page.keyboard.press("Escape")
    page.reload()
    heads = page.get_by_role("table", name="Devices").get_by_role("columnheader")
    expect(heads.filter(has_text="CPU")).to_have_count(1)
    expect(heads.filter(has_text="Labels")).to_have_count(0)


def test_a_place_on_the_map_narrows_the_list(open_page: OpenPage, address: str) -> None:
    """With the mouse on the map, and with the keyboard in the list beside it."""
    page = open_page(address, "/?view=map")
    places = page.get_by_role("list", name="Sites")
    expect(places.get_by_role("button")).to_have_count(4)
    places.get_by_role("button", name=re.compile("^osaka")).focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("label=site=osaka"))
    expect(page.get_by_text(re.compile("of 80 devices"))).to_be_visible()
    page.locator("[data-place=toledo]").click()
    expect(page).to_have_url(re.compile("label=site=toledo"))
    page.locator("[data-place='2 sites']").click()
    expect(page.locator("[data-place=lyon]")).to_be_visible()
    expect(page.locator("[data-place=bremen]")).to_be_visible()


def test_a_browser_that_cannot_draw_the_map_has_its_list(open_page: OpenPage, address: str) -> None:
    page = open_page(address)
    page.add_init_script("HTMLCanvasElement.prototype.getContext = () => null")
    page.goto(f"{address}/?view=map")
    expect(page.get_by_text("No map in this browser")).to_be_visible()
    expect(page.get_by_role("list", name="Sites").get_by_role("button")).to_have_count(4)


def test_a_group_is_created_listed_and_rolled_out_to(open_page: OpenPage, fast_address: str) -> None:
    page = open_page(fast_address, "/groups")
    page.get_by_role("button", name="New group").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("textbox", name="Name", exact=True).fill("toledo-presses")
    dialog.get_by_role("combobox", name="Labels").fill("site=toledo")
    page.keyboard.press("Enter")
    expect(dialog.get_by_role("status")).to_contain_text("32 devices match")
    dialog.get_by_role("button", name="Create group").click()
    row = page.get_by_role("row", name=re.compile("toledo-presses"))
    expect(row).to_contain_text("32 devices")
    row.get_by_role("link", name="32 devices").click()
    expect(page.get_by_text("Group toledo-presses", exact=True)).to_be_visible()
    page.goto(f"{fast_address}/groups")
    row.get_by_role("link", name="Roll out").click()
    page.get_by_role("combobox", name="Model").click()
    page.get_by_role("option", name=re.compile("Parts detector")).click()
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_role("radio", name=re.compile("^Group"))).to_be_checked()
    page.get_by_role("button", name="Next").click()
    page.get_by_role("button", name="Next").click()
    words = page.get_by_role("group", name="Plan summary")
    expect(words).to_contain_text("all devices of group toledo-presses")


def test_the_review_lists_every_term(open_page: OpenPage, address: str) -> None:
    page = open_page(address, "/rollouts/new?package=parts-detector&version=1.2.0")
    page.get_by_role("button", name="Next").click()
    page.get_by_role("button", name="Next").click()
    page.get_by_role("radio", name=re.compile("Careful")).click()
    page.get_by_role("switch", name="Maintenance window").check()
    page.get_by_label("Start time", exact=True).fill("21:30")
    page.get_by_text("Tue", exact=True).click()
    page.get_by_role("switch", name="Regression checks").check()
    page.get_by_role("switch", name="Prestage").check()
    page.get_by_role("button", name="Next").click()
    words = page.get_by_role("group", name="Plan summary")
    expect(words).to_contain_text("canary: 1 % of the devices")
    expect(words).to_contain_text("only between 21:30 and 05:00, Tue")
    expect(words).to_contain_text("At most 50 devices start per minute; the rate is multiplied by 2")
    expect(words).to_contain_text("latency is over 50 % higher")
    expect(words).to_contain_text("more than 0.5 % of devices fail, overall or of one profile")
    expect(words).to_contain_text("All devices download and verify the version now")


def test_the_past_of_a_rollout_is_scrubbed(open_page: OpenPage, address: str) -> None:
    page = open_page(address, "/rollouts/2")
    panel = page.get_by_role("region", name="History")
    expect(panel.get_by_role("status")).to_contain_text("Paused")
    slider = panel.get_by_role("slider", name="Point in time")
    slider.focus()
    page.keyboard.press("Home")
    expect(panel).to_contain_text("0 s after creation")
    expect(panel.get_by_role("img", name=re.compile("Wave rest at that time: 12 queued$"))).to_be_visible()
    page.keyboard.press("End")
    expect(panel.get_by_role("img", name=re.compile("Wave canary at that time: .*failed"))).to_be_visible()


def test_the_next_stop_condition_is_shown(fresh_address: str, open_page: OpenPage) -> None:
    page = open_page(fresh_address, "/rollouts/3")
    panel = page.get_by_role("region", name="Sequential test")
    expect(panel).to_contain_text(re.compile(r"\d+ failed of \d+ started"))
    expect(panel).to_contain_text(re.compile("more failures? among started devices|Even if all"))


def pin(page: Page, name: str) -> None:
    page.get_by_role("button", name="Manage").click()
    page.get_by_role("menuitem", name=name).click()


def test_a_device_is_pinned_and_unpinned(open_page: OpenPage, fast_address: str) -> None:
    page = open_page(fast_address, "/devices/lyon-gate2-cam02")
    pin(page, "Pin detector")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Reason").fill("reference for the audit")
    dialog.get_by_role("button", name="Pin detector").click()
    note = page.get_by_text(re.compile("rollouts skip it. reference for the audit"))
    expect(note).to_be_visible()
    pin(page, "Unpin detector")
    page.get_by_role("dialog").get_by_role("button", name="Unpin detector").click()
    expect(note).to_have_count(0)


def test_settings_say_what_changes_them(open_page: OpenPage, address: str) -> None:
    page = open_page(address, "/settings")
    expect(page.get_by_role("region", name="Retention")).to_contain_text("--keep-events-days")
    expect(page.get_by_role("region", name="Email and metrics")).to_contain_text("smtp+starttls://mail.example:587")
    page.keyboard.press("Control+k")
    page.get_by_role("textbox", name="Search").fill("certif")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Certificates")
    expect(page.get_by_role("table", name="Certificates").locator("tbody tr").first).to_contain_text("Due")


def test_a_rollout_is_paused_from_a_phone(open_page: OpenPage, address: str) -> None:
    """From the list, by thumb: nothing on the way is off the screen."""
    page = open_page(address, "/rollouts", viewport={"width": 390, "height": 844}, has_touch=True)
    page.get_by_role("link", name="Parts detector 1.2.0").tap()
    button = page.get_by_role("button", name="Pause")
    expect(button).to_be_in_viewport()
    button.tap()
    page.get_by_role("dialog").get_by_role("button", name="Pause").tap()
    expect(page.get_by_test_id("rollout-state")).to_have_text("Paused")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
