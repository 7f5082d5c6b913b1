"""Live video in a browser: it plays, keeps close to the newest picture, and gives way to stills."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.fleet_server.dashboard.conftest import OpenPage

PIXELS = """video => {
    const canvas = Object.assign(document.createElement("canvas"), {width: 64, height: 36});
    const context = canvas.getContext("2d");
    context.drawImage(video, 0, 0, 64, 36);
    return Array.from(context.getImageData(0, 0, 64, 36).data).filter((_, at) => at % 4 < 3);
}"""


def test_video_plays_and_stills_take_its_place(open_page: OpenPage, address: str) -> None:
    page = open_page(address, "/wall?camera=oslo-1/dock&camera=oslo-1/plain&columns=2")
    dock = page.get_by_role("region", name="oslo-1/dock")
    expect(dock.get_by_test_id("camera")).to_have_attribute("data-state", "live")
    expect(dock.get_by_role("status")).to_have_text(re.compile(r"^Live · [0-2]\.\d s behind · encoded by the device$"))
    video = dock.locator("video")
    first = video.evaluate("video => video.currentTime")
    before = video.evaluate(PIXELS)
    page.wait_for_function("before => document.querySelector('video').currentTime > before + 0.5", arg=first)
    assert len(set(before)) > 50, "the pictures are decoded"
    assert video.evaluate(PIXELS) != before, "and change"
    assert video.evaluate("video => video.buffered.end(video.buffered.length - 1) - video.currentTime") < 2.0
    plain = page.get_by_role("region", name="oslo-1/plain")
    expect(plain.get_by_test_id("camera")).to_have_attribute("data-state", "stills")
    expect(plain.get_by_role("status")).to_contain_text("use H.264 Showing stills.")
    expect(plain.get_by_test_id("live-picture")).to_be_visible()


def test_only_cameras_on_the_screen_play(open_page: OpenPage, address: str) -> None:
    page = open_page(address, "/wall?camera=oslo-1/a&camera=oslo-1/b&camera=oslo-1/c&camera=oslo-1/d&columns=1")
    cameras = page.get_by_test_id("camera")
    expect(cameras.first).to_have_attribute("data-state", "live")
    expect(cameras.last).to_have_attribute("data-state", "off")
    cameras.last.scroll_into_view_if_needed()
    expect(cameras.last).to_have_attribute("data-state", "live")
    expect(cameras.first).to_have_attribute("data-state", "off")
    page.get_by_role("button", name="Remove oslo-1/d").click()
    expect(cameras).to_have_count(3)
    expect(page).to_have_url(re.compile(r"camera=oslo-1/a&camera=oslo-1/b&camera=oslo-1/c&columns=1$"))
