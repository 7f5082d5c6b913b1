"""End-to-end journeys of operators."""

from __future__ import annotations

import io
import re
import tarfile
import time

import httpx
from playwright.sync_api import Page, expect

from tests.fleet_server.dashboard.conftest import OpenPage
from tests.fleet_server.dashboard.fake_stream import RESTARTING
from tests.fleet_server.dashboard.test_pages import violations


def points(page: Page, chart: str) -> int:
    """The number of points of a live chart."""
    return int(page.get_by_test_id(f"chart-{chart}").get_attribute("data-points") or 0)


def test_from_the_fleet_to_a_device_whose_charts_move(open_page: OpenPage, address: str) -> None:
    page = open_page(address)
    page.get_by_role("textbox", name="Search devices").fill("bremen-press1-cam01")
    expect(page.get_by_text("1–1 of 1 devices")).to_be_visible()
    page.get_by_role("link", name="bremen-press1-cam01").click()
    expect(page.get_by_text("Connected", exact=True)).to_be_visible()
    chart = page.get_by_test_id("chart-Frames/s")
    expect(chart).not_to_have_attribute("data-points", "0")
    before = points(page, "Frames/s")
    expect(chart).not_to_have_attribute("data-points", str(before))
    assert points(page, "Frames/s") > before
    expect(chart.locator("b").first).not_to_have_text("–")


def test_a_sample_without_pipelines_takes_nothing_from_the_page(open_page: OpenPage, address: str) -> None:
    """A restarted worker has no figures for a short time: bars, chart keys and lines stay."""
    page = open_page(address)
    page.goto(f"{address}/devices/{RESTARTING}")
    bars = page.get_by_role("img", name=re.compile("^Histogram of detection confidence")).locator("i")
    expect(bars).to_have_count(10)
    keys = page.get_by_test_id("chart-Latency by stage").locator("b")
    shown, rate = keys.count(), page.get_by_test_id("chart-Frames/s").locator("b").first
    assert shown
    before, ends_s = points(page, "Frames/s"), time.monotonic() + 60
    while points(page, "Frames/s") < before + 5:
        assert time.monotonic() < ends_s, "the charts stand still"
        assert (bars.count(), keys.count()) == (10, shown)
        assert rate.text_content() != "–"


def test_cards_and_labels_narrow_the_list_and_the_address_keeps_it(open_page: OpenPage, address: str) -> None:
    page = open_page(address)
    page.get_by_role("button", name=re.compile("^Offline")).click()
    expect(page).to_have_url(re.compile(r"\?status=offline"))
    rows = page.get_by_role("table", name="Devices").locator("tbody tr")
    expect(rows.first).to_contain_text(re.compile("Offline|Attention"))
    page.goto(f"{address}/?label=site=lyon&label=ring=canary&size=25")
    expect(rows.first).to_contain_text("lyon")
    expect(page.get_by_text("ring=canary", exact=True)).to_be_visible()
    page.get_by_role("button", name="Clear filters").click()
    expect(rows.first).to_contain_text("bremen")
    page.get_by_role("button", name="Frames/s").click()
    expect(page).to_have_url(re.compile("sort=-fps"))
    expect(page.get_by_role("columnheader", name="Frames/s")).to_have_attribute("aria-sort", "descending")


def test_who_leaves_while_typing_is_not_called_back(open_page: OpenPage, address: str) -> None:
    page = open_page(address)
    page.get_by_role("textbox", name="Search devices").fill("lyon")
    page.get_by_role("link", name="Models", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Models")
    page.wait_for_timeout(500)  # longer than the pause after which a search is sent
    expect(page).to_have_url(f"{address}/models")


def start_rollout(page: Page, address: str, site: str, version: str = "1.2.0") -> None:
    """Through the wizard, by keyboard and mouse as a person would."""
    page.goto(f"{address}/rollouts/new?package=parts-detector&version={version}")
    page.get_by_role("button", name="Next").click()
    page.get_by_role("radio", name=re.compile("By labels")).click()
    page.get_by_role("combobox", name="Labels").fill(f"site={site}")
    page.keyboard.press("Enter")
    page.get_by_role("heading", level=1).click()
    page.get_by_role("button", name="Next").click()
    page.get_by_role("radio", name=re.compile("Fast")).click()
    expect(page.get_by_label("Devices by wave")).to_be_visible()
    page.get_by_role("button", name="Next").click()
    page.get_by_role("textbox", name="Name").fill(f"{version} for {site}")
    page.get_by_role("button", name=re.compile(r"Start on \d+ devices?")).click()
    expect(page).to_have_url(re.compile(r"/rollouts/\d+$"))


def test_the_wizard_starts_a_rollout_that_completes(open_page: OpenPage, fast_address: str) -> None:
    page = open_page(fast_address)
    start_rollout(page, fast_address, "toledo")
    expect(page.get_by_role("heading", level=1)).to_have_text("1.2.0 for toledo")
    expect(page.get_by_test_id("rollout-state")).to_have_text("Completed", timeout=120_000)
    expect(page.get_by_role("region", name="Wave 2, rest")).to_contain_text("Passed")
    expect(page.get_by_role("list", name="Timeline")).to_contain_text("Completed")


def test_a_rejected_version_stops_with_its_reason(open_page: OpenPage, fast_address: str) -> None:
    page = open_page(fast_address)
    start_rollout(page, fast_address, "osaka", "1.3.0-rc1")
    expect(page.get_by_test_id("rollout-state")).to_have_text("Paused", timeout=120_000)
    expect(page.get_by_role("alert")).to_contain_text("Stopped by the gate of wave canary")
    expect(page.get_by_role("group", name="Gate of wave canary")).to_contain_text("Stopped.")
    row = page.get_by_role("table", name="Devices of this rollout").get_by_role("row").filter(has_text="Rejected").first
    expect(row).to_contain_text("the results for the golden samples do not match")
    row.get_by_role("link").click()
    expect(page.get_by_role("table", name="Attempts")).to_contain_text("The model's results differ from its golden samples")


def test_pause_and_resume_with_their_consequences(open_page: OpenPage, address: str) -> None:
    page = open_page(address)
    page.goto(f"{address}/rollouts/3")
    page.get_by_role("button", name="Pause").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("queued devices wait until you resume")
    dialog.get_by_label("Reason").fill("line 3 is being cleaned")
    dialog.get_by_role("button", name="Pause").click()
    expect(page.get_by_test_id("rollout-state")).to_have_text("Paused")
    expect(page.get_by_text(re.compile("Line 3 is being cleaned"))).to_be_visible()
    page.get_by_role("button", name="Resume").click()
    page.get_by_role("dialog").get_by_role("button", name="Resume").click()
    expect(page.get_by_test_id("rollout-state")).to_have_text("Running")


def test_a_wave_is_skipped_with_its_consequences(open_page: OpenPage, address: str) -> None:
    page = open_page(address)
    page.goto(f"{address}/rollouts/3")
    wave = page.get_by_role("region", name=re.compile("^Wave 4"))
    expect(wave).to_contain_text("Pending")
    wave.get_by_role("button", name=re.compile("^Skip wave")).click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("keep their current version")
    expect(dialog).to_contain_text("This is the last wave")
    dialog.get_by_label("Reason").fill("line 4 is rebuilt")
    dialog.get_by_role("button", name="Skip wave").click()
    expect(wave).to_contain_text("Skipped")
    expect(page.get_by_role("list", name="Timeline")).to_contain_text("line 4 is rebuilt")


def test_the_parts_of_a_bundle_are_shown(open_page: OpenPage, address: str) -> None:
    """Under the name of the rollout, and with every device."""
    page = open_page(address)
    parts = [{"package": "line-counter", "version": "2.1.0", "slot": "counter"}]
    body = {
        "name": "both",
        "package": "parts-detector",
        "version": "1.2.0",
        "parts": parts,
        "selector": {"labels": {"site": "osaka"}},
    }
    answer = httpx.post(f"{address}/api/v1/rollouts", json={**body, "waves": [{"name": "all"}], "start": True})
    assert answer.status_code == 201, answer.text
    page.goto(f"{address}/rollouts/{answer.json()['id']}")
    expect(page.get_by_text("Atomic: all parts or none")).to_be_visible()
    expect(page.get_by_role("link", name="line-counter 2.1.0")).to_be_visible()
    expect(page.get_by_role("table", name="Devices of this rollout")).to_contain_text(
        re.compile("counter (not started|fetching|verified)")
    )


def test_an_experiment_is_compared_and_one_version_chosen(open_page: OpenPage, address: str) -> None:
    """From the list of rollouts: intervals as pictures with words, verdicts, and the end with its consequences."""
    page = open_page(address, "/rollouts")
    page.get_by_role("link", name="Experiments").click()
    page.get_by_role("link", name="1.2 against 1.1").click()
    expect(page.get_by_role("img", name=re.compile(r"^b: 1[56]\.?\d* \(.* to .*\) ms, 58 devices"))).to_be_visible()
    expect(page.get_by_text("Worse", exact=True)).to_be_visible()
    expect(page.get_by_text("Different", exact=True)).to_be_visible()
    page.get_by_role("button", name="Choose a", exact=True).click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("60 devices of 120 are updated to parts-detector 1.1.0 by a new rollout")
    dialog.get_by_role("button", name="Choose a for all").click()
    expect(page.get_by_role("link", name="a was chosen")).to_be_visible()
    expect(page.get_by_role("button", name="Choose a", exact=True)).to_have_count(0)


def test_a_lost_connection_is_shown_and_restored(open_page: OpenPage, address: str) -> None:
    page = open_page(address, "/models", expected="ERR_INTERNET_DISCONNECTED")
    expect(page.get_by_test_id("connection-state")).to_have_text("Live")
    page.context.set_offline(True)
    expect(page.get_by_role("alert")).to_contain_text("stale since")
    page.context.set_offline(False)
    expect(page.get_by_test_id("connection-state")).to_have_text("Live")
    expect(page.get_by_role("alert")).to_have_count(0)


def test_colours_are_remembered(open_page: OpenPage, address: str) -> None:
    page = open_page(address, "/models", color_scheme="light")
    page.get_by_role("button", name="Use dark theme").click()
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-mantine-color-scheme", "dark")


def test_the_command_palette_opens_a_device_by_keyboard(open_page: OpenPage, address: str) -> None:
    page = open_page(address, "/models")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.keyboard.press("Control+k")
    page.get_by_role("textbox", name="Search").fill("lyon-gate2-cam03")
    expect(page.get_by_role("dialog").get_by_text("lyon-gate2-cam03")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/devices/lyon-gate2-cam03"))


def test_labels_are_edited_and_commands_answered(open_page: OpenPage, fast_address: str) -> None:
    page = open_page(fast_address, "/devices/bremen-gate2-cam02")
    page.get_by_role("button", name="Labels", exact=True).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Label 4, name").fill("shift")
    dialog.get_by_label("Label 4, value").fill("night")
    dialog.get_by_role("button", name="Save labels").click()
    expect(dialog).to_have_count(0)
    expect(page.get_by_text("shift")).to_be_visible()
    page.get_by_role("button", name="Commands").click()
    page.get_by_role("menuitem", name=re.compile("Fetch recent logs")).click()
    page.get_by_role("dialog").get_by_role("button", name="Fetch recent logs").click()
    expect(page.get_by_role("dialog")).to_contain_text("link: connected")


def test_a_stolen_device_is_blocked_and_unblocked(open_page: OpenPage, fast_address: str) -> None:
    page = open_page(fast_address, "/devices/bremen-gate2-cam02")
    page.get_by_role("tab", name="About").click()
    page.get_by_role("button", name="Block device").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Reason").fill("stolen")
    dialog.get_by_role("button", name="Block device").click()
    expect(dialog).to_have_count(0)
    expect(page.get_by_text("Blocked", exact=True)).to_be_visible()
    expect(page.get_by_text("stolen")).to_be_visible()
    page.get_by_role("button", name="Unblock").click()
    expect(page.get_by_text("Enrolled", exact=True)).to_be_visible()


def archive(*names: str) -> bytes:
    """A tar with these (empty) files."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        for name in names:
            tar.addfile(tarfile.TarInfo(name), io.BytesIO())
    return buffer.getvalue()


def test_a_package_is_pushed_or_rejected_with_the_validators_message(open_page: OpenPage, fast_address: str) -> None:
    page = open_page(fast_address, "/models", expected="status of 422")
    page.get_by_role("button", name="Push model").click()
    choose = page.get_by_role("dialog").locator("input[type=file]")
    choose.set_input_files({"name": "notes.tar", "mimeType": "application/x-tar", "buffer": archive("readme.txt")})
    expect(page.get_by_role("alert")).to_contain_text("no model.toml at the root")
    choose.set_input_files({"name": "parts.tar", "mimeType": "application/x-tar", "buffer": archive("model.toml")})
    expect(page.get_by_role("dialog")).to_contain_text("was pushed to the registry")
    page.get_by_role("link", name="Roll out").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("New rollout")


def test_a_view_is_saved_opened_and_deleted(open_page: OpenPage, address: str) -> None:
    page = open_page(address)
    expect(page.get_by_role("table", name="Devices")).to_be_visible()
    expect(page.get_by_role("button", name="Views")).to_have_count(0)  # nothing is narrowed, nothing is kept
    page.goto(f"{address}/?label=site=lyon&status=offline")
    page.get_by_role("button", name="Views").click()
    page.get_by_role("menuitem", name=re.compile("Save view")).click()
    page.get_by_label("Name").fill("Lyon, away")
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_role("button", name="Clear filters").click()
    expect(page).not_to_have_url(re.compile("lyon"))
    page.reload()
    page.get_by_role("button", name="Views").click()
    page.get_by_role("menuitem", name="Lyon, away").click()
    expect(page).to_have_url(re.compile("status=offline"))
    expect(page.get_by_text("site=lyon", exact=True).first).to_be_visible()
    page.get_by_role("button", name="Clear filters").click()
    page.get_by_role("button", name="Views").click()
    page.get_by_role("button", name="Delete Lyon, away").click()
    expect(page.get_by_role("menuitem", name="Lyon, away")).to_have_count(0)


def test_two_versions_are_compared(open_page: OpenPage, address: str, axe: str) -> None:
    page = open_page(address, "/models/parts-detector/1.2.0", color_scheme="dark")
    page.get_by_role("combobox", name="Compare with").click()
    page.get_by_role("option", name="1.1.0").click()
    expect(page).to_have_url(re.compile("against=1.1.0"))
    table = page.get_by_role("table", name="1.1.0 and 1.2.0")
    expect(table.get_by_role("row", name=re.compile("^mAP@0.5")).first).to_contain_text("+")
    expect(page.get_by_text(re.compile(r"\d+ other propert(y is|ies are) equal"))).to_be_visible()
    assert violations(page, axe) == []


def test_events_of_a_device_are_found_by_a_part_of_its_name(open_page: OpenPage, address: str) -> None:
    page = open_page(address, "/events")
    page.get_by_role("combobox", name="Device").or_(page.get_by_role("textbox", name="Device")).first.fill("press1-cam01")
    page.get_by_role("option", name="bremen-press1-cam01").click()
    expect(page).to_have_url(re.compile("device=bremen-press1-cam01"))
    page.get_by_role("button", name="Clear filters").click()
    expect(page).not_to_have_url(re.compile("device="))


def test_events_are_shown_as_pictures(open_page: OpenPage, address: str, axe: str) -> None:
    page = open_page(address, "/events", color_scheme="light")
    expect(page.get_by_role("table", name="Events").get_by_alt_text("Snapshot").first).to_be_visible()
    page.get_by_text("Snapshots", exact=True).click()
    expect(page).to_have_url(re.compile("view=pictures"))
    gallery = page.get_by_role("list", name="Events")
    picture = gallery.locator("img").first
    expect(picture).to_be_visible()
    expect(picture).not_to_have_js_property("naturalWidth", 0)
    assert violations(page, axe) == []
    gallery.get_by_role("button").filter(has=page.locator("img")).first.click()
    expect(page.get_by_role("dialog").get_by_role("img", name=re.compile("^Snapshot: "))).to_be_visible()


def test_an_alert_is_acknowledged_and_a_rule_silenced_and_deleted(open_page: OpenPage, fast_address: str, axe: str) -> None:
    page = open_page(fast_address, "/alerts", color_scheme="dark")
    row = page.get_by_role("table", name="Alerts").get_by_role("row", name=re.compile("osaka-press2-cam02"))
    row.get_by_role("button", name=re.compile("^Acknowledge")).click()
    expect(row).to_contain_text("Acknowledged by")
    page.get_by_text("All", exact=True).click()
    expect(page).to_have_url(re.compile("past=true"))
    expect(page.get_by_role("table", name="Alerts")).to_contain_text("toledo-gate1-cam02")

    page.get_by_role("button", name="New rule").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("Disk nearly full")
    dialog.get_by_role("combobox", name="Condition").click()
    page.get_by_role("option", name=re.compile("above or below threshold")).click()
    dialog.get_by_role("combobox", name="Metric").click()
    page.get_by_role("option", name=re.compile("^Free disk space")).click()
    dialog.get_by_role("combobox", name="Comparison").click()
    page.get_by_role("option", name="Below").click()
    dialog.get_by_label("Threshold").fill("1000000000")
    assert violations(page, axe) == []
    dialog.get_by_role("button", name="Create rule").click()
    rules = page.get_by_role("region", name="Rules")
    expect(rules).to_contain_text("Free disk space below 1 GB for 10 min")
    rules.get_by_role("button", name="Actions for Disk nearly full").click()
    page.get_by_role("menuitem", name="Silence for 1 day").click()
    expect(rules).to_contain_text("Silenced")
    rules.get_by_role("button", name="Actions for Disk nearly full").click()
    page.get_by_role("menuitem", name=re.compile("^Delete")).click()
    expect(rules).not_to_contain_text("Disk nearly full")


def test_a_recipient_is_created_tested_and_deleted(open_page: OpenPage, fast_address: str, axe: str) -> None:
    page = open_page(fast_address, "/alerts")
    recipients = page.get_by_role("region", name="Recipients")
    expect(recipients).to_contain_text("Slack, critical, all devices")
    recipients.get_by_role("button", name="Test On call").click()
    expect(page.get_by_text("On call: Slack returned status 404: no_service")).to_be_visible()
    recipients.get_by_role("button", name="New recipient").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("Duty phone")
    dialog.get_by_role("combobox", name="Kind").click()
    page.get_by_role("option", name="ntfy").click()
    dialog.get_by_label("Topic").fill("fleet-7")
    dialog.get_by_label("Access token").fill("tk_s3cret")
    dialog.get_by_role("combobox", name="Severities").click()
    page.get_by_role("option", name="Critical").click()
    page.keyboard.press("Escape")
    assert violations(page, axe) == []
    dialog.get_by_role("button", name="Create recipient").click()
    expect(recipients).to_contain_text("ntfy, fleet-7, critical, all devices")
    recipients.get_by_role("button", name="Test Duty phone").click()
    expect(page.get_by_text("Duty phone: test delivered")).to_be_visible()
    recipients.get_by_role("button", name="Actions for Duty phone").click()
    page.get_by_role("menuitem", name="Turn off").click()
    expect(recipients.get_by_text("Off", exact=True)).to_be_visible()
    recipients.get_by_role("button", name="Actions for Duty phone").click()
    page.get_by_role("menuitem", name="Delete recipient").click()
    expect(recipients).not_to_contain_text("Duty phone")


def test_alerts_are_snoozed_for_a_reason(open_page: OpenPage, fast_address: str, axe: str) -> None:
    page = open_page(fast_address, "/alerts")
    snoozes = page.get_by_role("region", name="Snoozes")
    expect(snoozes).to_contain_text("No alerts are snoozed")
    snoozes.get_by_role("button", name="Snooze").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("combobox", name="Rule").click()
    page.get_by_role("option", name="Cabinet too hot").click()
    dialog.get_by_label("Device").fill("osaka-press2-cam02")
    dialog.get_by_label("Reason").fill("the fan is replaced")
    assert violations(page, axe) == []
    dialog.get_by_role("button", name="Snooze alerts").click()
    expect(snoozes).to_contain_text("Rule Cabinet too hot, Device osaka-press2-cam02")
    expect(snoozes).to_contain_text("the fan is replaced")
    snoozes.get_by_role("button", name=re.compile("^End snooze")).click()
    expect(snoozes).to_contain_text("No alerts are snoozed")


def test_alerts_about_rollouts_are_chosen_and_lead_to_the_rollout(open_page: OpenPage, fast_address: str) -> None:
    page = open_page(fast_address, "/alerts")
    rules = page.get_by_role("region", name="Rules")
    dialog = page.get_by_role("dialog")
    for name, when, minutes, sentence in (
        ("Release stopped", "Rollout paused by a gate", "", "Rollout paused by a gate"),
        ("Release waits", "Rollout awaiting approval", "30", "Rollout awaiting approval for 30 min"),
    ):
        page.get_by_role("button", name="New rule").click()
        dialog.get_by_label("Name").fill(name)
        dialog.get_by_role("combobox", name="Condition").click()
        page.get_by_role("option", name=when).click()
        expect(dialog.get_by_label("Duration")).to_have_value("0 min")
        if minutes:
            dialog.get_by_label("Duration").fill(minutes)
        dialog.get_by_role("button", name="Create rule").click()
        expect(dialog).to_be_hidden()
        expect(rules.get_by_text(sentence, exact=True)).to_be_visible()
    row = page.get_by_role("table", name="Alerts").get_by_role("row", name=re.compile("Rollout stopped"))
    expect(row).to_contain_text("was paused: gate of wave 'canary'")
    row.get_by_role("link", name="rollout 1", exact=True).click()
    expect(page).to_have_url(re.compile("/rollouts/1$"))


def test_a_wave_waits_for_approval(open_page: OpenPage, fast_address: str) -> None:
    page = open_page(fast_address, "/rollouts/new?package=parts-detector&version=1.2.0")
    page.get_by_role("button", name="Next").click()
    page.get_by_role("radio", name=re.compile("By labels")).click()
    page.get_by_role("combobox", name="Labels").fill("site=lyon")
    page.keyboard.press("Enter")
    page.get_by_role("heading", level=1).click()
    page.get_by_role("button", name="Next").click()
    page.get_by_role("radio", name=re.compile("Fast")).click()
    page.get_by_label("Wave 2 requires approval").check()
    expect(page.get_by_text(re.compile("Based on 412 earlier updates"))).to_be_visible()
    page.get_by_role("button", name="Next").click()
    page.get_by_role("button", name=re.compile(r"Start on \d+ devices?")).click()
    waits = page.get_by_text("Wave rest starts after approval.")
    expect(waits).to_be_visible(timeout=120_000)
    page.get_by_role("button", name="Approve").click()
    expect(waits).to_have_count(0)
    expect(page.get_by_test_id("rollout-state")).to_have_text("Completed", timeout=120_000)
