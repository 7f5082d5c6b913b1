"""Runs the motion stage of a pipeline: finds moving regions and decides whether the models compute a frame."""

from __future__ import annotations

from edgefleet_agent.vision.detections import Detections
from edgefleet_agent.vision.frame import Frame
from edgefleet_agent.vision.image.motion_detector import MotionDetector
from edgefleet_contract.pipeline.nodes import MotionNode

QUIET_MAX = 1000
"""Limit of stored times of quiet frames between two frames that pass."""


class MotionGate:
    """One source at one size. Used by the capture thread only."""

    def __init__(self, moves: MotionNode, width: int, height: int) -> None:
        self._moves = moves
        self._detector = MotionDetector(width, height, moves.options)
        self._open_until_s = 0.0
        self._recheck_at_s = 0.0
        self._quiet: list[float] = []
        self.boxes = Detections.empty()
        self.moves = False
        self.left_out = 0

    def opens(self, frame: Frame, *, forced: bool = False) -> bool:
        """Whether the models compute this frame; `boxes` are the moving regions in it, of which `left_out` were too many, `moves`
        whether any moves. forced: pass it in any case.

        While the light settles, motion cannot be judged and every frame passes.
        """
        motion = self._detector.detect(frame, frame.media_s)
        self.boxes, self.moves, self.left_out = motion.boxes, motion.moves, motion.left_out
        if not self._moves.gates:
            return True
        if motion.moves or motion.settling:
            self._open_until_s = frame.media_s + self._moves.hold_s
        if forced or frame.media_s < self._open_until_s or frame.media_s >= self._recheck_at_s:
            self._recheck_at_s = frame.media_s + self._moves.idle_every_s
            return True
        if len(self._quiet) < QUIET_MAX:
            self._quiet.append(frame.media_s)
        return False

    def take_quiet(self) -> list[float]:
        """Media times of the frames that did not pass since the last call."""
        quiet, self._quiet = self._quiet, []
        return quiet
