"""Command lines of the agent's other processes."""

from __future__ import annotations

import logging
import sys
from dataclasses import dataclass, field
from pathlib import Path

from edgefleet_agent.service.profile_choice import NONE
from edgefleet_agent.settings import Settings

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Commandlines:
    """Command lines of the agent's other processes. A socket's number is appended to those of worker and sinks, a folder to the
    self-test's."""

    worker: list[str] = field(default_factory=lambda: [sys.executable, "-m", "edgefleet_agent", "worker", "--fd"])
    selftest: list[str] = field(default_factory=lambda: [sys.executable, "-m", "edgefleet_agent", "selftest", "--json"])
    trust: list[str] = field(default_factory=lambda: [sys.executable, "-m", "edgefleet_agent", "trust"])
    patch: list[str] = field(default_factory=lambda: [sys.executable, "-m", "edgefleet_agent", "patch"])
    environment: list[str] = field(default_factory=lambda: [sys.executable, "-m", "edgefleet_agent", "environment"])
    certificate: list[str] = field(default_factory=lambda: [sys.executable, "-m", "edgefleet_agent", "certificate"])
    sink: list[str] = field(default_factory=lambda: [sys.executable, "-m", "edgefleet_agent", "sink", "--fd"])
    bench: list[str] = field(default_factory=lambda: [sys.executable, "-m", "edgefleet_agent", "bench"])
    doctor: list[str] = field(default_factory=lambda: [sys.executable, "-m", "edgefleet_agent", "doctor"])
    diagnose: list[str] = field(default_factory=lambda: [sys.executable, "-m", "edgefleet_agent", "diagnose"])
    support: list[str] = field(default_factory=lambda: [sys.executable, "-m", "edgefleet_agent", "support-bundle"])
    journal: list[str] = field(default_factory=lambda: ["journalctl", "--unit=edgefleet-agent"])
    enroll: list[str] = field(default_factory=list)
    """Empty: the service does not enroll its device."""


def selftest_options(settings: Settings, profile: str, runtimes: list[str], threads: int) -> list[str]:
    """Options of a self-test on this device. threads: 0 leaves the choice to the runtime."""
    options = ["--device", settings.device]
    options += ["--runtimes", ",".join(runtimes)] if runtimes else []
    options += ["--profile", profile or NONE]
    options += ["--strict"] if not settings.fallback else []
    return options + (["--threads", str(threads)] if threads else [])


def enroll_command(settings: Settings, config: Path) -> list[str]:
    """The command that enrolls this device by `[enroll]` of its settings, the file `config`; empty without it, and where the
    settings name a broker."""
    enroll = settings.enroll
    if not enroll.url or settings.broker:
        return []
    trusted = ["--ca-sha256", enroll.ca_sha256] if enroll.ca_sha256 else ["--ca", enroll.ca] if enroll.ca else []
    command = [sys.executable, "-m", "edgefleet_agent", "enroll", enroll.url, "--token-file", enroll.token_file]
    return [*command, *trusted, "--config", str(config.absolute())]


def trust_command(settings: Settings, state: Path, commandlines: Commandlines) -> list[str] | None:
    """The command that verifies signed metadata; None if this device has no trust root."""
    command = [*commandlines.trust, "--state", str(state)]
    if settings.trust_root:
        return [*command, "--root", settings.trust_root]
    if takes_signed_only(settings, state):
        return command
    if settings.broker:
        log.warning("no trust root: this device accepts unsigned packages from its server; enroll it or set `trust_root`")
    return None


def takes_signed_only(settings: Settings, state: Path) -> bool:
    """Whether this device has a trust root. A device that was enrolled has one, also where its disk has lost it, or its whole
    state folder: then no package is trusted."""
    signs = (state / "identity", state / "trust" / "metadata.json", state / "trust" / "anchor.json")
    moved = state.absolute() != Path(settings.state).absolute()
    return bool(settings.trust_root) or moved or any(sign.exists() for sign in signs)
