"""Motion gate: models run only after motion; a pipeline of motion alone has no gate."""

from __future__ import annotations

import itertools
from types import SimpleNamespace

import numpy as np
import pytest

from edgefleet_agent.core.clock import SystemClock
from edgefleet_agent.pipeline.camera.event_publisher import EventPublisher
from edgefleet_agent.pipeline.camera.motion_gate import MotionGate
from edgefleet_agent.pipeline.observers import MOTION_HOLD_S
from edgefleet_agent.vision.frame import Frame
from edgefleet_contract.core.errors import PipelineError
from edgefleet_contract.pipeline.graph import MotionNode, compile_graph
from edgefleet_contract.pipeline.spec import read_pipeline
from edgefleet_contract.pipeline.stage_options import MotionOptions

RATE = 10
STAGES = """
name = "hall"
[source]
kind = "synthetic"
[[stages]]
name = "moves"
kind = "motion"
[[stages]]
name = "find"
kind = "detect"
model = "slot:detector"
from = "moves"
"""


def picture(index: int, left: int | None) -> Frame:
    plane = np.full((120, 160), 90, np.uint8)
    if left is not None:
        plane[40:80, left : left + 30] = 220
    return Frame(index, index / RATE, 0.0, 160, 120, "gray", (plane,))


def test_it_opens_with_the_first_motion_and_closes_after_the_last() -> None:
    gate = MotionGate(MotionNode("moves", MotionOptions(), gates=True, hold_s=1.0, idle_every_s=2.0), 160, 120)
    moving = range(100, 130)
    opened, quiet = [], []
    for index in range(200):
        if gate.opens(picture(index, 3 * (index - 100) if index in moving else None)):
            opened.append(index)
            quiet += gate.take_quiet()
    quiet += gate.take_quiet()
    assert set(moving) <= set(opened)
    assert set(range(130, 138)) <= set(opened)
    calm = [index for index in opened if 20 <= index < 100]
    assert [later - earlier for earlier, later in itertools.pairwise(calm)] == [20] * (len(calm) - 1)
    assert sorted([round(moment * RATE) for moment in quiet] + opened) == list(range(200))  # every frame was judged


def test_a_pipeline_of_motion_alone_is_never_gated() -> None:
    gate = MotionGate(MotionNode("moves", MotionOptions(), gates=False, hold_s=1.0, idle_every_s=2.0), 160, 120)
    assert all(gate.opens(picture(index, None)) for index in range(50))


def test_whether_anything_moves() -> None:
    gate = MotionGate(MotionNode("moves", MotionOptions(), gates=False, hold_s=1.0, idle_every_s=2.0), 160, 120)
    moves = []
    for index in range(60):
        gate.opens(picture(index, 3 * (index - 30) if 30 <= index < 40 else None))
        moves.append(gate.moves)
    assert (any(moves[:30]), moves[32:40], any(moves[42:])) == (False, [True] * 8, False)


def test_changes_of_motion_reach_the_observers() -> None:
    reported: list[bool] = []
    observers = SimpleNamespace(on_motion=lambda name, moves: reported.append(moves))
    publisher = EventPublisher(read_pipeline(STAGES, "test"), SimpleNamespace(), observers, SystemClock())  # type: ignore[arg-type]
    for media_s, moves in ((0.0, False), (1.0, True), (1.1, False), (20.0, True), (21.0, False), (49.9, False)):
        publisher.report_motion(moves, media_s)
    assert reported == [False, True]
    publisher.report_motion(False, 20.0 + MOTION_HOLD_S)
    assert reported == [False, True, False]


def test_the_graph_knows_its_gate() -> None:
    graph = compile_graph(read_pipeline(STAGES, "test"))
    assert graph.motion == MotionNode("moves", MotionOptions(), gates=True, hold_s=2.0, idle_every_s=1.0)
    open_graph = compile_graph(read_pipeline(STAGES.replace('from = "moves"', ""), "test"))
    assert open_graph.motion is not None
    assert not open_graph.motion.gates


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ('kind = "motion"', 'kind = "motion"\nmodel = "slot:x"', "a motion stage has no `model`"),
        ('kind = "motion"', 'kind = "motion"\noptions = {threshold = 0}', "goes from 1 to 255"),
        (
            'kind = "motion"',
            'kind = "motion"\noptions = {speed = 3}',
            "known are hold_s, idle_every_s, join, min_area, threshold",
        ),
        ('from = "moves"', 'from = "find"', "earlier stages are moves"),
        ('from = "moves"', '[[stages]]\nname = "again"\nkind = "motion"', "comes first, once"),
    ],
)
def test_what_cannot_work(before: str, after: str, message: str) -> None:
    with pytest.raises(PipelineError, match=message):
        compile_graph(read_pipeline(STAGES.replace(before, after), "test"))
