"""A device is invited on the page, enrols with the command that the page shows, and is seen there."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.fleet_server.dashboard.conftest import OpenPage
from tests.fleet_server.dashboard.test_pages import violations
from tests.fleet_server.dashboard.test_people_journeys import PASSWORD, sign_in
from tests.fleet_server.fakes.server_process import ServerProcess
from tests.fleet_server.fakes.trust_metadata import request as certificate_request
from tests.import_path import import_path

pytestmark = pytest.mark.system

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(params=[False, True], ids=["http", "own certificate"])
def secured(request: pytest.FixtureRequest) -> bool:
    """Whether the server has a certificate of its own authority."""
    return bool(request.param)


@pytest.fixture
def server(built_ui: Path, tmp_path: Path, secured: bool) -> Iterator[ServerProcess]:
    """A server that stays until the pages are closed."""
    if shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin:/usr/bin") is None:
        pytest.skip("mosquitto is not installed: apt-get install mosquitto")
    started = ServerProcess(tmp_path / "fleet", *(["--tls-self-signed"] if secured else [])).start()
    yield started
    started.stop()


def test_from_the_page_to_a_certificate(
    server: ServerProcess, secured: bool, tmp_path: Path, open_page: OpenPage, axe: str
) -> None:
    page = open_page(server.state()["url"], "/enrolment", color_scheme="light", ignore_https_errors=True)
    expect(page.get_by_text("No enrollment tokens yet")).to_be_visible()
    page.get_by_role("button", name="Enroll device").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Device", exact=True).fill("line-7")
    labels = dialog.get_by_role("combobox", name="Labels")
    labels.fill("nonsense")
    labels.press("Enter")
    expect(dialog.get_by_text("nonsense is not of the form")).to_be_visible()
    expect(dialog.get_by_role("button", name="Create token")).to_be_disabled()
    labels.press("Backspace")
    labels.fill("site=lyon")
    labels.press("Enter")
    dialog.get_by_role("button", name="Create token").click()
    token, pipe, command = dialog.get_by_test_id("secret").inner_text().partition(" | edgefleet-agent ")
    assert (token.startswith("echo t"), pipe != "", "--ca-sha256" in command) == (True, True, secured)
    assert shlex.split(command)[:2] == ["enroll", server.state()["enrolment"]["url"]]
    expect(dialog.get_by_test_id("warning")).to_contain_text("for devices on this machine only")
    expect(dialog.get_by_text("accepts only a server whose certificate authority")).to_have_count(int(secured))
    if secured:
        expect(dialog).to_contain_text(server.state()["enrolment"]["ca_sha256"])
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert violations(page, axe) == []
    dialog.get_by_role("button", name="Done").click()
    row = page.get_by_role("table", name="Enrollment tokens").get_by_role("row", name=re.compile("line-7"))
    expect(row).to_contain_text("site=lyon")
    expect(row).to_contain_text("Valid for")

    here = ["--config", str(tmp_path / "agent.toml"), "--state", str(tmp_path / "state")]
    environment = {**os.environ, "PYTHONPATH": import_path()}
    enrolled = subprocess.run(
        [sys.executable, "-m", "edgefleet_agent", *shlex.split(command), *here],
        cwd=ROOT,
        env=environment,
        input=token.removeprefix("echo ") + "\n",
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert enrolled.returncode == 0, enrolled.stderr
    expect(row).to_contain_text("Used", timeout=120_000)
    expect(row.get_by_role("button", name=re.compile("Revoke"))).to_have_count(0)

    page.get_by_role("button", name="Enroll device").click()
    page.get_by_role("button", name="Create token").click()
    page.get_by_role("button", name="Done").click()
    page.get_by_role("button", name=re.compile("^Revoke")).click()
    expect(page.get_by_role("table", name="Enrollment tokens")).to_contain_text("Revoked")


@pytest.mark.parametrize("secured", [False])
def test_devices_of_one_image_are_approved(server: ServerProcess, open_page: OpenPage, axe: str) -> None:
    page = open_page(server.state()["url"], "/enrolment", color_scheme="light", ignore_https_errors=True)
    page.get_by_role("button", name="Enroll device").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Number of devices").fill("3")
    dialog.get_by_label("waits for approval").check()
    dialog.get_by_role("button", name="Create token").click()
    token = dialog.get_by_test_id("secret").inner_text().partition(" | ")[0].removeprefix("echo ")
    dialog.get_by_role("button", name="Done").click()
    for device in ("cam-1", "cam-2", "cam-3"):
        server.post("/enrol", {"token": token, "device": device, "request": certificate_request(device)})
    waiting = page.get_by_role("table", name="Devices that wait for approval")
    expect(waiting.get_by_role("row", name=re.compile("cam-2"))).to_contain_text("Waiting", timeout=60_000)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert violations(page, axe) == []
    page.get_by_role("button", name="Deny cam-3").click()
    expect(waiting.get_by_role("row", name=re.compile("cam-3"))).to_contain_text("Denied")
    page.get_by_role("button", name="Approve all 2").click()
    for device in ("cam-1", "cam-2"):
        expect(waiting.get_by_role("row", name=re.compile(device))).to_contain_text("Approved")
    tokens = page.get_by_role("table", name="Enrollment tokens")
    expect(tokens.get_by_role("row", name=re.compile("3 devices"))).to_contain_text("0 enrolled")


def test_an_address_that_devices_cannot_reach_is_shown_on_every_page(
    built_ui: Path, tmp_path: Path, open_page: OpenPage, axe: str
) -> None:
    """The server listens for others, and would send their devices to loopback."""
    environment = {**os.environ, "PYTHONPATH": import_path(), "EDGEFLEET_DATA": str(tmp_path / "fleet")}
    command = [sys.executable, "-m", "edgefleet_server", "user", "add", "ada", "--role", "admin", "--password-stdin"]
    subprocess.run(command, cwd=ROOT, env=environment, input=PASSWORD, text=True, check=True, timeout=120)
    server = ServerProcess(tmp_path / "fleet", "--tls-self-signed", "--host", "0.0.0.0").start()
    try:
        url = server.state()["enrolment"]["url"]
        page = open_page(url, "/enrolment", color_scheme="light", ignore_https_errors=True, expected="401")
        sign_in(page, "ada")
        banner = page.get_by_role("alert")
        expect(banner).to_contain_text("devices on other machines would be sent to 127.0.0.1")
        expect(banner).to_contain_text("--device-host NAME")
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            assert violations(page, axe) == []
        page.close()  # it would try to connect again
    finally:
        server.stop()
