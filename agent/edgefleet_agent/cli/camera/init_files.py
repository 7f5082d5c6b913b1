"""The texts of `init`: agent.toml and a pipeline's file, with comments."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

import edgefleet_agent
from edgefleet_contract.pipeline.spec import Point, SourceSpec

SLOT = "detector"
REFERENCE = Path("docs/reference")


@dataclass(frozen=True, slots=True)
class NewDevice:
    """Contents of the files. package: the path as it is written in agent.toml."""

    device: str
    pipeline: str
    source: SourceSpec
    package: str
    line: tuple[Point, Point] | None
    classes: list[str]
    min_score: float


def settings_text(new: NewDevice, file: Path) -> str:
    """The text of agent.toml at `file`."""
    return f"""{_schema("agent", file)}# Settings of this device. Every key: docs/reference/agent-toml.md
device = {_quoted(new.device)}  # a-z 0-9 _ -
state = "state"                      # models, records, clips; as a service: /var/lib/edgefleet
pipelines = "pipelines"              # one *.toml for each camera
events_jsonl = "events.jsonl"        # every event as a line of JSON; leave out: none

[factory]                            # slot -> package that is installed with the device
{SLOT} = {_quoted(new.package)}

[local_api]                          # page with the live picture, events and clips
http = "127.0.0.1:8002"              # for other machines: "0.0.0.0:8002" and api_key_file = "FILE"
"""


def pipeline_text(new: NewDevice, file: Path) -> str:
    """The text of the pipeline at `file`."""
    every = '# labels = ["person"]                # leave out: all labels of the model'
    labels = f"labels = {_list(new.classes)}" if new.classes else every
    return f"""{_schema("pipeline", file)}# A camera: detect, track, count. Every key: docs/reference/pipeline.md
name = {_quoted(new.pipeline)}

[source]
kind = {_quoted(new.source.kind)}
uri = {_quoted(new.source.uri)}
{_source_comment(new.source)}
[[stages]]
name = "find"
kind = "detect"
model = "slot:{SLOT}"              # the package of the slot in agent.toml, or what the fleet assigns
{labels}
min_score = {new.min_score:g}

[[stages]]
name = "follow"
kind = "track"
from = "find"

[[rules]]                            # everything that is seen: when it comes and goes
name = "visits"
kind = "visit"
{_line_text(new.line)}
[evidence]                           # of each event: a picture and a clip, in the state folder
pre_s = 5.0
post_s = 5.0
"""


def _source_comment(source: SourceSpec) -> str:
    if source.kind == "rtsp":
        return """# [source.options]
# substream = "rtsp://..."           # a small stream of the camera: it is analyzed, clips are of the stream above
"""
    if source.kind == "file":
        return """pace = "realtime"
loop = true                          # begin again at the end, like a camera
"""
    return 'pace = "realtime"\nloop = true\n' if source.kind == "images" else ""


def _line_text(line: tuple[Point, Point] | None) -> str:
    if line is None:
        return """
# [[lines]]                          # fractions of width and height, from the upper left corner
# name = "line"
# points = [[0.5, 1.0], [0.5, 0.0]]
#
# [[rules]]
# name = "crossings"
# kind = "line"
# line = "line"
"""
    points = ", ".join(f"[{x:g}, {y:g}]" for x, y in line)
    return f"""
[[lines]]                            # fractions of width and height, from the upper left corner
name = "line"
points = [{points}]
forward = "forward"                  # seen from the first point to the second: from left to right
backward = "backward"

[[rules]]
name = "crossings"
kind = "line"
line = "line"
"""


def _schema(name: str, file: Path) -> str:
    """The line by which editors find the schema, in a checkout of the project; otherwise empty."""
    root = Path(edgefleet_agent.__file__).resolve().parents[2]
    schema = root / REFERENCE / f"{name}.schema.json"
    if not schema.is_file():
        return ""
    beside = file.resolve().parent
    return f"#:schema {os.path.relpath(schema, beside) if beside.is_relative_to(root) else schema}\n"


def _quoted(text: str) -> str:
    """A basic string of TOML, whose escapes are those of JSON."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _list(texts: list[str]) -> str:
    return f"[{', '.join(map(_quoted, texts))}]"
