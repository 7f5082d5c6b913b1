"""Code or styles of a page that cannot be fetched: after an upgrade of the server, or while it is away."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Request, Route, expect

from tests.fleet_server.dashboard.conftest import OpenPage

DEVICE = "/devices/bremen-press1-cam01"


def _documents(page: Page) -> list[str]:
    """The addresses of all documents that the page loads from now on."""
    loaded: list[str] = []

    def note(request: Request) -> None:
        if request.is_navigation_request():
            loaded.append(request.url)

    page.on("request", note)
    return loaded


def _lose(page: Page, part: str, is_lost: Callable[[], bool]) -> None:
    """Files named `part`-HASH are not on the server for as long as `is_lost` says so."""

    def answer(route: Route) -> None:
        if is_lost():
            route.fulfill(status=404, json={"detail": "no such file"})
        else:
            route.fallback()

    page.route(re.compile(rf"/assets/{part}$"), answer)


@pytest.mark.parametrize("part", [r"ModelsPage-[\w-]+\.js", r"ModelsPage-[\w-]+\.css"])
def test_a_page_of_an_upgraded_server_is_loaded_anew(open_page: OpenPage, address: str, part: str) -> None:
    page = open_page(address, "/rollouts", expected="Failed to load")
    expect(page.get_by_test_id("connection-state")).to_have_text("Live")
    documents = _documents(page)
    _lose(page, part, lambda: not documents)
    with page.expect_request(re.compile(part)):
        page.get_by_role("link", name="Models", exact=True).hover()
    page.wait_for_timeout(500)  # longer than the request of a document takes
    assert documents == [], "hovering over a link reloads nothing"
    page.get_by_role("link", name="Models", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Models")
    assert documents == [f"{address}/models"]
    styles = page.evaluate("[...document.styleSheets].map(each => each.href ?? '')")
    assert any("ModelsPage-" in each for each in styles)


def test_a_tab_of_an_upgraded_server_is_loaded_anew(open_page: OpenPage, address: str) -> None:
    page = open_page(address, DEVICE, expected="Failed to load")
    expect(page.get_by_test_id("connection-state")).to_have_text("Live")
    documents = _documents(page)
    _lose(page, r"PipelinesTab-[\w-]+\.js", lambda: not documents)
    page.get_by_role("tab", name="Pipelines").click()
    expect(page.get_by_role("table", name="Pipelines of this device")).to_be_visible()
    assert documents == [f"{address}{DEVICE}?tab=pipelines"]


def test_a_part_that_stays_missing_is_retried_by_hand(open_page: OpenPage, address: str) -> None:
    page = open_page(address, "/rollouts", expected="Failed to load")
    expect(page.get_by_test_id("connection-state")).to_have_text("Live")
    documents = _documents(page)
    lost = True
    _lose(page, r"ModelsPage-[\w-]+\.js", lambda: lost)
    page.get_by_role("link", name="Models", exact=True).click()
    again = page.get_by_role("button", name="Retry")
    expect(again).to_be_visible()
    page.wait_for_timeout(3_000)  # time enough for a loop
    expect(again).to_be_visible()
    assert documents == [f"{address}/models"]
    lost = False
    again.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Models")


def test_a_server_that_is_away_is_waited_for(open_page: OpenPage, address: str) -> None:
    page = open_page(address, "/rollouts", expected="Failed to load")
    expect(page.get_by_test_id("connection-state")).to_have_text("Live")
    documents = _documents(page)
    page.context.set_offline(True)
    expect(page.get_by_text("Disconnected from the server.")).to_be_visible()
    page.get_by_role("link", name="Models", exact=True).click()
    expect(page.get_by_text("Loading failed")).to_be_visible()
    page.wait_for_timeout(1_000)
    assert documents == [], "a browser's own error page says less"
    page.context.set_offline(False)
    expect(page.get_by_role("heading", level=1)).to_have_text("Models")
    assert documents == [f"{address}/models"]
