"""Makes a support bundle on the request of an operator, and uploads it: in blocks, so that a lost connection loses nothing."""

from __future__ import annotations

import tempfile
from pathlib import Path

from edgefleet_agent.sources.redact import scrub
from edgefleet_agent.supervisor.diagnosis.child_output import ChildOutput, last_line
from edgefleet_agent.supervisor.diagnosis.long_command import Answer, FileUpload
from edgefleet_contract.core.atomic_files import make_folder
from edgefleet_contract.wire.evidence_upload import SUPPORT_BYTES_MAX
from edgefleet_contract.wire.messages import Command

MAKE_S_MAX = 240.0
OUTPUT_BYTES_MAX = 16 * 1024


class SupportBundle:
    """One bundle. `program`: makes `file`, completed by options; `upload`: of this file; `log`: the lines of the log in memory.

    Raises:
        EdgefleetError: it cannot be made; the text says why.
    """

    def __init__(self, command: Command, program: list[str], file: Path, upload: FileUpload, log: list[str], now: float) -> None:
        self._file, self._upload = file, upload
        self._log = tempfile.NamedTemporaryFile(mode="w", encoding="utf-8", suffix=".log")  # noqa: SIM115 (closed in `stop`)
        self._log.write("\n".join(log))
        self._log.flush()
        make_folder(self._file.parent)
        options = ["--log", self._log.name, "--output", str(self._file)]
        self._child: ChildOutput | None = ChildOutput([*program, *options], now, MAKE_S_MAX, OUTPUT_BYTES_MAX)
        self._result = {"bundle": command.id, "bytes": 0}

    def turn(self, now: float, wall: float, /) -> Answer | None:
        if self._child is None:
            return self._upload.turn(self._result)
        done = self._child.turn(now)
        if done is None:
            return None
        self.stop()
        code, text = done
        length = self._file.stat().st_size if self._file.is_file() else 0
        if code != 0 or not 0 < length <= SUPPORT_BYTES_MAX:
            self._file.unlink(missing_ok=True)
            reason = scrub(last_line(text, f"its program exited with code {code}"))[:500]
            return False, f"the support bundle was not made: {reason}" if code is not None else "it took too long to make", {}
        self._result["bytes"] = length
        self._upload.begin(wall)
        return None

    def stage(self) -> str:
        return "the support bundle is being made" if self._child is not None else "the support bundle is being uploaded"

    def stop(self) -> None:
        """End the program. An upload that has begun continues and arrives later."""
        if self._child is not None:
            self._child.stop()
            self._child = None
        self._log.close()
