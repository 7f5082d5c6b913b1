"""Every page, light and dark: opens without an error, sends no external request, and is accessible."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.fleet_server.dashboard.conftest import OpenPage

PAGES = {
    "/": "Fleet",
    "/devices/bremen-press1-cam01": "bremen-press1-cam01",
    "/devices/bremen-press1-cam01?tab=history&period=30d": "bremen-press1-cam01",
    "/compare?device=bremen-press1-cam01&device=bremen-press2-cam01&figure=latency_p95_ms&range=7d": "Compare devices",
    "/devices/bremen-press1-cam01?tab=updates": "bremen-press1-cam01",
    "/devices/bremen-press1-cam01?tab=about": "bremen-press1-cam01",
    "/models": "Models",
    "/models/parts-detector/1.2.0": "Parts detector 1.2.0",
    "/rollouts": "Rollouts",
    "/rollouts/3": "Parts detector 1.2.0",
    "/rollouts/2": "1.3.0-rc1 in Lyon",
    "/rollouts/4": "Shadow of 1.3.0-rc1",
    "/rollouts/new?package=parts-detector&version=1.2.0": "New rollout",
    "/pipelines": "Pipelines",
    "/pipelines/belt?against=1.0.0": "belt",
    "/devices/bremen-press1-cam01?tab=pipelines": "bremen-press1-cam01",
    "/rollouts/new?package=pipeline-belt&version=1.0.1&slot=pipeline-belt": "New rollout",
    "/events": "Events",
    "/wall?camera=bremen-press1-cam01/belt": "Camera wall",
    "/alerts": "Alerts",
    "/?view=map": "Fleet",
    "/groups": "Groups",
    "/proposals": "Proposals",
    "/settings": "Settings",
    "/experiments": "Experiments",
    "/experiments/new": "New experiment",
    "/certificates": "Certificates",
    "/components": "Components",
    "/components?name=numpy": "numpy",
}
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]


def violations(page: Page, axe: str) -> list[str]:
    """Findings of axe-core, one line each, after all transitions have ended: the contrast of a changing colour is undefined."""
    running = "document.getAnimations().filter(each => each.transitionProperty).map(each => each.finished)"
    page.evaluate(f"Promise.allSettled({running}).then(() => null)")
    page.evaluate(axe)
    found: list[dict[str, Any]] = page.evaluate(
        "rules => axe.run(document, {runOnly: {type: 'tag', values: rules}}).then(result => result.violations)", RULES
    )
    return [f"{each['id']}: {node['html'][:160]} {node['any'][:1]}" for each in found for node in each["nodes"][:3]]


@pytest.mark.parametrize("path", PAGES)
def test_page_opens_and_is_accessible_in_both_schemes(open_page: OpenPage, address: str, axe: str, path: str) -> None:
    page = open_page(address, path, color_scheme="light")
    expect(page.get_by_role("heading", level=1)).to_have_text(PAGES[path])
    expect(page.get_by_test_id("connection-state")).to_have_text("Live")
    expect(page.get_by_role("status", name="Loading")).to_have_count(0)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        expect(page.locator("html")).to_have_attribute("data-mantine-color-scheme", scheme)
        assert violations(page, axe) == []


def test_pages_fit_a_phone(open_page: OpenPage, address: str) -> None:
    page = open_page(address, viewport={"width": 390, "height": 844})
    for path, title in PAGES.items():
        page.goto(address + path)
        expect(page.get_by_role("heading", level=1)).to_have_text(title)
        expect(page.get_by_role("status", name="Loading")).to_have_count(0)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, path
    page.goto(f"{address}/rollouts/new?package=parts-detector&version=1.2.0")
    page.get_by_role("button", name="Next").click()
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_label("Wave 2 requires approval")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390, "waves of a new rollout"


def test_dialogs_are_accessible(open_page: OpenPage, address: str, axe: str) -> None:
    page = open_page(address, "/rollouts/3", color_scheme="dark")
    page.get_by_role("button", name="Roll back").click()
    expect(page.get_by_role("dialog")).to_contain_text("return to their previous version")
    assert violations(page, axe) == []
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_unknown_addresses_are_reported(open_page: OpenPage, address: str) -> None:
    page = open_page(address, "/nowhere")
    expect(page.get_by_text("Page not found")).to_be_visible()
