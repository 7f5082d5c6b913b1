"""A user reviews what a program proposes, on a real server: sees the difference, approves one change, rejects another."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.fleet_server.auth.conftest import PASSWORD
from tests.fleet_server.dashboard.conftest import OpenPage
from tests.fleet_server.dashboard.test_pages import violations
from tests.fleet_server.fakes.proposing_fleet import ProposingFleet, started_fleet

pytestmark = pytest.mark.system


@pytest.fixture
def fleet(built_ui: Path, tmp_path: Path) -> Iterator[ProposingFleet]:
    if shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin:/usr/bin") is None:
        pytest.skip("mosquitto is not installed: apt-get install mosquitto")
    with started_fleet(tmp_path / "fleet") as made:
        yield made


def test_a_user_decides(fleet: ProposingFleet, open_page: OpenPage, axe: str) -> None:
    token = fleet.token("line-planner", ["propose"])
    for row in fleet.ada.get("/proposals", params={"state": "pending"}).json()["items"]:
        fleet.ada.post(f"/proposals/{row['id']}/reject", json={"reason": "of the recorded run"})
    token.put("/groups/north", json={"selector": {"labels": {"site": "north"}}, "note": "<b>new</b> note"})
    token.patch("/devices/press-00", json={"labels": {"site": "south"}}, headers={"edgefleet-note": "moved%20on%20Monday"})
    page = open_page(fleet.address, "/", expected="401")
    page.get_by_label("Username").fill("ada")
    page.get_by_role("textbox", name="Password").fill(f"{PASSWORD} more")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_label("2 proposals wait for a decision")).to_be_visible()
    page.get_by_role("link", name="Proposals").click()
    table = page.get_by_role("table", name="Proposals")
    expect(table).to_contain_text("moved on Monday")
    table.get_by_role("row", name="Set the labels of a device").get_by_role("button", name="Review").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("table", name="Changes")).to_contain_text('"site":"north"')
    expect(dialog.get_by_role("table", name="Changes")).to_contain_text('"site":"south"')
    expect(dialog).to_contain_text("it would be accepted now")
    expect(dialog.get_by_role("button", name="Reject")).to_be_disabled()
    assert violations(page, axe) == []
    dialog.get_by_role("button", name="Approve and run").click()
    expect(dialog).to_have_count(0)
    expect(page.get_by_label("1 proposals wait for a decision")).to_be_visible()
    assert fleet.ada.get("/devices/press-00").json()["labels"] == {"site": "south"}
    table.get_by_role("row", name="Create or change a group").get_by_role("button", name="Review").click()
    page.get_by_label("Reason").fill("not before Monday")
    page.get_by_role("button", name="Reject").click()
    expect(page.get_by_text("No pending proposals")).to_be_visible()
    page.get_by_text("All", exact=True).click()
    expect(page.get_by_role("table", name="Proposals")).to_contain_text("Rejected")
    assert token.get("/proposals").json()["items"][1]["reason"] == "not before Monday"
