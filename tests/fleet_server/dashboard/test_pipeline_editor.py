"""The editor of pipelines: shapes by touch and by number, forms and text, what is wrong at its place."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.fleet_server.dashboard.conftest import OpenPage
from tests.fleet_server.dashboard.test_pages import violations

EDITOR = "/devices/bremen-press1-cam01?tab=pipelines&pipeline=camera"


def _at(page: Page, across: float, down: float) -> dict[str, float]:
    box = page.get_by_test_id("drawing").bounding_box()
    assert box is not None
    return {"x": box["width"] * across, "y": box["height"] * down}


def _middle(page: Page) -> tuple[float, float]:
    box = page.get_by_test_id("drawing").bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def open_text(page: Page) -> Locator:
    """Open the text, as high as it is long: the editor holds only lines that can be seen, and some beside them."""
    page.set_viewport_size({"width": 1440, "height": 1900})
    page.add_style_tag(content=".cm-editor { max-height: none !important; }")
    page.get_by_role("tab", name="Text").click()
    document = page.get_by_role("textbox", name="Document")
    expect(document).to_contain_text("after_s = ")
    return document


def text_of(document: Locator) -> str:
    """The text of an editor."""
    return "\n".join(document.locator(".cm-line").all_text_contents())


def test_a_zone_is_drawn_by_finger_dragged_and_taken_away(open_page: OpenPage, address: str) -> None:
    page = open_page(address, EDITOR, has_touch=True)
    expect(page.get_by_alt_text("Snapshot of camera")).to_be_visible()
    expect(page.get_by_text("No changes")).to_be_visible()
    drawing = page.get_by_test_id("drawing")
    page.get_by_role("button", name="Draw zone").click()
    for across, down in ((0.1, 0.6), (0.3, 0.6), (0.2, 0.9), (0.1, 0.6)):
        drawing.tap(position=_at(page, across, down))  # type: ignore[arg-type]  # a Position
    expect(page.get_by_label("Name", exact=True)).to_have_value("zone-1")
    rows = page.get_by_role("table", name="Points of zone-1").get_by_role("row")
    expect(rows).to_have_count(4)

    box = drawing.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] * 0.2, box["y"] + box["height"] * 0.9)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.25, box["y"] + box["height"] * 0.8, steps=4)
    page.mouse.up()
    expect(page.get_by_label("Point 3, X")).to_have_value(re.compile(r"^0\.2[45]"))
    page.get_by_label("Point 3, Y").fill("0.7")
    expect(page.get_by_role("button", name=re.compile(r"^Point 3 of zone zone-1: 0\.2\d+, 0\.7\."))).to_be_visible()
    page.get_by_role("button", name="Add point").click()
    expect(rows).to_have_count(5)
    page.get_by_role("button", name="Remove point 4").click()
    expect(rows).to_have_count(4)
    expect(page.get_by_role("group", name="Changes")).to_contain_text('zone = "zone-1"')
    page.get_by_role("button", name="Delete zone zone-1").click()
    expect(page.get_by_text("No changes")).to_be_visible()


def test_the_drawing_is_enlarged_and_taken_back_step_by_step(open_page: OpenPage, address: str, axe: str) -> None:
    page = open_page(address, EDITOR)
    expect(page.get_by_alt_text("Snapshot of camera")).to_be_visible()
    expect(page.get_by_test_id("drawing")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("button", name="Apply to this device")).to_be_in_viewport()
    page.mouse.move(*_middle(page))
    page.keyboard.down("Control")
    page.mouse.wheel(0, -400)
    page.keyboard.up("Control")
    page.get_by_role("button", name="Draw zone").click()
    for across, down in ((0.1, 0.1), (0.9, 0.1), (0.9, 0.9)):
        page.get_by_test_id("drawing").click(position=_at(page, across, down))  # type: ignore[arg-type]  # a Position
    page.keyboard.press("Enter")
    x = float(page.get_by_label("Point 1, X").input_value())
    assert 0.2 < x < 0.5, "a point is where it is seen"
    point = page.get_by_role("button", name=re.compile("^Point 1 of zone zone-1"))
    point.focus()
    for _ in range(3):
        point.press("ArrowRight")
    expect(page.get_by_label("Point 1, X")).not_to_have_value(f"{x}")
    page.keyboard.press("Control+z")  # the three presses are one step
    expect(page.get_by_label("Point 1, X")).to_have_value(f"{x}")
    page.keyboard.press("Control+z")
    expect(page.get_by_text("No changes")).to_be_visible()
    assert violations(page, axe) == []
    page.get_by_role("button", name="Redo").click()
    expect(page.get_by_role("group", name="Changes")).to_contain_text('zone = "zone-1"')
    page.get_by_role("button", name="Show the whole picture").click()
    expect(page.get_by_test_id("drawing")).to_have_attribute("data-zoomed", "false")


def test_forms_and_text_are_one_document(open_page: OpenPage, address: str) -> None:
    page = open_page(address, EDITOR, expected="status of 422")  # what the wizard asks of this fake is its own business
    document = open_text(page)
    text = text_of(document)
    document.fill(text.replace('line = "gate"', 'line = "gates"'))
    expect(page.get_by_text(re.compile(r"^Line \d+: rule 'parts' names line 'gates'; lines are gate"))).to_be_visible()
    page.get_by_role("button", name="Apply text").click()
    expect(page.get_by_role("tab", name=re.compile("Rules.*has an error"))).to_be_visible()
    page.get_by_role("tab", name=re.compile("Rules")).click()
    page.get_by_role("button", name=re.compile("^parts")).click()
    expect(page.get_by_text("rule 'parts' names line 'gates'")).to_have_count(2)
    expect(page.get_by_role("button", name="Apply to this device")).to_be_disabled()
    page.get_by_role("combobox", name="Line").click()
    page.get_by_role("option", name="gate").click()
    expect(page.get_by_text("No changes")).to_be_visible()
    page.get_by_role("button", name="Roll out to…").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("New rollout")
    expect(page.get_by_role("combobox", name="Pipeline")).to_have_value("camera")


def test_the_text_suggests_what_the_schema_knows_and_marks_the_line_of_a_problem(
    open_page: OpenPage, address: str, axe: str
) -> None:
    page = open_page(address, EDITOR)
    document = open_text(page)
    document.click()
    document.press("Control+End")
    page.keyboard.type("\nmo")
    page.get_by_role("option", name="mode").click()
    options = page.get_by_role("listbox", name="Completions")
    expect(options.get_by_role("option")).not_to_have_count(0)
    assert violations(page, axe) == []
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("document-error")).to_be_visible()
    expect(document).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_test_id("toml").locator(".problem-line")).to_have_count(1)
    page.keyboard.press("Tab")  # it leaves the editor
    expect(document).not_to_be_focused()


def test_options_of_stages_are_judged_while_they_are_typed(open_page: OpenPage, address: str, axe: str) -> None:
    page = open_page(address, EDITOR)
    document = open_text(page)
    text = text_of(document)
    follow = 'kind = "track"\nfrom = "find"\n'
    assert follow in text
    document.fill(text.replace(follow, follow + "options = { max_lost_s = 9000.0 }\n"))
    fault = page.get_by_test_id("document-error")
    expect(fault).to_have_text(re.compile(r"^Line \d+: stage 'follow': option 'max_lost_s' is 9000.0; it goes from 0 to 3600"))
    expect(fault.locator("code")).to_have_text("options = { max_lost_s = 9000.0 }")
    assert violations(page, axe) == []
    document.fill(text.replace('kind = "track"', 'kind = "trick"'))
    expect(fault).to_contain_text("unknown kind 'trick'; known are classify, crops, detect, ensemble, motion, track")
    page.get_by_role("button", name="Apply text").click()
    page.get_by_role("tab", name=re.compile("Model and source.*has an error")).click()
    expect(page.get_by_text("unknown kind 'trick'")).to_have_count(2)
    expect(page.get_by_role("button", name="Apply to this device")).to_be_disabled()
    page.get_by_role("tab", name="Text").click()
    document.fill(text.replace(follow, follow + "options = { max_lost_s = 9 }\n"))
    expect(page.get_by_text("Valid; not applied to the forms yet")).to_be_visible()
    page.get_by_role("button", name="Apply text").click()
    page.get_by_role("tab", name="Model and source").click()
    expect(page.get_by_text("max_lost_s = 9", exact=True)).to_be_visible()
