"""A pipeline that creates events and evidence without a camera and without a model: two boxes that cross a line."""

from __future__ import annotations

PIPELINE = """
name = "boxes"
[source]
kind = "synthetic"
[source.options]
rate = 10.0
boxes = 2
[[stages]]
name = "moves"
kind = "motion"
[[stages]]
name = "follow"
kind = "track"
from = "moves"
[[lines]]
name = "gate"
points = [[0.5, 0.0], [0.5, 1.0]]
[[rules]]
name = "gate"
kind = "line"
line = "gate"
anchor = "center"
[evidence]
"""
