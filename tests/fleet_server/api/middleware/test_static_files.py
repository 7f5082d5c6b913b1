"""The dashboard's files, and what stands in for them."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from edgefleet_server.api.middleware.static_files import FOREVER, pages


@pytest.fixture
def ui(tmp_path: Path) -> Path:
    folder = tmp_path / "ui"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><title>fleet</title>")
    (folder / "assets" / "main-abc.js").write_text("1")
    (folder / "favicon.svg").write_text("<svg/>")
    (tmp_path / "secret").write_text("secret")
    return folder


class Browser:
    """Asks the pages of one folder, without a network."""

    def __init__(self, folder: Path) -> None:
        self._app = FastAPI()
        self._app.include_router(pages(folder))

    def get(self, path: str, headers: dict[str, str] | None = None) -> httpx.Response:
        async def go() -> httpx.Response:
            async with httpx.AsyncClient(transport=httpx.ASGITransport(self._app), base_url="http://127.0.0.1") as client:
                return await client.get(f"http://127.0.0.1{path}", headers=headers)

        return asyncio.run(go())


def test_pages_and_assets(ui: Path) -> None:
    """Pages are revalidated at every request, hashed files never."""
    browser = Browser(ui)
    for path in ("/", "/devices/press-07"):
        answer = browser.get(path, headers={"accept": "text/html"})
        assert ("fleet" in answer.text, answer.headers["cache-control"]) == (True, "no-cache")
    assert browser.get("/assets/main-abc.js").headers["cache-control"] == FOREVER
    assert browser.get("/favicon.svg").headers["cache-control"] == "no-cache"


def test_what_is_not_there(ui: Path) -> None:
    """A missing asset is missing, an unknown API route is no page, and nothing outside the folder is a file."""
    browser = Browser(ui)
    assert browser.get("/assets/old.js").status_code == 404
    assert browser.get("/api/v1/nothing", headers={"accept": "text/html"}).json()["detail"].startswith("no such route")
    assert browser.get("/data.json", headers={"accept": "application/json"}).status_code == 404
    for path in ("/../secret", "/%2e%2e/secret", "/..%2fsecret", "//etc/passwd"):
        assert "secret" not in browser.get(path).text


def test_dashboard_that_is_not_built(tmp_path: Path) -> None:
    """One line instead of an error."""
    assert "not built" in Browser(tmp_path / "none").get("/").text
