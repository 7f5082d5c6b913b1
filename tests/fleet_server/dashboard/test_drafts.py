"""Entered values outlive a reload, Back and a slip of the hand, on a real server."""

from __future__ import annotations

import re
from contextlib import suppress

import pytest
from playwright.sync_api import Locator, Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

from tests.fleet_server.dashboard.conftest import OpenPage
from tests.fleet_server.dashboard.test_pages import violations
from tests.fleet_server.fakes.server_process import ServerProcess

pytestmark = pytest.mark.system

WIZARD = "/rollouts/new?package=spotter&version=1.0.0"
QUESTION = "Discard unsaved changes?"


def _choose_label(page: Page, label: str) -> None:
    page.get_by_role("button", name="Next").click()
    page.get_by_role("radio", name=re.compile("^By labels")).click()
    page.get_by_role("combobox", name="Labels").fill(label)
    page.keyboard.press("Enter")
    page.get_by_role("heading", level=1).click()


def _shows_label(page: Page, label: str) -> None:
    expect(page.get_by_role("radio", name=re.compile("^By labels"))).to_be_checked()
    expect(page.get_by_text(label, exact=True)).to_be_visible()


def test_a_wizard_outlives_a_reload_and_back_walks_its_steps(real_server: ServerProcess, open_page: OpenPage, axe: str) -> None:
    page = open_page(real_server.state()["url"], "/models")
    page.goto(real_server.state()["url"] + WIZARD)
    _choose_label(page, "site=lyon")
    page.get_by_role("button", name="Next").click()
    expect(page).to_have_url(re.compile("step=strategy"))
    page.get_by_role("textbox", name="Name of wave 1").fill("pilot")

    page.reload()
    expect(page.get_by_role("textbox", name="Name of wave 1")).to_have_value("pilot")
    expect(page.get_by_text("Unsaved changes restored.")).to_be_visible()
    assert violations(page, axe) == []
    page.go_back()
    _shows_label(page, "site=lyon")
    page.go_back()
    expect(page.get_by_role("combobox", name="Model")).to_have_value(re.compile("spotter"))
    page.go_forward()
    _shows_label(page, "site=lyon")

    page.get_by_role("button", name="Discard draft").click()
    expect(page.get_by_role("combobox", name="Model")).to_have_value(re.compile("spotter"))
    expect(page.get_by_role("button", name="Discard draft")).to_have_count(0)
    page.reload()
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_role("radio", name=re.compile("^All devices"))).to_be_checked()
    page.get_by_role("link", name="Models", exact=True).click()  # nothing to lose, no question
    expect(page.get_by_role("heading", level=1)).to_have_text("Models")


def test_leaving_a_wizard_needs_confirmation(real_server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(real_server.state()["url"], WIZARD)
    _choose_label(page, "site=lyon")
    page.get_by_role("link", name="Models", exact=True).click()
    page.get_by_role("dialog", name=QUESTION).get_by_role("button", name="Stay").click()
    _shows_label(page, "site=lyon")
    page.get_by_role("link", name="Models", exact=True).click()
    page.get_by_role("dialog", name=QUESTION).get_by_role("button", name="Leave").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Models")
    page.goto(real_server.state()["url"] + WIZARD)
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_role("radio", name=re.compile("^All devices"))).to_be_checked()


def test_two_tabs_have_drafts_of_their_own(real_server: ServerProcess, open_page: OpenPage) -> None:
    first = open_page(real_server.state()["url"], WIZARD)
    second = first.context.new_page()
    second.goto(real_server.state()["url"] + WIZARD)
    for page, label in ((first, "site=lyon"), (second, "site=oslo")):
        _choose_label(page, label)
    for page, label in ((first, "site=lyon"), (second, "site=oslo")):
        page.reload()
        _shows_label(page, label)
    second.get_by_role("button", name="Discard draft").click()
    first.reload()
    _shows_label(first, "site=lyon")


def test_a_link_to_another_version_starts_anew(real_server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(real_server.state()["url"], WIZARD)
    _choose_label(page, "site=lyon")
    page.goto(real_server.state()["url"] + "/rollouts/new?package=spotter&version=1.0.0&slot=second&step=devices")
    expect(page.get_by_role("radio", name=re.compile("^All devices"))).to_be_checked()


def test_a_step_without_its_draft_leads_to_what_is_missing(real_server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(real_server.state()["url"], "/rollouts/new?step=review")
    expect(page.get_by_role("combobox", name="Model")).to_be_visible()


def test_a_draft_names_what_no_longer_exists(real_server: ServerProcess, open_page: OpenPage, axe: str) -> None:
    """A model goes when a server is restored from an older backup, a group when it is deleted."""
    url = real_server.state()["url"]
    page = open_page(url, "/rollouts/new?package=spotter&version=9.9.9", expected="status of 4")  # of the preview
    expect(page.get_by_role("alert").first).to_have_text(
        "Version 9.9.9 of spotter is not in the registry. Choose another version."
    )
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_role("combobox", name="Model")).to_be_visible()
    page.goto(f"{url}/rollouts/new?package=brief&version=1.0.0&step=strategy")
    expect(page.get_by_text("Model brief is not in the registry. Choose another model.")).to_be_visible()
    expect(page.get_by_role("combobox", name="Model")).to_be_visible()

    real_server.http.put("/groups/brief", json={"selector": {"all": True}}).raise_for_status()
    page.goto(f"{url}{WIZARD}&group=brief&step=devices")
    expect(page.get_by_role("combobox", name="Group")).to_have_value(re.compile("^brief"))
    real_server.http.delete("/groups/brief").raise_for_status()
    page.reload()
    expect(page.get_by_text("Group brief no longer exists. Choose another group.")).to_be_visible()
    assert violations(page, axe) == []


def test_an_experiment_outlives_a_reload(real_server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(real_server.state()["url"], "/experiments/new")
    page.get_by_role("combobox", name="Model").click()
    page.get_by_role("option", name=re.compile("spotter")).click()
    page.get_by_role("textbox", name="Name of arm 1").fill("old")
    page.reload()
    expect(page.get_by_role("textbox", name="Name of arm 1")).to_have_value("old")
    expect(page.get_by_text("Unsaved changes restored.")).to_be_visible()


def _name(dialog: Locator) -> Locator:
    return dialog.get_by_label("Name", exact=True)


def _device(dialog: Locator) -> Locator:
    return dialog.get_by_label("Device", exact=True)


DIALOGS = {
    "rule": ("/alerts", "New rule", _name),
    "recipient": ("/alerts", "New recipient", _name),
    "snooze": ("/alerts", "Snooze", _device),
    "group": ("/groups", "New group", _name),
    "token": ("/enrolment", "Enroll device", _device),
    "setting": ("/settings", "Change Audit log", lambda dialog: dialog.get_by_role("textbox")),
}


def escape_until(question: Locator) -> None:
    """Press Escape until the question is shown: while another dialog on top closes, the key is not for the form."""
    for _ in range(30):
        question.page.keyboard.press("Escape")
        with suppress(PlaywrightTimeoutError):
            question.wait_for(timeout=1_000)
            return
    raise AssertionError("Escape is ignored")


@pytest.mark.parametrize("form", DIALOGS)
def test_a_form_outlives_a_reload_and_a_slip(real_server: ServerProcess, open_page: OpenPage, axe: str, form: str) -> None:
    path, opener, field = DIALOGS[form]
    page = open_page(real_server.state()["url"], path, color_scheme="light")
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if request.method != "GET" else None)
    page.get_by_role("button", name=re.compile(f"^{opener}")).first.click()
    dialog = page.get_by_role("dialog").first
    before = field(dialog).input_value()
    field(dialog).fill("17")
    expected = field(dialog).input_value()
    page.reload()
    expect(field(dialog)).to_have_value(expected)
    expect(dialog.get_by_text("Unsaved changes restored.")).to_be_visible()
    assert violations(page, axe) == []

    question = page.get_by_role("dialog", name=QUESTION)
    escape_until(question)
    question.get_by_role("button", name="Stay").click()
    expect(question).to_have_count(0)
    expect(field(dialog)).to_have_value(expected)
    escape_until(question)
    question.get_by_role("button", name="Leave").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("button", name=re.compile(f"^{opener}")).first.click()
    expect(field(dialog)).to_have_value(before)
    dialog.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert sent == []


def test_secrets_are_not_stored(real_server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(real_server.state()["url"], "/alerts?form=recipient")
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("combobox", name="Kind").click()
    page.get_by_role("option", name="ntfy").click()
    dialog.get_by_label("Topic").fill("fleet-7")
    dialog.get_by_label("Access token").fill("tk_s3cret")
    stored = page.evaluate("JSON.stringify(sessionStorage)")
    assert "fleet-7" in stored
    assert "tk_s3cret" not in stored
    page.reload()
    expect(dialog.get_by_label("Topic")).to_have_value("fleet-7")
    expect(dialog.get_by_label("Access token")).to_have_value("")
