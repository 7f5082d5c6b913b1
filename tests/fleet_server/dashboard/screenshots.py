"""Pictures for the README, of a seeded fake fleet: python -m tests.fleet_server.dashboard.screenshots

Writes PNG files into docs/images/. The dashboard must be built (`make ui`).
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.fleet_server.dashboard.conftest import CHROMIUM_FLAGS, ROOT, find_chromium

IMAGES = ROOT / "docs" / "images"
BYTES_MAX = 300_000
DESKTOP = (1440, 900)
PHONE = (390, 844)
STRIP = (1200, 460)  # photographs make large PNG files

PICTURES: tuple[tuple[str, str, str, tuple[int, int]], ...] = (
    ("fleet-dark", "/", "dark", DESKTOP),
    ("fleet-light", "/", "light", DESKTOP),
    ("rollout-dark", "/rollouts/3", "dark", DESKTOP),
    ("rollout-light", "/rollouts/3", "light", DESKTOP),
    ("stopped-dark", "/rollouts/2", "dark", DESKTOP),
    ("device-dark", "/devices/osaka-press2-cam02", "dark", DESKTOP),
    ("device-light", "/devices/osaka-press2-cam02", "light", DESKTOP),
    ("wizard-light", "/rollouts/new?package=parts-detector&version=1.2.0", "light", DESKTOP),
    ("model-light", "/models/parts-detector/1.2.0", "light", DESKTOP),
    ("events-dark", "/events?view=pictures", "dark", STRIP),
    ("alerts-light", "/alerts", "light", DESKTOP),
    ("experiment-dark", "/experiments/1", "dark", DESKTOP),
    ("fleet-phone", "/", "dark", PHONE),
)


def prepare(page: Page, name: str) -> None:
    """Bring a page into the state that the picture is of."""
    expect(page.get_by_test_id("link-state")).to_have_text("Live")
    expect(page.get_by_role("status", name="Loading")).to_have_count(0)
    if name.startswith("device"):
        expect(page.get_by_test_id("chart-Frames a second")).not_to_have_attribute("data-points", "0")
    if name.startswith("wizard"):
        page.get_by_role("button", name="Next").click()
        page.get_by_role("button", name="Next").click()
        page.get_by_role("radio", name=re.compile("Careful")).click()
        expect(page.get_by_label("Devices by wave")).to_be_visible()
    page.wait_for_timeout(1_500)  # a few messages of the stream, so that nothing is caught in a transition


def take(browser: Browser, address: str) -> None:
    """Take every picture; complain about one that is too big for a README."""
    for name, path, scheme, (width, height) in PICTURES:
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if scheme == "dark" else "light",
            locale="en-GB",
            reduced_motion="reduce",
        )
        page = context.new_page()
        page.goto(address + path)
        prepare(page, name)
        file = IMAGES / f"{name}.png"
        page.screenshot(path=file)
        context.close()
        size = file.stat().st_size
        if size > BYTES_MAX:
            raise SystemExit(f"{file} has {size} bytes; the limit is {BYTES_MAX}")
        print(f"{file.relative_to(ROOT)}  {size / 1e3:.0f} kB")


def main() -> None:
    """Start the fake server and a browser, take the pictures."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    chromium = find_chromium()
    if chromium is None:
        raise SystemExit("no Chromium: install the package chromium, or set EDGEFLEET_CHROMIUM")
    flags = [*CHROMIUM_FLAGS, *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    command = [sys.executable, "-m", "tests.fleet_server.dashboard.fake_api"]
    server = subprocess.Popen(command, cwd=Path(ROOT), stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    try:
        address = server.stdout.readline().strip()
        with sync_playwright() as playwright:
            take(playwright.chromium.launch(executable_path=chromium, args=flags), address)
    finally:
        server.terminate()
        server.wait(10)


if __name__ == "__main__":
    main()
