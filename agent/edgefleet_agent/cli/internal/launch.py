"""`edgefleet-agent launch`: started by systemd. Chooses the agent's version, counts the starts of a version on trial, and
replaces itself by it.

It runs in the environment installed with the device, which no update changes, so that it still starts after a broken update. A
version on trial that was started `STARTS_MAX` times without passing (a crash, a hang ended by the watchdog, a power cut) is
rolled back here, before it runs again.
"""

from __future__ import annotations

import argparse
import logging
import os
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace

from edgefleet_agent import settings as configuration
from edgefleet_agent.cli.support.config_option import add_config_option
from edgefleet_agent.model_store.slot_record import SlotRecord, interrupt, roll_back
from edgefleet_agent.model_store.slot_store import SlotStore
from edgefleet_agent.updates import agent_versions
from edgefleet_contract.core.errors import ManifestError, StoreError
from edgefleet_contract.package.agent_package import AGENT_SLOT
from edgefleet_contract.wire.reason_codes import Reason

STARTS_MAX = 3

log = logging.getLogger(__name__)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `launch`."""
    add_config_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Replace this process by the chosen version of the agent."""
    from edgefleet_agent.service.version import agent_version

    logging.basicConfig(format="%(levelname)s %(message)s")
    python, entry, digest = prepare(Path(configuration.read_settings(arguments.config).state), agent_version(), time.time())
    launched = {agent_versions.RUNNING: digest, agent_versions.LAUNCHER: sys.executable, "PYTHONSAFEPATH": "1"}
    launched[agent_versions.LAUNCHER_ENTRY] = agent_versions.OWN_ENTRY
    os.execve(  # noqa: S606 (this very process becomes the service, which systemd watches)
        python, [str(python), "-I", "-m", entry, "run", "--config", str(arguments.config)], {**os.environ, **launched}
    )


def prepare(state: Path, own_version: str, now: float) -> tuple[Path, str, str]:
    """Chooses the interpreter to start, its entry module and the digest of its package ("": the version installed with the
    device).

    The start is recorded before this returns.
    """
    try:
        slots = SlotStore(state)
        record = slots.read(AGENT_SLOT)
        chosen = choose(record, own_version, lambda found: runnable_version(state, found), now)
        if chosen != record:
            slots.write(AGENT_SLOT, chosen)
        if chosen.active is not None:
            environment = agent_versions.place(state, chosen.active)
            return agent_versions.python_of(environment), agent_versions.entry_of(environment), chosen.active
    except (StoreError, ManifestError) as error:
        # A version on trial is started only if the start can be counted.
        log.error("%s; starting the agent installed with the device", error)
    return Path(sys.executable), agent_versions.OWN_ENTRY, ""


def choose(record: SlotRecord, own_version: str, version_of: Callable[[str], str | None], now: float) -> SlotRecord:
    """Updates the record before the start of its active version. `version_of`: the version of an environment's digest, None if it
    cannot run.

    Pure. Counts the start of a trial; too many starts roll it back. A version that cannot run is replaced by the committed one,
    finally by the agent installed with the device; so is a version older than the installed one (a newer Debian package was
    installed).
    """
    trial = record.trial
    if trial is not None:
        if trial.interruptions >= STARTS_MAX:
            text = f"started {trial.interruptions} times without passing its trial"
            record = roll_back(record, Reason.TRIAL_CRASH, text, now)
        elif version_of(trial.digest) is None:
            record = roll_back(record, Reason.MODEL_REFUSED, "its environment is incomplete", now)
        else:
            return interrupt(record)
    if record.active is None:
        return record
    version = version_of(record.active)
    if version is None or _parts(version) < _parts(own_version):
        return replace(record, active=None, last_good=None, previous=None)
    return record


def runnable_version(state: Path, digest: str) -> str | None:
    """Version of a package's environment; None if it cannot run."""
    environment = agent_versions.place(state, digest)
    return agent_versions.version_of(environment) if agent_versions.usable(environment) else None


def _parts(version: str) -> tuple[int, ...]:
    """Parses `1.10.2-rc1` to (1, 10, 2); text after the numbers is ignored."""
    return tuple(int(part) for part in re.findall(r"\d+", version.split("-")[0].split("+")[0])[:3])
