"""Pages in the viewer's language, with no data, and with requests that the server refuses: on a real server."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from edgefleet_contract.wire.messages import SlotPhase
from edgefleet_contract.wire.reason_codes import Reason
from tests.fleet_server.dashboard.conftest import OpenPage
from tests.fleet_server.dashboard.test_pages import violations
from tests.fleet_server.fakes.server_process import ServerProcess, eventually, order
from tests.fleet_server.fakes.virtual_device import Behaviour, VirtualDevice

pytestmark = pytest.mark.system

WRONG_TYPE = {"nothing": True}
"""Is no value of any field."""
VALIDATOR = re.compile(r"Input should|Value error|valid (integer|string|list)|pydantic|unable to parse|_type\b|\bstr\b|\bdict\b")


def test_no_device_is_on_target_before_there_is_a_model(real_server: ServerProcess, open_page: OpenPage, axe: str) -> None:
    page = open_page(real_server.state()["url"], "/")
    card = page.get_by_role("button", name=re.compile("^On target"))
    expect(card).to_contain_text("No model yet")
    expect(card).not_to_contain_text("%")
    expect(page.get_by_role("button", name=re.compile("^Offline"))).to_contain_text("0 %")
    assert violations(page, axe) == []


def test_inputs_have_the_viewers_numbers_and_durations_a_unit(real_server: ServerProcess, open_page: OpenPage, axe: str) -> None:
    url = real_server.state()["url"]
    page = open_page(url, "/rollouts/new?package=spotter&version=1.0.0&step=strategy", locale="de-DE")
    timeout = page.get_by_role("textbox", name="Wave timeout", exact=True)
    unit = page.get_by_role("combobox", name="Unit of wave timeout")
    expect(timeout).to_have_value("1")
    expect(unit).to_have_value("h")
    timeout.fill("1,5")
    expect(timeout).to_have_value("1,5")
    unit.select_option("d")
    page.get_by_role("textbox", name="Priority").click()
    expect(timeout).to_have_value("1,5")
    page.get_by_role("switch", name="Ramp up").check()
    most = page.get_by_role("textbox", name="Max rate")
    expect(most).to_have_value("1.000")
    most.fill("2500")
    expect(most).to_have_value("2.500")
    assert violations(page, axe) == []
    page.get_by_role("button", name="Next").click()
    summary = page.get_by_role("group", name="Plan summary")
    expect(summary).to_contain_text("Wave timeout: 1 d 12 h")
    expect(summary).to_contain_text("up to 2.500 per minute")


def _fill_rule(page: Page) -> None:
    page.get_by_label("Name", exact=True).fill("hot")
    page.get_by_role("combobox", name="Condition").click()
    page.get_by_role("option", name="Metric above or below threshold").click()


def _fill_recipient(page: Page) -> None:
    page.get_by_label("Name", exact=True).fill("duty")
    page.get_by_role("combobox", name="Kind").click()
    page.get_by_role("option", name="ntfy").click()
    page.get_by_label("Topic").fill("fleet-7")


def _fill_snooze(page: Page) -> None:
    page.get_by_label("Device", exact=True).fill("dev-0")
    page.get_by_label("Reason").fill("cleaning")


def _fill_group(page: Page) -> None:
    page.get_by_label("Name", exact=True).fill("presses")
    page.get_by_role("combobox", name="Devices by ID").fill("dev-0")
    page.keyboard.press("Enter")


FORMS = {
    "rule": ("/alerts?form=rule", _fill_rule, "Create rule"),
    "recipient": ("/alerts?form=recipient", _fill_recipient, "Create recipient"),
    "snooze": ("/alerts?form=snooze", _fill_snooze, "Snooze alerts"),
    "group": ("/groups?form=group", _fill_group, "Create group"),
    "enrol": ("/enrolment?form=enrol", lambda page: None, "Create token"),
}
UNSHOWN = {
    "rule": {"/rule", "/enabled"},
    "recipient": {"/key", "/enabled", "/emails"},
    "group": {"/selector", "/selector/all", "/selector/query"},
}
"""Places in requests that no field of the form is of, or none of the chosen kind: the end of the form shows their errors."""


def _places(body: Any, at: str = "") -> list[str]:
    """Pointers to all values of a request but the empty ones of a kind that was not chosen."""
    if not isinstance(body, dict):
        return [at]
    return [*([at] if at else []), *(place for key, value in body.items() for place in _places(value, f"{at}/{key}"))]


def _with(body: Any, place: str) -> Any:
    """The request with a value at `place` that is wrong in any field."""
    copy = json.loads(json.dumps(body))
    *path, last = place[1:].split("/")
    at = copy
    for step in path:
        at = at[step]
    at[last] = WRONG_TYPE
    return copy


@pytest.mark.parametrize("form", FORMS)
def test_a_field_shows_in_plain_words_why_the_server_refuses_it(
    real_server: ServerProcess, open_page: OpenPage, axe: str, form: str
) -> None:
    """For each field of what the form sends, a wrong value goes to the server instead. Its answer is shown at a field."""
    path, fill, submit = FORMS[form]
    page = open_page(real_server.state()["url"], path, expected="status of 422", color_scheme="light")
    fill(page)
    bodies: list[Any] = []

    def spoil(route: Route) -> None:
        if route.request.method == "GET":
            route.fallback()
            return
        bodies.append(route.request.post_data_json)
        route.fallback(post_data=json.dumps(_with(bodies[-1], place)))

    page.route("**/api/v1/**", spoil)
    place = {"group": "/note", "rule": "/name", "recipient": "/name"}.get(form, "/device")
    button = page.get_by_role("button", name=submit, exact=True)
    with page.expect_response(lambda answer: answer.status == 422):
        button.click()
    dialog = page.get_by_role("dialog")
    for place in _places(bodies[0]):
        with page.expect_response(lambda answer: answer.status == 422) as answered:
            button.click()
        words = {error["detail"] for error in answered.value.json()["errors"]}
        for each in words:
            expect(dialog, place).to_contain_text(re.compile(re.escape(each), re.IGNORECASE), timeout=20_000)
        at_the_end = place in UNSHOWN.get(form, ()) or _is_of_another_kind(place)
        expect(dialog.get_by_role("alert"), place).to_have_count(int(at_the_end), timeout=10_000)
        assert not VALIDATOR.search(dialog.inner_text()), dialog.inner_text()
    assert violations(page, axe) == []


def _is_of_another_kind(place: str) -> bool:
    return place in {f"/rule/{name}" for name in ("deviations", "event_kind", "event_label", "event_rule", "pipeline")}


def test_roll_back_is_the_main_action_on_a_stopped_rollout(real_server: ServerProcess, open_page: OpenPage) -> None:
    fails = Behaviour(fate=SlotPhase.ROLLED_BACK, reason=Reason.TRIAL_CRASH, detail="the worker crashed")
    device = VirtualDevice("dev-bad", real_server.mqtt_port, fails).start()
    try:
        device.wait_online()
        eventually("the server knows it", lambda: real_server.http.get("/devices/dev-bad").is_success)
        body = order("spotter", "1.0.0", [{"name": "all"}], selector={"ids": ["dev-bad"]})
        body["gate"]["test"] = "threshold"
        rollout = real_server.post("/rollouts", body)
        page = open_page(real_server.state()["url"], f"/rollouts/{rollout['id']}")
        expect(page.get_by_test_id("rollout-state")).to_have_text("Paused")
        expect(page.get_by_role("button", name="Roll back")).to_have_attribute("data-variant", "filled")
        expect(page.get_by_role("button", name="Resume")).not_to_have_attribute("data-variant", "filled")
        page.get_by_role("button", name="Roll back").click()
        page.get_by_role("dialog").get_by_role("button", name="Roll back").click()
        expect(page.get_by_test_id("rollout-state")).to_have_text(re.compile("Roll(ing|ed) back"))
    finally:
        device.stop()
