"""Pictures of every page of the dashboard, light and dark, and the page that shows them:

    python -m tests.fleet_server.dashboard.screenshots [NAME ...]

Writes docs/images/NAME-light.webp and -dark.webp (all, or those of the names given) and docs/pictures.md. The fleet's pages are
of a seeded fake fleet, people's of a real server that this starts. The dashboard must be built (`make ui`).
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import httpx
import numpy as np
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.fleet_server.auth.conftest import PASSWORD, setup_code
from tests.fleet_server.dashboard.conftest import CHROMIUM_FLAGS, ROOT, find_chromium
from tests.fleet_server.fakes.server_process import ServerProcess

IMAGES: Final = ROOT / "docs" / "images"
GALLERY: Final = ROOT / "docs" / "pictures.md"
BYTES_MAX: Final = 200_000
LOSSLESS: Final = 101
PHOTOGRAPH: Final = 90
SCHEMES: Final = ("light", "dark")
DESKTOP: Final = (1440, 900)
TALL: Final = (1440, 1300)
PHONE: Final = (390, 844)
STRIP: Final = (1200, 460)  # photographs make large files


@dataclass(frozen=True)
class Picture:
    """One page in one state: its file's name, what it shows, where it is."""

    name: str
    shows: str
    path: str
    size: tuple[int, int] = DESKTOP
    ready: Callable[[Page], None] | None = None


def _charts(page: Page) -> None:
    expect(page.get_by_test_id("chart-Frames/s")).not_to_have_attribute("data-points", "0")


def _map(page: Page) -> None:
    expect(page.locator("[data-place]")).not_to_have_count(0)
    page.wait_for_timeout(4_000)  # the coasts are drawn by the processor here


def _video(page: Page) -> None:
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_text("Live ·").first).to_be_visible()


def _wall(page: Page) -> None:
    expect(page.get_by_text("Live ·")).to_have_count(2)


def _third_step(page: Page) -> None:
    page.get_by_role("button", name="Next").click()
    page.get_by_role("button", name="Next").click()
    page.get_by_role("radio", name=re.compile("Careful")).click()
    expect(page.get_by_label("Devices by wave")).to_be_visible()


FLEET: Final = (
    Picture("fleet", "The fleet while a rollout runs", "/"),
    Picture("fleet-phone", "The fleet on a phone", "/", PHONE),
    Picture("map", "Sites on the map", "/?view=map", TALL, _map),
    Picture("device", "A device, live", "/devices/osaka-press2-cam02", ready=_charts),
    Picture("device-live", "Live video of its camera", "/devices/bremen-press1-cam01?tab=live", ready=_video),
    Picture("wall", "A wall of cameras", "/wall?camera=bremen-press1-cam01/camera&camera=bremen-press2-cam01/camera", STRIP,
            _wall),
    Picture("device-history", "Its figures over a day, with updates", "/devices/bremen-press1-cam01?tab=history&period=24h"),
    Picture("compare", "Devices compared", "/compare?device=bremen-press1-cam01&device=bremen-press2-cam01&figure=fps&range=7d"),
    Picture("device-pipelines", "Its pipelines", "/devices/bremen-press1-cam01?tab=pipelines"),
    Picture("device-drawing", "A line is drawn on its own picture", "/devices/bremen-press1-cam01?tab=pipelines&pipeline=camera",
            TALL),
    Picture("device-updates", "Its updates, with reasons", "/devices/bremen-press1-cam01?tab=updates"),
    Picture("device-events", "Its events", "/devices/bremen-press1-cam01?tab=events", STRIP),
    Picture("device-about", "What it is", "/devices/bremen-press1-cam01?tab=about"),
    Picture("models", "Models", "/models"),
    Picture("model", "A version: variants against the fleet's hardware", "/models/parts-detector/1.2.0"),
    Picture("components", "Components and the devices that have them", "/components"),
    Picture("pipelines", "Pipelines", "/pipelines"),
    Picture("pipeline", "What a version of a pipeline changes", "/pipelines/belt?against=1.0.0"),
    Picture("rollouts", "Rollouts", "/rollouts"),
    Picture("wizard", "A rollout is planned: the forecast beside the plan", "/rollouts/new?package=parts-detector&version=1.2.0",
            ready=_third_step),
    Picture("rollout", "A rollout in its second wave", "/rollouts/3"),
    Picture("stopped", "A rollout that stopped itself", "/rollouts/2"),
    Picture("shadow", "A candidate beside what runs", "/rollouts/4"),
    Picture("experiments", "Experiments", "/experiments"),
    Picture("experiment-new", "An experiment is planned", "/experiments/new"),
    Picture("experiment", "Two versions with confidence intervals", "/experiments/1"),
    Picture("events", "Events of the fleet", "/events"),
    Picture("alerts", "Alerts and their rules", "/alerts"),
    Picture("groups", "Groups", "/groups"),
    Picture("proposals", "Changes that programs propose", "/proposals"),
    Picture("certificates", "Certificates and signatures", "/certificates"),
    Picture("settings", "Settings", "/settings"),
)  # fmt: skip
STRANGER: Final = (Picture("set-up", "The first administrator", "/setup"),)
ADMINISTRATOR: Final = (
    Picture("people", "People and their roles", "/people"),
    Picture("tokens", "API tokens", "/tokens"),
    Picture("enrolment", "Devices are invited", "/enrolment"),
    Picture("audit", "The audit log", "/audit"),
)
SIGN_IN: Final = (Picture("sign-in", "Sign-in", "/"),)
EVERY: Final = (*FLEET, *STRANGER, *ADMINISTRATOR, *SIGN_IN)


@dataclass(frozen=True)
class Camera:
    """A browser, and the names of the pictures to take (all if empty)."""

    browser: Browser
    names: frozenset[str]

    def take(self, pictures: tuple[Picture, ...], address: str, cookies: httpx.Cookies | None = None) -> None:
        """Take both schemes of each picture at that server.

        Raises:
            SystemExit: A picture is too big for the repository.
        """
        for picture in pictures:
            for scheme in SCHEMES:
                if not self.names or picture.name in self.names:
                    _keep(f"{picture.name}-{scheme}", self._shoot(picture, scheme, address, cookies))

    def _shoot(self, picture: Picture, scheme: str, address: str, cookies: httpx.Cookies | None) -> bytes:
        width, height = picture.size
        context = self.browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if scheme == "dark" else "light",
            locale="en-GB",
            reduced_motion="reduce",
        )
        for cookie in cookies.jar if cookies is not None else ():
            context.add_cookies([{"name": cookie.name, "value": str(cookie.value), "url": address}])
        page = context.new_page()
        page.goto(address + picture.path)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        expect(page.get_by_role("status", name="Loading")).to_have_count(0)
        if picture in FLEET:
            expect(page.get_by_test_id("connection-state")).to_have_text("Live")
        if picture.ready is not None:
            picture.ready(page)
        page.wait_for_timeout(1_500)  # a few messages of the stream, so that nothing is caught in a transition
        shot = page.screenshot()
        context.close()
        return shot


def _keep(name: str, shot: bytes) -> None:
    """Without loss, a third of the PNG's size; where a photograph makes that too big, with a little."""
    pixels = cv2.imdecode(np.frombuffer(shot, np.uint8), cv2.IMREAD_COLOR)
    for quality in (LOSSLESS, PHOTOGRAPH):
        _, packed = cv2.imencode(".webp", pixels, [cv2.IMWRITE_WEBP_QUALITY, quality])
        if packed.nbytes <= BYTES_MAX:
            (IMAGES / f"{name}.webp").write_bytes(packed.tobytes())
            print(f"{name}  {packed.nbytes / 1e3:.0f} kB", flush=True)
            return
    raise SystemExit(f"{name} has {packed.nbytes} bytes; the limit is {BYTES_MAX}")


def _take_fleet(camera: Camera) -> None:
    command = [sys.executable, "-m", "tests.fleet_server.dashboard.fake_api"]
    server = subprocess.Popen(command, cwd=Path(ROOT), stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    try:
        camera.take(FLEET, server.stdout.readline().strip())
    finally:
        server.terminate()
        server.wait(10)


def _take_people(camera: Camera, folder: Path) -> None:
    server = ServerProcess(folder / "fleet").start()
    try:
        url = server.state()["url"]
        camera.take(STRANGER, url)
        with httpx.Client(base_url=f"{url}/api/v1", timeout=30.0) as admin:
            _fill(admin, setup_code(server))
            camera.take(ADMINISTRATOR, url, admin.cookies)
        camera.take(SIGN_IN, url)
    finally:
        server.stop()


def _fill(admin: httpx.Client, code: str) -> None:
    """People, tokens and invitations, so that the pages have something to show."""
    posts = [
        ("/setup", {"code": code, "name": "admin", "password": PASSWORD}),
        *(
            ("/users", {"name": name, "role": role, "password": PASSWORD})
            for name, role in (("day-shift", "operator"), ("night-shift", "operator"), ("hall-screen", "viewer"))
        ),
        ("/api-tokens", {"name": "nightly-report", "role": "viewer", "expires_s": 90 * 86400}),
        ("/api-tokens", {"name": "build-pipeline", "role": "operator", "expires_s": 30 * 86400}),
        ("/enrolment-tokens", {"device": "lyon-press3-cam01", "labels": {"site": "lyon", "ring": "main"}}),
        ("/enrolment-tokens", {"device": "lyon-press3-cam02", "labels": {"site": "lyon", "ring": "canary"}}),
    ]
    for path, body in posts:
        answer = admin.post(path, json=body)
        if answer.status_code >= 300:
            raise SystemExit(f"{path}: {answer.text}")


def gallery() -> str:
    """The page that shows them all, as Markdown."""
    rows = [
        f"## {each.shows}\n\n`{each.path}`\n\n"
        + " ".join(f"![{each.shows}, {scheme}](images/{each.name}-{scheme}.webp)" for scheme in SCHEMES)
        for each in EVERY
    ]
    head = "Of seeded data, light and dark; `python -m tests.fleet_server.dashboard.screenshots` makes them."
    return "\n\n".join(["# Pictures of every page", head, *rows]) + "\n"


def main() -> None:
    """Start what is to be seen and a browser, take the pictures, write the page."""
    chosen = frozenset(sys.argv[1:])
    if unknown := chosen - {each.name for each in EVERY}:
        raise SystemExit(f"no such picture: {', '.join(sorted(unknown))}; there are {', '.join(each.name for each in EVERY)}")
    chromium = find_chromium()
    if chromium is None:
        raise SystemExit("no Chromium: install the package chromium, or set EDGEFLEET_CHROMIUM")
    IMAGES.mkdir(parents=True, exist_ok=True)
    flags = [*CHROMIUM_FLAGS, *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    with ExitStack() as undo:
        folder = Path(undo.enter_context(tempfile.TemporaryDirectory()))
        playwright = undo.enter_context(sync_playwright())
        camera = Camera(playwright.chromium.launch(executable_path=chromium, args=flags), chosen)
        _take_fleet(camera)
        _take_people(camera, folder)
    GALLERY.write_text(gallery())


if __name__ == "__main__":
    main()
