"""The motion stage of a pipeline at work: what moves in a frame, and whether models should look at it."""

from __future__ import annotations

from edgefleet_agent.vision.detections import Detections
from edgefleet_agent.vision.frame import Frame
from edgefleet_agent.vision.image.motion_detector import MotionDetector
from edgefleet_contract.pipeline.nodes import MotionNode

QUIET_MAX = 1000
"""Times of quiet frames remembered between two looks."""


class MotionGate:
    """One source at one size. Used by the capture thread only."""

    def __init__(self, moves: MotionNode, width: int, height: int) -> None:
        self._moves = moves
        self._detector = MotionDetector(width, height, moves.options)
        self._open_until_s = 0.0
        self._look_at_s = 0.0
        self._quiet: list[float] = []
        self.boxes = Detections.empty()

    def opens(self, frame: Frame, *, forced: bool = False) -> bool:
        """Whether this frame is worth more than a look at what moves; `boxes` are of this frame then. forced: it is, in any case.

        While the light is settling nobody knows what moves: the gate stands open.
        """
        motion = self._detector.detect(frame, frame.media_s)
        self.boxes = motion.boxes
        if not self._moves.gates:
            return True
        if motion.moves or motion.settling:
            self._open_until_s = frame.media_s + self._moves.hold_s
        if forced or frame.media_s < self._open_until_s or frame.media_s >= self._look_at_s:
            self._look_at_s = frame.media_s + self._moves.check_s
            return True
        if len(self._quiet) < QUIET_MAX:
            self._quiet.append(frame.media_s)
        return False

    def take_quiet(self) -> list[float]:
        """Media times of the frames that it kept back since the last call."""
        quiet, self._quiet = self._quiet, []
        return quiet
