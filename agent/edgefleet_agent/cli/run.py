"""`edgefleet-agent run`: the service, until a signal stops it. `service.composition` builds it."""

from __future__ import annotations

import argparse
import logging
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from edgefleet_agent import settings as configuration
from edgefleet_agent.cli.support.config_option import add_config_option
from edgefleet_agent.cli.support.serving_options import as_options
from edgefleet_agent.core.clock import SystemClock
from edgefleet_agent.core.disk_faults import DiskFaults
from edgefleet_agent.core.ep_libraries import set_libraries
from edgefleet_agent.service.commandlines import Commandlines, enroll_command
from edgefleet_agent.service.composition import Service, build
from edgefleet_agent.service.event_log import EventLog
from edgefleet_agent.service.journald import log_handler
from edgefleet_agent.service.pipeline_watch import PipelineWatch
from edgefleet_agent.service.profile_choice import ROOT
from edgefleet_agent.service.state_folder import StateFolder
from edgefleet_agent.service.state_lock import StateLock
from edgefleet_agent.service.status_socket import StatusSocket
from edgefleet_agent.service.version import agent_version
from edgefleet_agent.settings import Settings
from edgefleet_agent.sinks.event_sinks import EventSinks
from edgefleet_agent.sinks.host import SinkStart
from edgefleet_agent.sources import credentials
from edgefleet_agent.supervisor.diagnosis.log_ring import LogRing
from edgefleet_agent.supervisor.worker.worker_process import notify_systemd, watchdog_s
from edgefleet_contract.core.volatile_disk import volatile_warning
from edgefleet_contract.encoding.codec import encode
from edgefleet_contract.wire.messages import Event

log = logging.getLogger(__name__)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `run`."""
    add_config_option(parser)
    parser.add_argument("--verbose", action="store_true", help="Log debug messages")


def run(arguments: argparse.Namespace) -> int:
    """Run until SIGTERM or SIGINT."""
    settings = configuration.read_settings(arguments.config)
    config: Path = arguments.config
    return serve(settings, lambda state: _commandlines(settings, state, config), verbose=arguments.verbose, config=config)


def _sink_starts(settings: Settings, config: Path | None) -> list[SinkStart]:
    folder = str(config.resolve().parent if config is not None else Path.cwd())
    return [
        SinkStart(kind=each.kind, name=name, device=settings.device, folder=folder, options=each.options)
        for name, each in settings.sinks.items()
    ]


def _commandlines(settings: Settings, state: Path, config: Path) -> Commandlines:
    api = settings.serving
    if settings.secrets:  # only the worker reads it; its children are decoders
        os.environ[credentials.FILE_VARIABLE] = settings.secrets
    set_libraries(settings.ep_libraries)
    evidence = settings.evidence
    state = state.absolute()
    options = ["--evidence", str(state / "evidence"), "--stationary", str(state / "stationary"), "--device", settings.device]
    options += [
        "--evidence-bytes",
        str(evidence.keep_bytes),
        "--evidence-days",
        str(evidence.keep_days),
        "--events-bytes",
        str(evidence.events_bytes),
    ]
    options += ["--local-api", encode(settings.local_api).decode()]
    options += ["--splits", str(state / "splits.json"), *as_options(api)]
    worker = [sys.executable, "-m", "edgefleet_agent", "worker", *options, "--fd"]
    # A substitute of the state folder would lose the identity.
    lasting = state == Path(settings.state).absolute()
    support = [sys.executable, "-m", "edgefleet_agent", "support-bundle", "--config", str(config.absolute())]
    return Commandlines(worker=worker, support=support, enroll=enroll_command(settings, config) if lasting else [])


def serve(
    settings: Settings,
    commandlines: Callable[[Path], Commandlines],
    *,
    verbose: bool = False,
    config: Path | None = None,
    root: Path = ROOT,
) -> int:
    """Run the service with these settings; again if the state folder can be used only later, or the device got its identity.
    Tests give other command lines (by the state folder), and another `root` whose /proc, /sys and /dev describe the machine.
    `config`: for the launcher.

    Raises:
        EdgefleetError: it cannot start; the text gives the remedy.
    """
    ring = LogRing()
    _set_up_log(ring, settings.device, verbose=verbose)
    stop = _StopSignal()
    while True:
        faults = DiskFaults()
        folder = StateFolder(Path(settings.state), faults)
        if folder.path == Path(settings.state) and (warning := volatile_warning("state folder", folder.path)):
            log.warning("%s", warning)
        service = _serve_in(folder, faults, settings, commandlines(folder.path), ring, stop, root, _sink_starts(settings, config))
        if stop.requested or not (folder.turned_up or service.first_enrolment.enrolled):
            break
    own = service.device.processes.self_update
    if own is not None and own.relaunching and not stop.requested and config is not None:
        command = own.command_line(config)
        os.execv(command[0], command)  # noqa: S606 (the launcher takes this process over, and systemd goes on watching it)
    return 0


def _serve_in(
    folder: StateFolder,
    faults: DiskFaults,
    settings: Settings,
    commandlines: Commandlines,
    ring: LogRing,
    stop: _StopSignal,
    root: Path,
    sink_starts: list[SinkStart],
) -> Service:
    """Run the service in one state folder, until it is stopped, another version has to be started, or another folder or the
    first identity is there. Returns the closed service."""
    state = folder.path
    pipelines = configuration.read_pipelines(settings.pipelines)
    for text in pipelines.errors.values():
        log.error("%s; other pipelines are not affected", text)
    with (
        StateLock(state, faults) as lock,
        StatusSocket(state, faults) as status,
        EventLog(settings.events_jsonl, faults) as events,
        EventSinks(commandlines.sink, sink_starts) as sinks,
    ):

        def on_event(event: Event) -> None:
            events.write(event)
            sinks.put(event)

        service = build(settings, state, pipelines, commandlines, ring, on_event, root, faults)
        log.info("edgefleet-agent %s, device %s, state in %s", agent_version(), settings.device, state)
        notify_systemd("READY=1")
        try:
            pulse = _WatchdogPulse(status)
            watch = PipelineWatch(settings.pipelines, pipelines, service.device.pipelines.set_own)

            def beat(snapshot: Callable[[], dict[str, Any]]) -> None:
                lock.turn()
                status.turn()
                folder.turn()
                watch.poll(service.clock.monotonic())
                service.check_identity(service.clock.monotonic())
                service.device.state.sink_faults = sinks.faults()
                pulse.beat(lambda: {**snapshot(), "profile": service.profile.plain(), "sinks": sinks.status()})

            def again() -> bool:
                return service.relaunching or folder.turned_up or service.first_enrolment.enrolled

            service.loop.run(lambda: stop.requested or again(), beat)
        finally:
            if not again():
                notify_systemd("STOPPING=1")
            service.close()
    return service


class _WatchdogPulse:
    """Notifies systemd's watchdog and updates the data of `status` after each turn."""

    def __init__(self, status: StatusSocket) -> None:
        self._status = status
        self._clock = SystemClock()
        self._every_s = watchdog_s()
        self._notified_s = 0.0
        self._shown_s = 0.0

    def beat(self, snapshot: Callable[[], dict[str, Any]]) -> None:
        now = self._clock.monotonic()
        if self._every_s is not None and now - self._notified_s >= self._every_s:
            self._notified_s = now
            notify_systemd("WATCHDOG=1")
        if now - self._shown_s >= 1.0:
            self._shown_s = now
            self._status.show(snapshot())


class _StopSignal:
    """SIGTERM and SIGINT set `asked`; the loop sees it within one turn."""

    def __init__(self) -> None:
        self.requested = False
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._ask)

    def _ask(self, _number: int, _frame: object) -> None:
        self.requested = True


def _set_up_log(ring: LogRing, device: str, *, verbose: bool) -> None:
    """Log to journald or stderr, and to memory for the command `logs`."""
    logging.basicConfig(level=logging.DEBUG if verbose else logging.INFO, handlers=[log_handler(device), ring], force=True)
