"""The form of a command of an operator that takes a while."""

from __future__ import annotations

import re
from typing import Any, Protocol

from edgefleet_contract.wire.evidence_upload import EVENT_PATTERN

Answer = tuple[bool, str, dict[str, Any]]

PICTURES = "_requested"
"""Folder of files that were asked for, in that of evidence: no pipeline can have this name."""
COMMAND_ID = re.compile(EVENT_PATTERN)


class LongCommand(Protocol):
    """One thing on its way."""

    def turn(self, now: float, wall: float, /) -> Answer | None:
        """The answer, once there is one."""

    def stage(self) -> str:
        """The step in progress, for the reply at the deadline."""

    def stop(self) -> None:
        """Give it up."""


class FileUpload(Protocol):
    """The upload of a file, as the last step of a command."""

    def begin(self, wall: float) -> None:
        """
        Raises:
            EdgefleetError: it cannot be sent; the text says why.
        """

    def turn(self, result: dict[str, Any]) -> Answer | None:
        """The answer, once the server has the file or refuses it."""
