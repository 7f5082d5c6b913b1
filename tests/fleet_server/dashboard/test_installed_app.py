"""The dashboard as an installed app: its manifest, its icons, and its page without a connection."""

from __future__ import annotations

import json
import struct
from pathlib import Path

from playwright.sync_api import expect

from tests.fleet_server.dashboard.conftest import OpenPage


def test_the_manifest_names_icons_of_their_sizes(built_ui: Path) -> None:
    manifest = json.loads((built_ui / "manifest.webmanifest").read_text("utf-8"))
    assert '<link rel="manifest" href="/manifest.webmanifest"' in (built_ui / "index.html").read_text("utf-8")
    assert (manifest["display"], manifest["start_url"]) == ("standalone", "/")
    purposes = {icon.get("purpose", "any") for icon in manifest["icons"]}
    assert purposes == {"any", "maskable"}
    for icon in manifest["icons"]:
        content = (built_ui / icon["src"].lstrip("/")).read_bytes()
        if icon["type"] == "image/png":
            wide, high = struct.unpack(">II", content[16:24])
            assert icon["sizes"] == f"{wide}x{high}"


def test_a_page_is_shown_without_a_connection(open_page: OpenPage, address: str) -> None:
    page = open_page(address, "/events", service_workers="allow", expected="net::ERR_INTERNET_DISCONNECTED")
    page.evaluate("navigator.serviceWorker.ready.then(() => 1)")
    page.context.set_offline(True)
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("The fleet server cannot be reached")
    page.context.set_offline(False)
    page.get_by_role("link", name="Try again").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Events")
