"""`edgefleet-agent run`: the service. Builds and connects the components, then runs the loop until a signal stops it."""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import logging
import os
import signal
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from edgefleet_agent import settings as configuration
from edgefleet_agent.cli.status import StatusClient
from edgefleet_agent.cli.support.serving_options import as_options
from edgefleet_agent.core.clock import SystemClock
from edgefleet_agent.link.boot_counters import BootCounters
from edgefleet_agent.link.evidence_uploader import EvidenceUploader
from edgefleet_agent.link.uplink import Uplink
from edgefleet_agent.machine.profiles import usual_runtimes
from edgefleet_agent.machine.trusted_time import TrustedTime
from edgefleet_agent.machine.vitals import VitalsProbe, boot_id, hardware, installed_runtimes
from edgefleet_agent.model_store.blob_store import BlobStore
from edgefleet_agent.model_store.local_sources import LocalSources
from edgefleet_agent.model_store.package_store import DeviceTarget as Needs
from edgefleet_agent.model_store.package_store import PackageStore
from edgefleet_agent.model_store.slot_store import SlotStore
from edgefleet_agent.model_store.trust import MetadataStaging
from edgefleet_agent.service.connections import build_connection, build_transports
from edgefleet_agent.service.identity_watch import IdentityWatch
from edgefleet_agent.service.journald import JournalHandler, under_journald
from edgefleet_agent.service.pipeline_watch import PipelineWatch
from edgefleet_agent.service.profile_choice import NONE, ROOT, ProfileStatus, own_profile
from edgefleet_agent.service.version import agent_version
from edgefleet_agent.settings import Pipelines, Settings, UpdateSettings
from edgefleet_agent.sinks.jsonl import JsonLinesSink
from edgefleet_agent.sources import credentials
from edgefleet_agent.supervisor.certificate_renewal import CertificateRenewal
from edgefleet_agent.supervisor.commands import CommandHandler, CommandOffer, LogRing
from edgefleet_agent.supervisor.device import Device
from edgefleet_agent.supervisor.inbox import Inbox
from edgefleet_agent.supervisor.loop import Loop
from edgefleet_agent.supervisor.worker_client import WorkerClient
from edgefleet_agent.supervisor.worker_process import WorkerProcess, notify_systemd, watchdog_s
from edgefleet_agent.updates.agent_versions import LAUNCHER, own_tag
from edgefleet_agent.updates.deferral import DeferralRules, MaintenanceHours
from edgefleet_agent.updates.delta_patcher import DeltaPatcher
from edgefleet_agent.updates.self_update import SelfUpdate
from edgefleet_agent.updates.selftest_runner import SelfTestRunner
from edgefleet_agent.updates.signature_checker import SignatureChecker
from edgefleet_agent.updates.usb_import import UsbImports
from edgefleet_contract.core.atomic_files import as_store_error, make_folder, read_if_there
from edgefleet_contract.core.errors import ManifestError, StoreError, UnavailableError
from edgefleet_contract.encoding.codec import encode
from edgefleet_contract.mqtt.events import LinkEvent
from edgefleet_contract.pipeline.fleet_pipeline import PIPELINE_RUNTIME
from edgefleet_contract.wire.messages import Event, PresenceMessage

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Commandlines:
    """The other processes of the agent. The worker's is completed by a socket's number, the self-test's by a folder."""

    worker: list[str] = field(default_factory=lambda: [sys.executable, "-m", "edgefleet_agent", "worker", "--fd"])
    selftest: list[str] = field(default_factory=lambda: [sys.executable, "-m", "edgefleet_agent", "selftest", "--json"])
    trust: list[str] = field(default_factory=lambda: [sys.executable, "-m", "edgefleet_agent", "trust"])
    patch: list[str] = field(default_factory=lambda: [sys.executable, "-m", "edgefleet_agent", "patch"])
    environment: list[str] = field(default_factory=lambda: [sys.executable, "-m", "edgefleet_agent", "environment"])
    certificate: list[str] = field(default_factory=lambda: [sys.executable, "-m", "edgefleet_agent", "certificate"])
    bench: list[str] = field(default_factory=lambda: [sys.executable, "-m", "edgefleet_agent", "bench"])


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `run`."""
    parser.add_argument(
        "--config", type=Path, default=configuration.DEFAULT, metavar="F", help="settings (TOML); default: %(default)s"
    )
    parser.add_argument("--verbose", action="store_true", help="log more")


def run(arguments: argparse.Namespace) -> int:
    """Run until SIGTERM or SIGINT."""
    settings = configuration.read_settings(arguments.config)
    return serve(settings, _commandlines(settings), verbose=arguments.verbose, config=arguments.config)


def _commandlines(settings: Settings) -> Commandlines:
    api = settings.serving
    if settings.secrets:  # only the worker reads it; its children are decoders
        os.environ[credentials.FILE_VARIABLE] = settings.secrets
    evidence = settings.evidence
    state = Path(settings.state).absolute()
    options = ["--evidence", str(state / "evidence"), "--memory", str(state / "standing"), "--device", settings.device]
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
    return Commandlines(worker=[sys.executable, "-m", "edgefleet_agent", "worker", *options, "--fd"])


def serve(
    settings: Settings, commandlines: Commandlines, *, verbose: bool = False, config: Path | None = None, root: Path = ROOT
) -> int:
    """The service with these settings; other processes than the usual ones, and another `root` whose /proc, /sys and /dev tell
    what the machine is, are for tests. `config`: for the launcher.

    Raises:
        EdgefleetError: it cannot start; the text says what to do.
    """
    ring = LogRing()
    _set_up_log(ring, settings.device, verbose=verbose)
    pipelines = configuration.read_pipelines(settings.pipelines)
    for text in pipelines.errors.values():
        log.error("%s; the other pipelines run", text)
    state = make_folder(Path(settings.state))
    stop = _StopSignal()
    with _only_one(state) as unlocked, StatusClient(state) as status, EventLog(settings.events_jsonl) as events:
        service = _build(settings, state, pipelines, commandlines, ring, events.write, root)
        service.device.start_troubles += [text for text in (unlocked, events.trouble) if text]
        log.info("edgefleet-agent %s, device %s, state in %s", agent_version(), settings.device, state)
        notify_systemd("READY=1")
        try:
            pulse = _WatchdogPulse(status)
            folder = PipelineWatch(
                settings.pipelines, pipelines, lambda read: service.device.set_own_pipelines(read.specs, read.errors)
            )

            def beat(snapshot: Callable[[], dict[str, Any]]) -> None:
                folder.poll(service.clock.monotonic())
                service.check_identity(service.clock.monotonic())
                pulse.beat(lambda: {**snapshot(), "profile": service.standing.plain()})

            service.loop.run(lambda: stop.requested or service.relaunching, beat)
        finally:
            if not service.relaunching:
                notify_systemd("STOPPING=1")
            service.close()
    if service.relaunching and not stop.requested and config is not None and service.device.self_update is not None:
        command = service.device.self_update.command_line(config)
        os.execv(command[0], command)  # noqa: S606 (the launcher takes this process over, and systemd goes on watching it)
    return 0


@dataclass(slots=True)
class Service:
    """The joined parts."""

    loop: Loop
    device: Device
    worker: WorkerProcess
    clock: SystemClock
    standing: ProfileStatus
    check_identity: Callable[[float], None]

    @property
    def relaunching(self) -> bool:
        """Another version of the agent shall run."""
        return self.device.self_update is not None and self.device.self_update.relaunching

    def close(self) -> None:
        """End the other processes, keep what they still say, and hang up."""
        self.device.selftests.stop()
        self.device.signatures.stop()
        self.device.renewal.stop()
        self.loop.wind_up(self.worker.stop())
        self.device.uplink.close(self.clock.wall())


def _build(
    settings: Settings,
    state: Path,
    pipelines: Pipelines,
    commandlines: Commandlines,
    ring: LogRing,
    on_event: Callable[[Event], None],
    root: Path,
) -> Service:
    clock = SystemClock()
    who = IdentityWatch(state, settings.device, clock.monotonic())
    identity = who.identity
    known_time = TrustedTime(state, identity.issued_at if identity else 0.0, clock.monotonic())
    own = own_profile(settings.profile, root)
    profile = own.profile
    runtimes = settings.runtimes or usual_runtimes(profile, installed_runtimes())
    standing = ProfileStatus(own, runtimes)
    takes = (*runtimes, own_tag(), PIPELINE_RUNTIME)
    threads = settings.threads or (profile.threads if profile is not None else 0)
    machine = hardware()
    counters = BootCounters(state, boot_id())
    blobs = BlobStore(state)
    presence = PresenceMessage(
        device=settings.device,
        online=True,
        boot=counters.boot,
        connection=0,
        agent_version=agent_version(),
        profile=own.name,
        runtimes=[*runtimes, *([own_tag()] if LAUNCHER in os.environ else []), PIPELINE_RUNTIME],
        hardware=machine,
        labels={**(identity.labels if identity else {}), **settings.labels},
    )
    inbox: Inbox[LinkEvent] = Inbox()
    metadata_staging = MetadataStaging()
    local_sources = LocalSources()
    transports = build_transports(settings, state, local_sources, inbox)
    uplink = Uplink(
        state, presence, counters, blobs, metadata_staging, settings.link.resend_s, settings.link.report_s, transports
    )
    evidence = settings.evidence
    if evidence.upload or evidence.on_request:
        day_bytes = evidence.upload_bytes_per_day
        uplink.uploads = EvidenceUploader(state, state / "evidence", settings.device, frozenset(evidence.upload), day_bytes)
    worker = WorkerProcess(commandlines.worker, clock, inbox.wake)
    device = Device(
        id=settings.device,
        folder=state,
        packages=PackageStore(state, blobs, Needs(own.name, takes, profile, settings.fallback)),
        slots=SlotStore(state),
        worker=WorkerClient(worker, runtimes, own.name, threads, strict=not settings.fallback, cache=str(state / "engines")),
        selftests=SelfTestRunner([*commandlines.selftest, *_selftest_options(settings, own.name, runtimes, threads)]),
        signatures=SignatureChecker(_trust_command(settings, state, commandlines), metadata_staging),
        renewal=CertificateRenewal([*commandlines.certificate, "--state", str(state)], state, identity),
        uplink=uplink,
        pipelines=pipelines.specs,
        usb_imports=UsbImports(state, local_sources),
        patcher=DeltaPatcher(commandlines.patch, state, metadata_staging, local_sources),
        known_time=known_time,
        self_update=SelfUpdate.launched(state, [*commandlines.environment, "--state", str(state)], clock.monotonic()),
        own_errors=pipelines.errors,
        rules=_rules(settings.updates),
        models_bytes_max=settings.updates.models_bytes,
    )
    for slot, folder in settings.factory.items():
        _install_factory(device, slot, Path(folder))
    device.start(clock.monotonic(), clock.wall())
    device.connection_trouble = who.trouble
    if not who.trouble and (settings.broker or identity is not None):
        uplink.connect(build_connection(settings, identity, uplink, inbox, known_time))

    def check_identity(now: float) -> None:
        if who.mended(now) and who.identity is not None:
            device.renewal.identity = who.identity
            uplink.connect(build_connection(settings, who.identity, uplink, inbox, known_time))
        device.connection_trouble = who.trouble

    facts = {"agent_version": agent_version(), "hardware": machine, "runtimes": runtimes, "profile": own.name}
    bench = [*commandlines.bench, *(["--profile", own.name] if own.name else [])]
    commands = CommandHandler(device, ring, CommandOffer(facts, state / "evidence", evidence.on_request, bench))
    loop = Loop(device, inbox, commands, VitalsProbe(state), clock, counters.boot, settings.telemetry_s, on_event)
    return Service(loop, device, worker, clock, standing, check_identity)


def _rules(updates: UpdateSettings) -> DeferralRules:
    window = MaintenanceHours.parse(updates.maintenance_window) if updates.maintenance_window else None
    return DeferralRules(updates.max_temperature_c, window, updates.inhibit_file)


def _install_factory(device: Device, slot: str, folder: Path) -> None:
    """A device whose factory package is missing or damaged still has to be reachable, and may run a newer one."""
    try:
        device.factories[slot] = folder
        device.install_factory(slot, device.packages.install_folder(folder))
    except (ManifestError, StoreError) as error:
        log.error("no factory package for slot %s: %s", slot, error)


def _selftest_options(settings: Settings, profile: str, runtimes: list[str], threads: int) -> list[str]:
    options = ["--device", settings.device]
    options += ["--runtimes", ",".join(runtimes)] if runtimes else []
    options += ["--profile", profile or NONE]
    options += ["--strict"] if not settings.fallback else []
    return options + (["--threads", str(threads)] if threads else [])


def _trust_command(settings: Settings, state: Path, commandlines: Commandlines) -> list[str] | None:
    """The command that verifies signed metadata; None if this device has no trust root."""
    command = [*commandlines.trust, "--state", str(state)]
    if settings.trust_root:
        return [*command, "--root", settings.trust_root]
    if (state / "trust" / "metadata.json").is_file():
        return command
    if settings.broker:
        log.warning("no trust root: this device takes whatever its server says; enrol it, or set `trust_root`")
    return None


class EventLog:
    """Writes events as JSON lines to a file on the device, if `path` is set. A failure is logged once and loses lines of this
    file only.

    `trouble`: why the file could not be opened; no event is written there until the next start. Empty if it is open.
    """

    def __init__(self, path: str) -> None:
        self._sink: JsonLinesSink | None = None
        self._failing = False
        self.trouble = ""
        try:
            if path:
                make_folder(Path(path).parent)
                self._sink = JsonLinesSink(Path(path))
        except StoreError as error:
            self.trouble = f"{error}; events are not written there until the next start"
            log.error("%s", self.trouble)

    def __enter__(self) -> EventLog:
        return self

    def __exit__(self, *_error: object) -> None:
        if self._sink is not None:
            self._sink.close()

    def write(self, event: Event) -> None:
        """Append one line."""
        if self._sink is None:
            return
        try:
            self._sink.write(event)
        except StoreError as error:
            if not self._failing:
                log.error("%s", error)
            self._failing = True
        else:
            self._failing = False


class _WatchdogPulse:
    """After each turn: tell systemd that we live, and `status` how it is."""

    def __init__(self, status: StatusClient) -> None:
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


@contextlib.contextmanager
def _only_one(state: Path) -> Iterator[str]:
    """Hold the state folder for this process: the folder itself, which takes no disk, and `agent.lock` in it, which names the
    holder. Gives why there is no such file; empty: there is.

    Raises:
        UnavailableError: another agent has it.
        StoreError: the folder is not for this user.
    """
    path, trouble = state / "agent.lock", ""
    with contextlib.ExitStack() as handles:
        with as_store_error(state):
            folder = os.open(state, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            handles.callback(os.close, folder)
        try:
            with as_store_error(path):
                file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o640)
            handles.callback(os.close, file)
        except StoreError as error:
            if isinstance(error.__cause__, PermissionError):
                raise
            file, trouble = None, f"{error}; the folder itself is locked"
            log.error("%s", trouble)
        for handle in (folder, file):
            if handle is not None:
                _lock(handle, state, path)
        if file is not None:
            with contextlib.suppress(OSError):  # a full disk; the lock holds without our number
                os.pwrite(file, f"{os.getpid()}".ljust(16).encode(), 0)
        yield trouble


def _lock(handle: int, state: Path, named: Path) -> None:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        holder = (read_if_there(named, 32) or b"").decode(errors="replace").strip() or "unknown"
        raise UnavailableError(
            f"another edgefleet-agent (pid {holder}) runs on {state}; stop it, or give this one another `state` folder"
        ) from error


def _set_up_log(ring: LogRing, device: str, *, verbose: bool) -> None:
    """To journald with fields where it reads us, else to stderr; and into memory for the command `logs`."""
    to_stderr = logging.StreamHandler()
    to_stderr.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    outward: logging.Handler = JournalHandler(device, to_stderr) if under_journald() else to_stderr
    logging.basicConfig(level=logging.DEBUG if verbose else logging.INFO, handlers=[outward, ring], force=True)
