"""First use of the dashboard by an operator: server, broker, browser, device and models are real."""

from __future__ import annotations

import io
import re
import shlex
import tarfile
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from edgefleet_server.simulate.conveyor import site
from edgefleet_server.simulate.conveyor.video import SiteCamera
from tests.fleet_server.dashboard.conftest import OpenPage
from tests.system.site import Deployment

pytestmark = [pytest.mark.system, pytest.mark.timeout(600)]

PATIENCE_MS = 120_000
PASSWORD = "a long enough secret"


def _archive(folder: Path, changed: dict[str, bytes]) -> bytes:
    """A package as a .tar, with some files' bytes in place of what the folder has."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        for path in sorted(folder.rglob("*")):
            if not path.is_file():
                continue
            name = path.relative_to(folder).as_posix()
            content = changed.get(name, path.read_bytes())
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content))
    return buffer.getvalue()


def _set_up(page: Page, deployment: Deployment) -> None:
    code = re.findall(r"/setup, code ([A-Z2-9-]{14})", deployment.last_words())[-1]
    page.get_by_role("link", name="Set up sign-in").click()
    page.get_by_label("Setup code").fill(code)
    page.get_by_label(re.compile("^Password")).first.fill(PASSWORD)
    page.get_by_role("button", name="Create admin account").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Users")


def _enrol(page: Page, deployment: Deployment, files: site.AgentFiles) -> None:
    """Enrol with the command that the page shows."""
    page.get_by_role("link", name="Enrollment").click()
    page.get_by_role("button", name="Enroll device").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Device", exact=True).fill(files.device)
    dialog.get_by_role("button", name="Create token").click()
    echo, token, pipe, program, *command = shlex.split(dialog.get_by_test_id("secret").inner_text())
    assert (echo, pipe, program) == ("echo", "|", "edgefleet-agent")
    dialog.get_by_role("button", name="Done").click()
    deployment.typed("edgefleet_agent", *command, "--config", str(files.config), given=token)
    deployment.start_known_agent(files)


def _push(page: Page, name: str, content: bytes) -> None:
    """Push a package and open the wizard with it."""
    page.get_by_role("link", name="Models", exact=True).click()
    page.get_by_role("button", name="Push model").first.click()  # an empty page has a second one
    dialog = page.get_by_role("dialog")
    package = {"name": f"{name}.tar", "mimeType": "application/x-tar", "buffer": content}
    dialog.locator("input[type=file]").set_input_files(package)  # type: ignore[arg-type]  # a FilePayload
    expect(dialog).to_contain_text("was pushed to the registry", timeout=PATIENCE_MS)
    page.get_by_role("link", name="Roll out").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("New rollout")


def _start(page: Page) -> None:
    """Complete the wizard with the fast template for all devices."""
    page.get_by_role("button", name="Next").click()
    page.get_by_role("button", name="Next").click()
    page.get_by_role("radio", name=re.compile("Fast")).click()
    page.get_by_role("combobox", name="Unit of soak time").select_option("s")
    page.get_by_role("textbox", name="Soak time").fill("1")
    page.get_by_role("textbox", name="Shadow before the trial").fill("0")
    expect(page.get_by_label("Devices by wave")).to_be_visible()
    page.get_by_role("button", name="Next").click()
    page.get_by_role("button", name=re.compile(r"Start on \d+ devices?")).click()
    expect(page).to_have_url(re.compile(r"/rollouts/\d+$"))


def test_an_operators_first_day(deployment: Deployment, cameras: list[SiteCamera], open_page: OpenPage) -> None:
    page = open_page(deployment.url, "/", expected="status of 40")  # requests before sign-in are refused
    expect(page.get_by_text("No device", exact=False).first).to_be_visible()
    _set_up(page, deployment)
    files = site.write_agent(
        deployment.folder / "agents",
        device="press-1",
        pipeline=site.conveyor_pipeline(cameras[0].video),
        factory=site.model_folder(site.FIRST),
        broker_url="",
        labels={},
    )
    _enrol(page, deployment, files)

    page.get_by_role("link", name=re.compile("^Fleet")).click()
    page.get_by_role("table", name="Devices").get_by_role("link", name="press-1").click(timeout=PATIENCE_MS)
    expect(page.get_by_text("Connected", exact=True)).to_be_visible(timeout=PATIENCE_MS)
    expect(page.get_by_test_id("chart-Frames/s").locator("b").first).not_to_have_text("–", timeout=PATIENCE_MS)
    expect(page.get_by_role("main")).to_contain_text(f"{site.MODEL} {site.FIRST}")

    good = site.model_folder(site.SECOND)
    _push(page, "good", _archive(good, {}))
    _start(page)
    expect(page.get_by_test_id("rollout-state")).to_have_text("Completed", timeout=PATIENCE_MS)

    manifest = (good / "model.toml").read_text(encoding="utf-8").replace(f'version = "{site.SECOND}"', 'version = "1.2.0"')
    swapped = {"model.toml": manifest.encode(), "golden/1.json": (good / "golden/2.json").read_bytes()}
    _push(page, "bad", _archive(good, swapped))
    _start(page)
    expect(page.get_by_test_id("rollout-state")).to_have_text("Paused", timeout=PATIENCE_MS)
    expect(page.get_by_role("alert")).to_contain_text("Stopped by the gate of wave canary")
    page.get_by_role("button", name="Roll back").click()
    page.get_by_role("dialog").get_by_role("button", name=re.compile("^Roll back")).click()
    expect(page.get_by_test_id("rollout-state")).to_have_text("Rolled back", timeout=PATIENCE_MS)

    page.goto(f"{deployment.url}/devices/press-1?tab=about")
    expect(page.get_by_text("Connected", exact=True)).to_be_visible()
    page.get_by_role("button", name="Block device").click()
    page.get_by_role("dialog").get_by_role("button", name="Block device").click()
    expect(page.get_by_role("button", name=re.compile("^Unblock"))).to_be_visible()
    expect(page.get_by_text("Connected", exact=True)).to_have_count(0, timeout=PATIENCE_MS)
