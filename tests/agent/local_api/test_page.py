"""The status page in a real browser: its content, and that it sends requests only to the device."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from edgefleet_agent.pipeline.metrics import Totals
from edgefleet_contract.pipeline.spec import PipelineSpec
from edgefleet_contract.wire.messages import EventPhase, PipelineGauges, SourceReason, StageLatency
from tests.agent.local_api.conftest import stay
from tests.agent.local_api.test_http import Camera, LocalApi
from tests.fleet_server.dashboard.conftest import find_chromium

pytestmark = pytest.mark.browser
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update"]


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    path = find_chromium()
    if path is None:
        pytest.skip("no Chromium: install the package chromium, or set EDGEFLEET_CHROMIUM")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_a_person_sees(chromium: Browser, tmp_path: Path, hall: PipelineSpec, pump: PipelineSpec, scheme: Any) -> None:
    api = LocalApi(tmp_path)
    api.hub.on_pipelines([pump, hall])
    gauges = PipelineGauges(state="running", camera_fps=10.0, process_fps=9.5, model="ssd@1.0.0", placement="cpu")
    gauges.latency = {"total": StageLatency(p50_ms=12.5)}
    pump_gauges = PipelineGauges(state="source_lost", reason="/dev/ttyUSB0: was unplugged; plug it in again")
    pump_gauges.reasons = [
        SourceReason(state="stalled", text="silent for 5 s; check the sensor", at=1e9, until=1e9 + 600, times=3)
    ]
    api.hub.on_gauges({"hall": gauges, "pump": pump_gauges}, {"hall": Totals(), "pump": Totals()})
    api.hub.on_event(stay(EventPhase.NEW), b"")
    api.hub.on_fault("pump", "<b>the cable</b> is out", False)
    api.events()
    urls: list[str] = []
    console: list[str] = []
    page = chromium.new_page(color_scheme=scheme, viewport={"width": 1200, "height": 800})
    page.on("request", lambda request: urls.append(request.url))
    page.on("console", lambda message: console.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: console.append(str(error)))
    try:
        with Camera(api.hub):
            page.goto(f"http://{api.listener.address}/")
            page.get_by_text("1 of 2 unhealthy").wait_for()
            assert page.title() == "hall-7 · edgefleet"
            assert page.locator(".card h3").all_inner_texts() == ["hall", "pump"]
            faults = [text.split(maxsplit=1) for text in page.locator(".faults li").all_inner_texts()]
            assert faults == [["pump", pump_gauges.reason], ["pump", "<b>the cable</b> is out"]]
            page.locator("summary:visible").click()
            past = page.locator(".reasons li").inner_text()
            assert "for 10 min, 3 times so far" in past
            assert past.endswith("Stalled: silent for 5 s; check the sensor")
            expect(page.locator(".picture img").first).to_have_js_property("naturalWidth", 320)
            page.locator("select[name=since_at]").select_option("")
            page.get_by_text("person in door").click()
            assert "c" * 16 in page.locator("#viewer-facts").inner_text()
            page.get_by_role("button", name="Close").click()
            page.locator("input[name=label]").fill("dog")
            page.get_by_text("No matching events").wait_for()
            background = page.evaluate("getComputedStyle(document.body).backgroundColor")
            assert background == {"light": "rgb(244, 246, 249)", "dark": "rgb(12, 17, 22)"}[scheme]
    finally:
        page.close()
        api.hub.close()
    assert all(url.startswith(f"http://{api.listener.address}/") for url in urls)
    assert console == []
