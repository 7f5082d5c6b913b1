"""Users of the dashboard of a real server: set-up, sign-in, administration, and the limits of a viewer."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect

from edgefleet_contract.wire.messages import Stream
from tests.fleet_server.auth.conftest import PASSWORD, setup_code
from tests.fleet_server.dashboard.conftest import OpenPage
from tests.fleet_server.dashboard.test_pages import violations
from tests.fleet_server.fakes.packages import files, tar
from tests.fleet_server.fakes.server_process import ServerProcess
from tests.fleet_server.fakes.virtual_device import VirtualDevice, event

pytestmark = pytest.mark.system


@pytest.fixture
def guarded(built_ui: Path, tmp_path: Path) -> Iterator[ServerProcess]:
    """A server with one device and one model, open still."""
    if shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin:/usr/bin") is None:
        pytest.skip("mosquitto is not installed: apt-get install mosquitto")
    server = ServerProcess(tmp_path / "fleet").start()
    device = VirtualDevice("dev-0", server.mqtt_port).start()
    try:
        device.wait_online()
        device.record(Stream.EVENTS, event(1))
        assert server.push(tar(files())).status_code == 201
        yield server
    finally:
        device.stop()
        server.stop()


def fill(page: Page | Locator, **fields: str) -> None:
    for label, text in fields.items():
        page.get_by_label(re.compile(f"^{label.replace('_', '.')}")).first.fill(text)


def sign_in(page: Page, name: str, password: str = PASSWORD) -> None:
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in")
    fill(page, Username=name, Password=password)
    page.get_by_role("button", name="Sign in").click()


def test_from_set_up_to_a_read_only_viewer(guarded: ServerProcess, open_page: OpenPage, axe: str) -> None:
    """The whole way: the code, the first administrator, a viewer, a token, the log; then the viewer at another browser."""
    url = guarded.state()["url"]
    page = open_page(url, "/", expected="status of 40")
    expect(page.get_by_role("heading", level=1)).to_have_text("Fleet")
    page.get_by_role("link", name="Set up sign-in").click()
    fill(page, Setup_code="AAAA-BBBB-CCCC", Password=PASSWORD)
    page.get_by_role("button", name="Create admin account").click()
    expect(page.get_by_role("alert")).to_contain_text("wrong setup code")
    assert violations(page, axe) == []
    fill(page, Setup_code=setup_code(guarded))
    page.get_by_role("button", name="Create admin account").click()

    expect(page.get_by_role("heading", level=1)).to_have_text("Users")
    expect(page.get_by_role("row", name=re.compile("admin"))).to_contain_text("(you)")
    page.get_by_role("button", name="Add user").click()
    fill(page.get_by_role("dialog"), Username="vera", Password=PASSWORD)
    page.get_by_role("combobox", name="Role 1", exact=True).click()
    page.get_by_role("option", name=re.compile("^Viewer")).click()
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_role("row", name=re.compile("vera"))).to_contain_text("Signed out")
    assert violations(page, axe) == []

    page.get_by_role("button", name="Account: admin").click()
    page.get_by_role("menuitem", name="API tokens").click()
    page.get_by_role("button", name="New token").click()
    page.get_by_label("Name").fill("nightly-report")
    page.get_by_role("button", name="Create token").click()
    secret = page.get_by_test_id("secret").inner_text().strip()
    page.get_by_role("button", name="Done").click()
    expect(page.get_by_role("table", name="API tokens")).to_contain_text("nightly-report")
    token = httpx.get(f"{url}/api/v1/devices", headers={"Authorization": f"Bearer {secret}"})
    assert token.json()["total"] == 1

    other = open_page(url, "/models/spotter/1.0.0", expected="status of 40")
    sign_in(other, "vera", "not the password")
    expect(other.get_by_role("alert")).to_have_text("wrong user name or password")
    assert violations(other, axe) == []
    sign_in(other, "vera")
    expect(other.get_by_role("heading", level=1)).to_contain_text("1.0.0")
    for path, title in (
        ("/models/spotter/1.0.0", "1.0.0"),
        ("/models", "Models"),
        ("/devices/dev-0", "dev-0"),
        ("/rollouts", "Rollouts"),
    ):
        other.goto(url + path)
        expect(other.get_by_role("heading", level=1)).to_contain_text(title)
        expect(other.get_by_test_id("connection-state")).to_have_text("Live")
        for name in ("Roll out", "Push model", "Labels", "Commands", "New rollout"):
            expect(
                other.get_by_role("button", name=name, exact=True).or_(other.get_by_role("link", name=name, exact=True))
            ).to_have_count(0)
    expect(other.get_by_role("link", name="Users")).to_have_count(0)
    other.goto(f"{url}/rollouts/new")
    expect(other.get_by_text("Only operators can start rollouts")).to_be_visible()

    page.get_by_role("link", name="Audit log").click()
    log = page.get_by_role("table", name="Audit log")
    expect(log).to_contain_text("create api token")
    expect(log.get_by_role("row", name=re.compile("vera.*sign in")).first).to_be_visible()
    page.get_by_role("button", name="Verify integrity").click()
    expect(page.get_by_text(re.compile(r"Verified: \d+ entries"))).to_be_visible()
    assert violations(page, axe) == []

    page.get_by_role("link", name="Users").click()
    page.get_by_role("button", name="Actions for vera").click()
    page.get_by_role("menuitem", name="Disable").click()
    expect(page.get_by_role("row", name=re.compile("vera"))).to_contain_text("Disabled")
    other.goto(f"{url}/models")
    expect(other.get_by_role("heading", level=1)).to_have_text("Sign in")
    page.get_by_role("button", name="Account: admin").click()
    page.get_by_role("menuitem", name="Sign out").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in")


UNSAFE = (
    "Roll out", "New rollout", "Push model", "Labels", "Commands", "Manage", "Block device", "Pause", "Resume", "Abort",
    "Roll back", "New group", "New rule", "Acknowledge",
)  # fmt: skip


def named(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True).or_(page.get_by_role("link", name=name, exact=True))


def test_a_viewer_can_do_nothing_unsafe_and_an_operator_blocks_a_device(
    guarded: ServerProcess, open_page: OpenPage, axe: str
) -> None:
    """No button, and no way around the missing button; then an operator takes the device's identity away."""
    url = guarded.state()["url"]
    code = {"code": setup_code(guarded), "name": "admin", "password": PASSWORD}
    with httpx.Client(base_url=f"{url}/api/v1") as admin:
        assert admin.post("/setup", json=code).status_code in (200, 201)
        for name, role in (("vera", "viewer"), ("otto", "operator")):
            assert admin.post("/users", json={"name": name, "role": role, "password": PASSWORD}).status_code == 201

    page = open_page(url, "/", expected="status of 40")
    sign_in(page, "vera")
    expect(page.get_by_text("You are signed in as viewer")).to_be_visible()
    for path, title in (
        ("/", "Fleet"),
        ("/devices/dev-0?tab=about", "dev-0"),
        ("/groups", "Groups"),
        ("/alerts", "Alerts"),
        ("/events", "Events"),
    ):
        page.goto(url + path)
        expect(page.get_by_role("heading", level=1)).to_have_text(title)
        expect(page.get_by_test_id("connection-state")).to_have_text("Live")
        expect(page.get_by_role("status", name="Loading")).to_have_count(0)
        for name in UNSAFE:
            expect(named(page, name)).to_have_count(0)
        expect(page.get_by_role("checkbox")).to_have_count(0)
    page.get_by_role("table", name="Events").locator("tbody tr").click()
    expect(page.get_by_text("Only operators can mark events")).to_be_visible()
    page.keyboard.press("s")
    expect(page.get_by_role("dialog").get_by_text("Unseen", exact=True)).to_be_visible()
    page.goto(f"{url}/groups")
    expect(page.get_by_text("Only operators of all devices can create groups")).to_be_visible()
    for path in ("/settings", "/certificates"):
        page.goto(url + path)
        expect(page.get_by_text(re.compile("^Only administrators can view"))).to_be_visible()
        assert violations(page, axe) == []
    refused = page.evaluate(
        "fetch('/api/v1/devices/dev-0/block', {method: 'PUT', headers: {'content-type': 'application/json'}, body: '{}'})"
        ".then(answer => answer.status)"
    )
    assert refused == 403

    other = open_page(url, "/devices/dev-0?tab=about", expected="status of 40")
    sign_in(other, "otto")
    expect(other.get_by_text("You are signed in as viewer")).to_have_count(0)
    other.get_by_role("button", name="Block device").click()
    dialog = other.get_by_role("dialog")
    expect(dialog).to_contain_text("Its certificates are revoked")
    dialog.get_by_label("Reason").fill("stolen")
    dialog.get_by_role("button", name="Block device").click()
    expect(other.get_by_text("Blocked", exact=True)).to_be_visible()
    page.goto(f"{url}/devices/dev-0?tab=about")
    expect(page.get_by_text("stolen", exact=True)).to_be_visible()
    expect(page.get_by_text("Only operators can block and unblock devices")).to_be_visible()
