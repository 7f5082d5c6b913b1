"""Self-update: the agent's own version as a slot; its trial, and the switch to another version."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from edgefleet_agent.updates import agent_versions
from edgefleet_agent.updates.state import TrialWatch
from edgefleet_contract.package.agent_package import AGENT_SLOT
from edgefleet_contract.wire.messages import Running


@dataclass(slots=True)
class SelfUpdate:
    """The running version. `digest`: of its package; empty for the version installed with the device. `launcher`: interpreter and
    entry module of the launcher. `command` tests another version. Times are monotonic seconds.

    `relaunching`: the process ends as soon as possible and is replaced by the launcher.
    """

    state: Path
    digest: str
    launcher: tuple[str, str]
    command: list[str]
    began_s: float
    loaded_s: float | None = None
    server_contact: bool = False
    relaunching: bool = False

    @classmethod
    def launched(cls, state: Path, command: list[str], now: float) -> SelfUpdate | None:
        """Creates it from the launcher's environment variable; None without a launcher: the agent then does not update itself."""
        python = os.environ.get(agent_versions.LAUNCHER, "")
        launcher = python, os.environ.get(agent_versions.LAUNCHER_ENTRY, agent_versions.OWN_ENTRY)
        return cls(state, os.environ.get(agent_versions.RUNNING, ""), launcher, command, now) if python else None

    def running(self, version: str) -> Running | None:
        """The running version, for the slot's report."""
        return Running(package=AGENT_SLOT, version=version, digest=self.digest) if self.digest else None

    def watch(self, trial: str | None, *, worker_up: bool, now: float) -> TrialWatch:
        """Observations of the agent's trial. Its time starts when the worker runs; a crash of the agent increases the count of
        starts, not a count here.

        In a process that is not the version on trial (it is about to be replaced), no time passes.
        """
        if trial != self.digest:
            return TrialWatch(began_s=now)
        if worker_up and self.loaded_s is None:
            self.loaded_s = now
        return TrialWatch(
            began_s=self.began_s, loaded_s=self.loaded_s, server_contact=self.server_contact and self.loaded_s is not None
        )

    def command_line(self, config: Path) -> list[str]:
        """The launcher's command line, by which this process is replaced."""
        python, entry = self.launcher
        return [python, "-I", "-m", entry, "launch", "--config", str(config)]
