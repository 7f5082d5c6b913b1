"""A real browser on the built dashboard, over a fake fleet."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect, sync_playwright

from hatch_build import dashboard, is_built
from tests.fleet_server.dashboard.foreign_requests import ForeignRequests
from tests.fleet_server.fakes.forked_programs import template
from tests.fleet_server.fakes.packages import files, tar
from tests.fleet_server.fakes.server_process import ServerProcess, eventually
from tests.fleet_server.fakes.virtual_device import VirtualDevice

ROOT = Path(__file__).resolve().parents[3]
DASHBOARD = dashboard(ROOT / "fleet_server")
CHROMIUM_FLAGS = [
    "--disable-gpu",
    "--enable-unsafe-swiftshader",  # the map needs WebGL
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
FAKE_API = "tests.fleet_server.dashboard.fake_api"
FAST = 40.0
"""Speed-up of rollouts in tests that wait for one."""

expect.set_options(timeout=60_000)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests that use a browser. Its event loop would catch the exception that ends a test that takes too long: here the
    worker of the tests ends instead, after it has printed where all its threads are."""
    for item in items:
        if "open_page" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.timeout(method="thread"))


BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


def find_chromium() -> str | None:
    """$EDGEFLEET_CHROMIUM, else a Chromium of the system. The headless shell draws no window: a page costs 1.1 s of processor
    time, and 2.8 s in the whole browser."""
    named = os.environ.get("EDGEFLEET_CHROMIUM")
    if named:
        return named
    return next((found for name in BROWSERS if (found := shutil.which(name))), None)


@pytest.fixture(scope="session")
def built_ui() -> Path:
    """The built dashboard, and not one of another source."""
    if not is_built(DASHBOARD):
        pytest.skip("the dashboard is not built from this source: run `python fleet_server/hatch_build.py`")
    return DASHBOARD.ui


@pytest.fixture(scope="module")
def browser(built_ui: Path) -> Iterator[Browser]:
    """One headless Chromium for the tests of a module. Not longer: while it is open, its event loop runs in this thread, and
    no other test could start one."""
    chromium = find_chromium()
    if chromium is None:
        pytest.skip("no Chromium: install the package chromium, or set EDGEFLEET_CHROMIUM")
    flags = [*CHROMIUM_FLAGS, *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium, args=flags)
        yield opened
        opened.close()


def _serve(speed: float) -> Iterator[str]:
    with tempfile.NamedTemporaryFile() as log:
        server = template().start(["--speed", str(speed)], log.file, os.environ, FAKE_API)
        printed = Path(log.name)
        eventually("the fake server runs", lambda: "\n" in printed.read_text() or server.poll() is not None)
        address = printed.read_text().partition("\n")[0]
        assert address.startswith("http://"), printed.read_text()
        yield address
        server.terminate()
        server.wait(60)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A fake fleet in real time. One a module: its rollout has an end, which a long run of tests would see."""
    yield from _serve(1.0)


@pytest.fixture
def fresh_address() -> Iterator[str]:
    """A fake fleet in real time that has just started: its rollout is still running."""
    yield from _serve(1.0)


@pytest.fixture(scope="module")
def fast_address() -> Iterator[str]:
    """A fake fleet with fast rollouts, which tests may change."""
    yield from _serve(FAST)


@pytest.fixture(scope="module")
def real_server(built_ui: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A real server with one device, dev-0, and one model, spotter 1.0.0. One a module: tests leave what others expect."""
    if shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin:/usr/bin") is None:
        pytest.skip("mosquitto is not installed: apt-get install mosquitto")
    server = ServerProcess(tmp_path_factory.mktemp("real") / "fleet").start()
    device = VirtualDevice("dev-0", server.mqtt_port).start()
    try:
        device.wait_online()
        assert server.push(tar(files())).status_code == 201
        yield server
    finally:
        device.stop()
        server.stop()


OpenPage = Callable[..., Page]


@pytest.fixture(scope="session")
def foreign_requests() -> Iterator[ForeignRequests]:
    """Notes what pages send to other addresses than their server's."""
    with ForeignRequests() as proxy:
        yield proxy


@pytest.fixture
def open_page(browser: Browser, foreign_requests: ForeignRequests) -> Iterator[OpenPage]:
    """Opens pages that may send requests to their own server only. Console errors fail the test at its end, except those that
    contain `expected`: a browser logs a line for every refused request and every lost connection. Workers are blocked, as
    requests that go through one are not seen by `page.route`.
    """
    contexts: list[BrowserContext] = []
    wrong: list[str] = []

    def opened(address: str, path: str = "/", expected: str = "", **options: Any) -> Page:
        chosen = {"viewport": {"width": 1440, "height": 900}, "reduced_motion": "reduce", "service_workers": "block", **options}
        chosen["proxy"] = foreign_requests.options_for(address)
        context = browser.new_context(**chosen)
        contexts.append(context)
        context.set_default_timeout(120_000)
        page = context.new_page()

        def on_console(message: ConsoleMessage) -> None:
            if message.type == "error" and not (expected and expected in message.text):
                wrong.append(f"console: {message.text}")

        page.on("console", on_console)
        page.on("pageerror", lambda error: wrong.append(f"exception: {error}"))
        page.goto(address + path)
        return page

    yield opened
    for context in contexts:
        context.close()
    wrong += [f"external request: {line}" for line in foreign_requests.seen]
    foreign_requests.seen.clear()
    assert not wrong, "\n".join(wrong)


@pytest.fixture(scope="session")
def axe() -> str:
    """The source of axe-core, the accessibility checker."""
    source = DASHBOARD.modules / "axe-core" / "axe.min.js"
    if not source.is_file():
        pytest.skip("axe-core is a developer's tool: run `python fleet_server/hatch_build.py --dev`")
    return source.read_text("utf-8")


@pytest.fixture(scope="session")
def openapi() -> dict[str, Any]:
    """The REST API's own document."""
    document: dict[str, Any] = json.loads((ROOT / "docs" / "openapi.json").read_text("utf-8"))
    return document
