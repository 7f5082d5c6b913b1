"""Icons of the installed dashboard, drawn from favicon.svg:

    python -m tests.fleet_server.dashboard.icons

Writes dashboard/public/icon-*.png. A maskable icon fills its square, as systems cut their own shape out of it.
"""

from __future__ import annotations

import os
from typing import Final

from playwright.sync_api import sync_playwright

from tests.fleet_server.dashboard.conftest import CHROMIUM_FLAGS, DASHBOARD, find_chromium

PUBLIC: Final = DASHBOARD.source / "public"
ICONS: Final = {
    "icon-180": (180, "maskable"),
    "icon-192": (192, "any"),
    "icon-512": (512, "any"),
    "icon-maskable-512": (512, "maskable"),
}
"""Name of each file to its side in pixels and its purpose."""


def page_of(drawing: str, side: int, purpose: str) -> str:
    """A page that is nothing but the icon."""
    if purpose == "maskable":
        drawing = drawing.replace('rx="8"', "").replace("<g ", '<g transform="translate(5.6 5.6) scale(.65)" ')
    return f"<style>body {{ margin: 0 }} svg {{ display: block; width: {side}px }}</style>{drawing}"


def main() -> None:
    """Write the files."""
    drawing = (PUBLIC / "favicon.svg").read_text("utf-8")
    flags = [*CHROMIUM_FLAGS, *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=flags)
        for name, (side, purpose) in ICONS.items():
            page = browser.new_page(viewport={"width": side, "height": side})
            page.set_content(page_of(drawing, side, purpose))
            page.screenshot(path=PUBLIC / f"{name}.png", omit_background=True)
        browser.close()


if __name__ == "__main__":
    main()
