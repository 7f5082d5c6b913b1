"""Unsaved changes in the pipeline editor are lost by no key, and not without confirmation."""

from __future__ import annotations

import re

import httpx
import pytest
from playwright.sync_api import Dialog, Page, Route, expect

from tests.fleet_server.dashboard.conftest import OpenPage
from tests.fleet_server.dashboard.test_pages import violations
from tests.fleet_server.dashboard.test_pipeline_editor import open_text, text_of

DEVICE = "/devices/bremen-press1-cam01"
EDITOR = f"{DEVICE}?tab=pipelines&pipeline=camera"
QUESTION = "Discard unsaved changes?"


def _put_zone(page: Page) -> None:
    """Draw an unsaved zone."""
    page.get_by_role("button", name="Draw zone").click()
    page.get_by_role("button", name="Add default shape").click()
    _has_zone(page)


def _has_zone(page: Page) -> None:
    expect(page.get_by_role("group", name="Changes")).to_contain_text('zone = "zone-1"')


def _type(page: Page, old: str, new: str) -> None:
    """Edit the text, without applying it to the forms."""
    document = open_text(page)
    expect(document).to_contain_text(old)
    document.fill(text_of(document).replace(old, new))


@pytest.mark.parametrize(("shape", "corners"), [("zone", 3), ("mask", 4)])
def test_enter_finishes_a_shape_started_by_mouse(open_page: OpenPage, address: str, shape: str, corners: int) -> None:
    page = open_page(address, EDITOR)
    expect(page.get_by_alt_text("Snapshot of camera")).to_be_visible()
    page.get_by_role("button", name=f"Draw {shape}").click()
    drawing = page.get_by_test_id("drawing")
    box = drawing.bounding_box()
    assert box is not None
    for across, down in ((0.1, 0.6), (0.3, 0.6), (0.3, 0.9), (0.1, 0.9))[:corners]:
        drawing.click(position={"x": box["width"] * across, "y": box["height"] * down})
    page.keyboard.press("Enter")
    expect(page.get_by_role("table", name=f"Points of {shape}-1").get_by_role("row")).to_have_count(corners + 1)
    expect(page.get_by_role("button", name=f"Draw {shape}")).to_have_attribute("aria-pressed", "false")


@pytest.mark.parametrize(
    ("role", "name"), [("link", "Models"), ("button", "All pipelines of this device"), ("tab", "Updates")], ids=str.lower
)
def test_leaving_unsaved_changes_needs_confirmation(open_page: OpenPage, address: str, axe: str, role: str, name: str) -> None:
    page = open_page(address, EDITOR)
    _put_zone(page)
    away = page.get_by_role(role, name=name, exact=True)  # type: ignore[arg-type]  # a role
    away.click()
    dialog = page.get_by_role("dialog", name=QUESTION)
    expect(dialog).to_contain_text("camera")
    assert violations(page, axe) == []
    dialog.get_by_role("button", name="Stay").click()
    expect(dialog).to_have_count(0)
    expect(page).to_have_url(address + EDITOR)
    _has_zone(page)
    away.click()
    dialog.get_by_role("button", name="Leave").click()
    expect(page.get_by_test_id("drawing")).to_have_count(0)
    expect(dialog).to_have_count(0)
    expect(page).not_to_have_url(address + EDITOR)


def test_going_back_from_unsaved_changes_needs_confirmation(open_page: OpenPage, address: str) -> None:
    page = open_page(address, "/?search=bremen-press1-cam01")
    page.get_by_role("link", name="bremen-press1-cam01").click()
    page.get_by_role("tab", name="Pipelines").click()
    page.get_by_role("button", name="camera", exact=True).click()
    _put_zone(page)
    page.go_back(wait_until="commit")
    page.get_by_role("dialog", name=QUESTION).get_by_role("button", name="Stay").click()
    expect(page).to_have_url(address + EDITOR)
    _has_zone(page)
    page.go_back(wait_until="commit")
    page.get_by_role("dialog", name=QUESTION).get_by_role("button", name="Leave").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Fleet")


def test_closing_the_tab_with_unsaved_changes_needs_confirmation(open_page: OpenPage, address: str) -> None:
    page = open_page(address, EDITOR)
    dialogs: list[str] = []

    def stay(dialog: Dialog) -> None:
        dialogs.append(dialog.type)
        dialog.dismiss()

    page.on("dialog", stay)
    _put_zone(page)
    page.close(run_before_unload=True)
    page.wait_for_timeout(1_000)
    assert dialogs == ["beforeunload"]
    _has_zone(page)


def test_edited_text_survives_a_switch_to_the_forms(open_page: OpenPage, address: str) -> None:
    page = open_page(address, EDITOR)
    _type(page, "after_s = 20", "after_s = 25")
    page.get_by_role("tab", name="Shapes").click()
    page.get_by_role("tab", name="Text").click()
    expect(page.get_by_role("textbox", name="Document")).to_contain_text("after_s = 25")
    page.get_by_role("link", name="Models", exact=True).click()
    page.get_by_role("dialog", name=QUESTION).get_by_role("button", name="Stay").click()

    _put_zone(page)
    page.get_by_role("tab", name="Text").click()
    expect(page.get_by_role("textbox", name="Document")).to_contain_text("after_s = 25")
    expect(page.get_by_text("The forms have changed; applying this text discards those changes")).to_be_visible()
    page.get_by_role("button", name="Discard text").click()
    expect(page.get_by_role("textbox", name="Document")).to_contain_text("zone-1")
    expect(page.get_by_text("In sync with the forms")).to_be_visible()


def test_saved_or_unchanged_pipelines_need_no_confirmation(open_page: OpenPage, fast_address: str) -> None:
    page = open_page(fast_address, EDITOR, expected="status of 422")  # what the wizard asks of this fake is its own business
    page.get_by_role("tab", name="About").click()
    expect(page.get_by_test_id("drawing")).to_have_count(0)
    page.goto(fast_address + EDITOR)
    _put_zone(page)
    page.get_by_role("button", name="Delete zone zone-1").click()
    expect(page.get_by_text("No changes")).to_be_visible()
    page.get_by_role("tab", name="About").click()
    expect(page.get_by_test_id("drawing")).to_have_count(0)
    page.goto(fast_address + EDITOR)
    _type(page, "after_s = 20", "after_s = 25")
    page.get_by_role("button", name="Apply text").click()
    expect(page.get_by_role("group", name="Changes")).to_contain_text("after_s = 25")
    page.get_by_role("button", name="Roll out to…").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("New rollout")


def test_changes_outlive_a_device_that_comes_back(open_page: OpenPage, address: str) -> None:
    page = open_page(address, "/models")

    def offline(route: Route) -> None:
        route.fulfill(json={**httpx.get(route.request.url).json(), "online": False})

    device = re.compile(r"/api/v1/devices/bremen-press1-cam01$")
    page.route(device, offline)
    page.route("**/api/v1/stream*", lambda route: route.fulfill(status=204))
    page.goto(address + EDITOR)
    expect(page.get_by_role("button", name="Take snapshot")).to_be_disabled()
    expect(page.get_by_role("button", name="Reconnect")).to_be_visible()  # its message moves the page
    page.get_by_role("button", name="Draw zone").click()
    page.get_by_role("button", name="Add default shape").click()
    expect(page.get_by_label("Name", exact=True)).to_have_value("zone-1")
    page.unroute(device)
    page.unroute("**/api/v1/stream*")
    page.get_by_role("button", name="Reconnect").click()
    expect(page.get_by_role("button", name="Take snapshot")).to_be_enabled()
    expect(page.get_by_label("Name", exact=True)).to_have_value("zone-1")
