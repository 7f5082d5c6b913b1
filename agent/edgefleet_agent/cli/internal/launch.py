"""`edgefleet-agent launch`: what systemd starts. Chooses the agent's version, counts the starts of one on trial, and becomes it.

It runs in the environment that came with the device and stays as it is: whatever an update breaks, this still starts. A
version on trial that is started `STARTS_MAX` times without having passed (it crashed, it hung and the watchdog ended it, the
power went) is rolled back here, before it runs again.
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
    parser.add_argument(
        "--config", type=Path, default=configuration.DEFAULT, metavar="F", help="settings (TOML); default: %(default)s"
    )


def run(arguments: argparse.Namespace) -> int:
    """Become the agent that shall run."""
    from edgefleet_agent.service.version import agent_version

    logging.basicConfig(format="%(levelname)s %(message)s")
    python, entry, digest = prepare(Path(configuration.read_settings(arguments.config).state), agent_version(), time.time())
    launched = {agent_versions.RUNNING: digest, agent_versions.LAUNCHER: sys.executable, "PYTHONSAFEPATH": "1"}
    launched[agent_versions.LAUNCHER_ENTRY] = agent_versions.OWN_ENTRY
    os.execve(  # noqa: S606 (this very process becomes the service, which systemd watches)
        python, [str(python), "-I", "-m", entry, "run", "--config", str(arguments.config)], {**os.environ, **launched}
    )


def prepare(state: Path, own_version: str, now: float) -> tuple[Path, str, str]:
    """The interpreter to become, its entry module and the digest of its package ("": what came with the device).

    The start is on record then.
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
        # Without counting a start, what is on trial is not started either.
        log.error("%s; the agent that came with the device is started", error)
    return Path(sys.executable), agent_versions.OWN_ENTRY, ""


def choose(record: SlotRecord, own_version: str, version_of: Callable[[str], str | None], now: float) -> SlotRecord:
    """The record as it has to be before what it says is started. `version_of` an environment's digest: None = it cannot run.

    Pure. A trial's start is counted; one too many rolls it back. What cannot run gives way to what is committed, in the end to
    the agent that came with the device; so does one that is older than that (a newer Debian package was installed).
    """
    trial = record.trial
    if trial is not None:
        if trial.interruptions >= STARTS_MAX:
            text = f"it was started {trial.interruptions} times and did not pass its trial"
            record = roll_back(record, Reason.TRIAL_CRASH, text, now)
        elif version_of(trial.digest) is None:
            record = roll_back(record, Reason.MODEL_REFUSED, "its environment is not whole", now)
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
    """`1.10.2-rc1` as (1, 10, 2): what comes after the numbers does not count."""
    return tuple(int(part) for part in re.findall(r"\d+", version.split("-")[0].split("+")[0])[:3])
