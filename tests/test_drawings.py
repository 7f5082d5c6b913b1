"""The drawing of lines and zones, and what is written beside it, against the agent's own rules."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from edgefleet_agent.vision.geometry import LineSegment, Place, inside
from edgefleet_agent.vision.tracking.false_positive_filter import anchor_of
from edgefleet_agent.vision.tracking.line_crossings import LineCrossings
from edgefleet_agent.vision.tracking.tracker import Sighting
from edgefleet_contract.encoding import toml

ROOT = Path(__file__).resolve().parents[1]
SVG = "{http://www.w3.org/2000/svg}"
SIDES = {"bottom": (0.5, 1.0), "top": (0.5, 0.0), "left": (0.0, 0.5), "right": (1.0, 0.5)}
WAYS = {"to the right": (1, 0), "to the left": (-1, 0), "downwards": (0, 1), "upwards": (0, -1)}


@pytest.fixture(scope="module")
def drawing() -> ET.Element:
    return ET.parse(ROOT / "docs/images/lines-and-zones.svg").getroot()


def named(drawing: ET.Element, name: str) -> ET.Element:
    """The element with this id."""
    return next(each for each in drawing.iter() if each.get("id") == name)


def ends(line: ET.Element) -> tuple[Place, Place]:
    """Both ends of a drawn line, in the picture's units."""
    x1, y1, x2, y2 = (float(line.get(key, "")) for key in ("x1", "y1", "x2", "y2"))
    return (x1, y1), (x2, y2)


def crossing(line: LineSegment, start: Place, end: Place) -> bool | None:
    """Whether a small box whose anchor goes from `start` to `end` crosses forward; None: it does not cross."""
    crossings, found = LineCrossings(line), None
    for frame in range(11):
        x, y = (a + (b - a) * frame / 10 for a, b in zip(start, end, strict=True))
        sighting = Sighting(1, 0, frame, frame / 10, (x - 5, y - 10, x + 5, y), 0.9)
        found = crossings.move(sighting, anchor_of(sighting.box, "bottom")) or found
    return found.forward if found else None


def test_the_arrows_show_the_directions_of_the_rule(drawing: ET.Element) -> None:
    line = LineSegment(*ends(named(drawing, "line")))
    assert crossing(line, *ends(named(drawing, "forward"))) is True
    assert crossing(line, *ends(named(drawing, "backward"))) is False


def test_the_line_has_the_points_that_are_written_beside_it(drawing: ET.Element) -> None:
    frame = {key: float(named(drawing, "frame").get(key, "")) for key in ("x", "y", "width", "height")}
    texts = {each.text for each in drawing.iter(f"{SVG}text")}
    for name, (x, y) in zip(("first", "second"), ends(named(drawing, "line")), strict=True):
        at = ((x - frame["x"]) / frame["width"], (y - frame["y"]) / frame["height"])
        assert f"{name} point ({at[0]:g}, {at[1]:g})" in texts


def test_boxes_are_where_their_anchors_are(drawing: ET.Element) -> None:
    points = [float(number) for number in re.split("[ ,]", named(drawing, "zone").get("points", ""))]
    zone = list(zip(points[::2], points[1::2], strict=True))
    boxes = [each for each in drawing.iter(f"{SVG}rect") if each.get("class") == "box"]
    dots = [each for each in drawing.iter(f"{SVG}circle") if "anchor" in each.get("class", "")]
    assert len(boxes) == len(dots) == 3
    for box, dot in zip(boxes, dots, strict=True):
        x, y, width, height = (float(box.get(key, "")) for key in ("x", "y", "width", "height"))
        anchor = anchor_of((x, y, x + width, y + height), "bottom")
        assert anchor == (float(dot.get("cx", "")), float(dot.get("cy", "")))
        if box.get("data-zone"):
            assert inside(anchor, zone) == (box.get("data-zone") == "in")
            assert any(inside((x + width * at, y + height * 0.9), zone) for at in (0.1, 0.5, 0.95)), "both overlap the zone"


def test_the_table_and_the_example_say_the_same() -> None:
    section = (ROOT / "docs/pipelines.md").read_text(encoding="utf-8").partition("## Lines and zones")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (\w+) → (\w+) \| ([\w ]+) \|$", section, re.MULTILINE)
    assert len(rows) == 4
    for first, second, way in rows:
        start, end = (tuple(100 * number for number in SIDES[each]) for each in (first, second))
        dx, dy = WAYS[way]
        assert crossing(LineSegment(start, end), (50 - 30 * dx, 50 - 30 * dy), (50 + 30 * dx, 50 + 30 * dy)) is True, (first, way)
    text = re.search(r"```toml\n(.*?)```", section, re.DOTALL)
    assert text is not None
    line = toml.parse(text[1], "example")["lines"][0]
    assert [tuple(point) for point in line["points"]] == [SIDES["bottom"], SIDES["top"]]
    assert (line["forward"], line["backward"]) == ("in", "out")


def test_colours_are_readable_in_light_and_dark(drawing: ET.Element) -> None:
    """Texts have a contrast of 4.5 to what is behind them, in both schemes."""
    style = drawing.findtext(f"{SVG}style") or ""
    light, _, dark = style.partition("@media (prefers-color-scheme: dark)")
    for part in (light, dark):
        rules = re.findall(r"([.\w, -]+) \{ fill: (#\w{6})", part)
        fills = {name: fill for names, fill in rules for name in re.findall(r"[\w-]+", names)}
        pairs = [(word, "frame") for word in ("ink", "forward-word", "backward-word", "zone-word")]
        for word, behind in [*pairs, ("ink", "paper"), ("quiet", "paper")]:
            bright, less = sorted((_luminance(fills[word]), _luminance(fills[behind])), reverse=True)
            assert (bright + 0.05) / (less + 0.05) >= 4.5, (word, behind)


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
