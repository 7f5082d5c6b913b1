"""The events page on a real server: a part of the time, new events, marks, and what is taken out."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from edgefleet_contract.wire.messages import Stream
from tests.fleet_server.dashboard.conftest import OpenPage
from tests.fleet_server.dashboard.fake_pictures import snapshot
from tests.fleet_server.dashboard.test_pages import violations
from tests.fleet_server.fakes.server_process import ServerProcess, eventually
from tests.fleet_server.fakes.virtual_device import VirtualDevice, event

pytestmark = pytest.mark.system
LABELS = ("person", "car", "person", "dog", "person", "car")
SHIFTS = """new Promise(done => {
  let sum = 0;
  const add = list => list.getEntries().forEach(each => { if (!each.hadRecentInput) sum += each.value; });
  new PerformanceObserver(add).observe({type: 'layout-shift', buffered: true});
  setTimeout(() => done(sum), 300);
})"""
SHIFT_MAX = 0.05


class Yard:
    """A server and a device that sends events."""

    def __init__(self, data: Path) -> None:
        self.server = ServerProcess(data).start()
        self.url: str = self.server.state()["url"]
        self.device = VirtualDevice("yard-1", self.server.mqtt_port).start()
        self.device.wait_online()
        self.sent = 0
        self.send(*LABELS)

    def send(self, *labels: str) -> None:
        """Send one event for each label, and wait until the server has them."""
        for label in labels:
            self.sent += 1
            self.device.record(Stream.EVENTS, event(self.sent) | {"kind": "count", "label": label, "rule": f"every-{label}"})
        eventually("the events are stored", lambda: self.summary()["total"] == self.sent or None)

    def summary(self, **chosen: Any) -> dict[str, Any]:
        found: dict[str, Any] = self.server.get("/events/summary", **chosen)
        return found

    def verdicts(self) -> list[str | None]:
        """Marks of all events, newest first."""
        return [(row["review"] or {}).get("verdict") for row in self.server.get("/events")["items"]]

    def close(self) -> None:
        self.device.stop()
        self.server.stop()


@pytest.fixture(scope="module")
def yard(built_ui: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Yard]:
    made = Yard(tmp_path_factory.mktemp("events") / "fleet")
    yield made
    made.close()


def rows(page: Page) -> Locator:
    return page.get_by_role("table", name="Events").locator("tbody tr")


def pull(page: Page, since: float, until: float) -> None:
    """Drag over a share of the histogram."""
    box = page.get_by_test_id("histogram").bounding_box()
    assert box is not None
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] * since, middle)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * until, middle, steps=3)
    page.mouse.up()


def swipe(page: Page, since: float, until: float) -> None:
    """Drag over a share of the histogram with a finger that rests before and after it is lifted. A finger lifted in motion
    starts a fling, and Chromium takes the next tap as one that ends the fling: no click follows."""
    box = page.get_by_test_id("histogram").bounding_box()
    assert box is not None
    touch = page.context.new_cdp_session(page)
    for step, share in (("touchStart", since), ("touchMove", (since + until) / 2), ("touchMove", until), ("touchEnd", None)):
        at = [] if share is None else [{"x": box["x"] + box["width"] * share, "y": box["y"] + box["height"] / 2}]
        if share is None:
            page.wait_for_timeout(300)
        touch.send("Input.dispatchTouchEvent", {"type": step, "touchPoints": at})
    page.wait_for_timeout(500)


def test_a_part_of_the_time_is_chosen_by_mouse_keys_and_finger(open_page: OpenPage, yard: Yard) -> None:
    page = open_page(yard.url, "/events?range=1h", has_touch=True)
    expect(rows(page)).to_have_count(yard.sent)
    pull(page, 0.1, 0.5)
    expect(page).to_have_url(re.compile(r"since=\d+&until=\d+"))
    expect(page.get_by_text("No matching events")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("button", name="Last hour")).to_have_attribute("aria-pressed", "true")
    expect(rows(page)).to_have_count(yard.sent)

    start = page.get_by_role("slider", name="Start of the range")
    start.focus()
    for _ in range(4):
        page.keyboard.press("PageUp")
    expect(start).to_have_attribute("aria-valuenow", "40")
    expect(page.get_by_role("button", name="Zoom in")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"since=\d+&until=\d+"))
    expect(rows(page)).to_have_count(yard.sent)
    zoomed = page.url
    swipe(page, 0.2, 0.6)
    expect(page).not_to_have_url(zoomed)
    expect(page.get_by_text("No matching events")).to_be_visible()
    page.get_by_role("button", name="7 days").tap()
    expect(page).to_have_url(re.compile(r"range=7d$"))
    expect(rows(page)).to_have_count(yard.sent)


def test_new_events_wait_behind_a_button(open_page: OpenPage, yard: Yard) -> None:
    page = open_page(yard.url, "/events")
    expect(rows(page)).to_have_count(yard.sent)
    first, before = rows(page).first.inner_text(), yard.sent
    yard.send("van", "van")
    button = page.get_by_role("button", name="2 new")
    expect(button).to_be_visible()
    expect(rows(page)).to_have_count(before)
    assert rows(page).first.inner_text().splitlines()[0] == first.splitlines()[0]
    button.click()
    expect(rows(page)).to_have_count(yard.sent)
    expect(rows(page).first).to_contain_text("van")
    expect(page.get_by_role("button", name=re.compile(r"\d+ new"))).to_have_count(0)


def test_events_are_marked_by_keys_one_or_several_and_steps_are_taken_back(open_page: OpenPage, yard: Yard) -> None:
    page = open_page(yard.url, "/events")
    expect(rows(page)).to_have_count(yard.sent)
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("k")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("s")
    expect(rows(page).nth(1)).to_contain_text("Seen")
    eventually("it is stored", lambda: yard.verdicts()[:2] == [None, "seen"] or None)
    expect(page.get_by_role("button", name=re.compile("^Marked"))).to_contain_text("1")

    page.keyboard.press("x")
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("x")
    page.get_by_role("button", name="False alarm").click()
    eventually("both are stored", lambda: yard.verdicts()[:4] == [None, "false_alarm", None, "false_alarm"] or None)
    page.get_by_role("button", name="Undo").click()
    eventually("each is as it was", lambda: yard.verdicts()[:4] == [None, "seen", None, None] or None)
    expect(rows(page).nth(1)).to_contain_text("Seen")
    page.keyboard.press("z")
    eventually("nothing is marked", lambda: not any(yard.verdicts()) or None)

    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    page.keyboard.press("c")
    expect(dialog.get_by_role("status")).to_contain_text("Confirmed")
    title = dialog.get_by_role("heading", level=2).last.inner_text()
    page.keyboard.press("j")
    expect(dialog.get_by_role("status")).to_have_text("Unseen")
    page.keyboard.press("k")
    expect(dialog.get_by_role("heading", level=2).last).to_have_text(title)
    dialog.get_by_role("button", name="Confirm").click()
    expect(dialog.get_by_role("status")).to_have_text("Unseen")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(rows(page).nth(3).get_by_role("button")).to_be_focused()
    page.keyboard.press("Enter")
    expect(dialog.get_by_role("heading", level=2).last).to_have_text(title)
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    page.get_by_role("textbox", name="Search in events").press_sequentially("scjkxuz")
    expect(page).to_have_url(re.compile("text=scjkxuz"))
    expect(page.get_by_text("No matching events")).to_be_visible()
    assert not any(yard.verdicts())
    page.get_by_role("button", name="Show all events").click()
    expect(rows(page)).to_have_count(yard.sent)
    page.keyboard.press("Shift+?")
    expect(page.get_by_role("table", name="Keys")).to_contain_text("Undo the last mark")


def test_what_is_filtered_is_shared_and_exported(open_page: OpenPage, yard: Yard, tmp_path: Path) -> None:
    folder = yard.server.data / "evidence" / "yard-1"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "e3.jpg").write_bytes(snapshot(3))
    persons = LABELS.count("person")
    page = open_page(yard.url, "/events")
    page.get_by_role("region", name="Label").get_by_role("button", name=re.compile("person")).click()
    expect(page).to_have_url(re.compile("label=person"))
    expect(rows(page)).to_have_count(persons)
    rows(page).filter(has=page.locator("img")).get_by_role("button").click()
    dialog = page.get_by_role("dialog")
    with page.expect_download() as picture:
        dialog.get_by_role("link", name="Snapshot").click()
    assert re.fullmatch(r"yard-1-event-\d+\.jpg", picture.value.suggested_filename)
    picture.value.save_as(tmp_path / "picture")
    assert (tmp_path / "picture").read_bytes() == snapshot(3)
    open_at = page.url
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)

    files: dict[str, str] = {}
    for name in ("CSV", "JSON Lines"):
        page.get_by_role("button", name="Export").click()
        with page.expect_download() as download:
            page.get_by_role("menuitem", name=name).click()
        download.value.save_as(tmp_path / name)
        files[name] = (tmp_path / name).read_text("utf-8")
    assert [row["label"] for row in csv.DictReader(files["CSV"].splitlines())] == ["person"] * persons
    lines = [json.loads(line) for line in files["JSON Lines"].splitlines()]
    assert lines == yard.server.get("/events", label="person")["items"]

    page.goto(open_at)
    expect(dialog).to_contain_text("person")
    number = re.search(r"event=(\d+)", open_at)
    assert number
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Share").click()
    link = page.get_by_label("Link").input_value()
    assert re.fullmatch(rf"{yard.url}/events\?.*label=person.*", link)
    other = open_page(yard.url, f"{link.removeprefix(yard.url)}&event={number[1]}")
    expect(other.get_by_role("dialog")).to_contain_text(f"Event {number[1]}")
    expect(other.get_by_role("button", name="Clear filters", include_hidden=True)).to_be_visible()


@pytest.mark.parametrize("width", [390, 1280])
def test_the_page_is_steady_and_accessible_with_an_event_open(open_page: OpenPage, yard: Yard, axe: str, width: int) -> None:
    page = open_page(yard.url, "/events", viewport={"width": width, "height": 844}, has_touch=width < 400)
    expect(rows(page)).to_have_count(yard.sent)
    expect(page.get_by_test_id("connection-state")).to_have_text("Live")
    assert page.evaluate(SHIFTS) < SHIFT_MAX
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    if width < 400:
        page.get_by_role("button", name="Filters").tap()
        expect(page.get_by_role("region", name="Label")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    rows(page).first.get_by_role("button").click()
    expect(page.get_by_role("dialog")).to_contain_text("Raw record")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        expect(page.locator("html")).to_have_attribute("data-mantine-color-scheme", scheme)
        assert violations(page, axe) == []


def test_a_summary_that_fails_leaves_the_list(open_page: OpenPage, yard: Yard) -> None:
    def refuse(route: Route) -> None:
        route.fulfill(status=422, json={"detail": "no summary now"})

    page = open_page(yard.url, "/settings", expected="status of 422")
    page.route("**/events/summary*", refuse)
    page.goto(f"{yard.url}/events?event=999999")
    expect(page.get_by_role("dialog")).to_contain_text("The server has no event 999999")
    page.keyboard.press("Escape")
    expect(page.get_by_role("alert")).to_have_text("no summary now")
    expect(rows(page)).to_have_count(yard.sent)
    page.unroute("**/events/summary*")
    page.get_by_role("button", name="Retry").click()
    expect(page.get_by_text(re.compile(rf"^{yard.sent} events, "))).to_be_visible()
