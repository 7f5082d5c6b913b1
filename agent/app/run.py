"""`edgefleet-agent run`: the service. Builds the parts, joins them, and turns the loop until it is told to stop."""

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

from agent import settings as configuration
from agent.app.door_options import as_options
from agent.app.journal import JournalHandler, under_journald
from agent.app.lines import line_of, ways_of
from agent.app.own_identity import OwnIdentity
from agent.app.own_profile import NONE, ROOT, Standing, own_profile
from agent.app.pipeline_folder import PipelineFolder
from agent.app.status import StatusDoor
from agent.app.version import agent_version
from agent.clock import SystemClock
from agent.contract.codec import encode
from agent.contract.fleet_pipeline import PIPELINE_RUNTIME
from agent.contract.messages import Event, Presence
from agent.durable import make_folder, read_if_there, told_as_store_error
from agent.environments import LAUNCHER, own_tag
from agent.errors import ManifestError, StoreError, UnavailableError
from agent.known_time import KnownTime
from agent.link.boot import BootCounters
from agent.link.mqtt import LinkEvent
from agent.link.uplink import Uplink
from agent.link.uploads import Uploads
from agent.model_store.blobs import BlobStore
from agent.model_store.near import NearBlobs
from agent.model_store.packages import Device as Needs
from agent.model_store.packages import PackageStore
from agent.model_store.slots import SlotStore
from agent.model_store.trust import Shelf
from agent.probe import Probe, boot_id, hardware, installed_runtimes
from agent.profiles import usual_runtimes
from agent.reconcile.arrivals import Arrivals
from agent.reconcile.candidate import SelfTester
from agent.reconcile.commands import Commands, LogRing, Offer
from agent.reconcile.deferral import Hours, Rules
from agent.reconcile.device import Device
from agent.reconcile.inbox import Inbox
from agent.reconcile.loop import Loop
from agent.reconcile.notary import Notary
from agent.reconcile.own import OwnUpdate
from agent.reconcile.patching import Patching
from agent.reconcile.renewal import Renewal
from agent.reconcile.worker import WorkerSide
from agent.settings import Pipelines, Settings, UpdateSettings
from agent.sinks.jsonl import JsonLinesSink
from agent.sources import credentials
from agent.supervise import Worker, notify_systemd, watchdog_s

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Commandlines:
    """The other processes of the agent. The worker's is completed by a socket's number, the self-test's by a folder."""

    worker: list[str] = field(default_factory=lambda: [sys.executable, "-m", "agent", "worker", "--fd"])
    selftest: list[str] = field(default_factory=lambda: [sys.executable, "-m", "agent", "selftest", "--json"])
    trust: list[str] = field(default_factory=lambda: [sys.executable, "-m", "agent", "trust"])
    patch: list[str] = field(default_factory=lambda: [sys.executable, "-m", "agent", "patch"])
    environment: list[str] = field(default_factory=lambda: [sys.executable, "-m", "agent", "environment"])
    certificate: list[str] = field(default_factory=lambda: [sys.executable, "-m", "agent", "certificate"])
    bench: list[str] = field(default_factory=lambda: [sys.executable, "-m", "agent", "bench"])


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
    if settings.secrets:  # the worker reads it, and nobody else; its children are decoders
        os.environ[credentials.FILE] = settings.secrets
    kept = settings.evidence
    state = Path(settings.state).absolute()
    options = ["--evidence", str(state / "evidence"), "--memory", str(state / "standing"), "--device", settings.device]
    options += ["--evidence-mb", str(kept.keep_mb), "--evidence-days", str(kept.keep_days), "--events-mb", str(kept.events_mb)]
    options += ["--face", encode(settings.face).decode()]
    options += ["--splits", str(state / "splits.json"), *as_options(api)]
    return Commandlines(worker=[sys.executable, "-m", "agent", "worker", *options, "--fd"])


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
    with _only_one(state) as unlocked, StatusDoor(state) as door, EventLog(settings.events_jsonl) as events:
        service = _build(settings, state, pipelines, commandlines, ring, events.write, root)
        service.device.start_troubles += [text for text in (unlocked, events.trouble) if text]
        log.info("edgefleet-agent %s, device %s, state in %s", agent_version(), settings.device, state)
        notify_systemd("READY=1")
        try:
            pulse = _Pulse(door)
            folder = PipelineFolder(settings.pipelines, pipelines, lambda read: service.device.set_own(read.specs, read.errors))

            def beat(snapshot: Callable[[], dict[str, Any]]) -> None:
                folder.look(service.clock.monotonic())
                service.look_for_identity(service.clock.monotonic())
                pulse.beat(lambda: {**snapshot(), "profile": service.standing.plain()})

            service.loop.run(lambda: stop.asked or service.relaunching, beat)
        finally:
            if not service.relaunching:
                notify_systemd("STOPPING=1")
            service.close()
    if service.relaunching and not stop.asked and config is not None and service.device.own is not None:
        command = service.device.own.command_line(config)
        os.execv(command[0], command)  # noqa: S606 (the launcher takes this process over, and systemd goes on watching it)
    return 0


@dataclass(slots=True)
class Service:
    """The joined parts."""

    loop: Loop
    device: Device
    worker: Worker
    clock: SystemClock
    standing: Standing
    look_for_identity: Callable[[float], None]

    @property
    def relaunching(self) -> bool:
        """Another version of the agent shall run."""
        return self.device.own is not None and self.device.own.relaunching

    def close(self) -> None:
        """End the other processes, keep what they still say, and hang up."""
        self.device.tester.stop()
        self.device.notary.stop()
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
    who = OwnIdentity(state, settings.device, clock.monotonic())
    identity = who.identity
    known_time = KnownTime(state, identity.issued_at if identity else 0.0, clock.monotonic())
    own = own_profile(settings.profile, root)
    profile = own.profile
    runtimes = settings.runtimes or usual_runtimes(profile, installed_runtimes())
    standing = Standing(own, runtimes)
    takes = (*runtimes, own_tag(), PIPELINE_RUNTIME)
    threads = settings.threads or (profile.threads if profile is not None else 0)
    machine = hardware()
    counters = BootCounters(state, boot_id())
    blobs = BlobStore(state)
    presence = Presence(
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
    shelf = Shelf()
    near = NearBlobs()
    ways = ways_of(settings, state, near, inbox)
    uplink = Uplink(state, presence, counters, blobs, shelf, settings.link.resend_s, settings.link.report_s, ways)
    kept = settings.evidence
    if kept.upload or kept.on_request:
        day_bytes = kept.upload_mb_per_day * 1_000_000
        uplink.uploads = Uploads(state, state / "evidence", settings.device, frozenset(kept.upload), day_bytes)
    worker = Worker(commandlines.worker, clock, inbox.wake)
    device = Device(
        id=settings.device,
        folder=state,
        packages=PackageStore(state, blobs, Needs(own.name, takes, profile, settings.fallback)),
        slots=SlotStore(state),
        worker=WorkerSide(worker, runtimes, own.name, threads, strict=not settings.fallback, cache=str(state / "engines")),
        tester=SelfTester([*commandlines.selftest, *_selftest_options(settings, own.name, runtimes, threads)]),
        notary=Notary(_trust_command(settings, state, commandlines), shelf),
        renewal=Renewal([*commandlines.certificate, "--state", str(state)], state, identity),
        uplink=uplink,
        pipelines=pipelines.specs,
        arrivals=Arrivals(state, near),
        patching=Patching(commandlines.patch, state, shelf, near),
        known_time=known_time,
        own=OwnUpdate.launched(state, [*commandlines.environment, "--state", str(state)], clock.monotonic()),
        own_errors=pipelines.errors,
        rules=_rules(settings.updates),
        models_bytes_max=settings.updates.models_mb * 1_000_000,
    )
    for slot, folder in settings.factory.items():
        _install_factory(device, slot, Path(folder))
    device.start(clock.monotonic(), clock.wall())
    device.no_line = who.trouble
    if not who.trouble and (settings.broker or identity is not None):
        uplink.connect(line_of(settings, identity, uplink, inbox, known_time))

    def look_for_identity(now: float) -> None:
        if who.mended(now) and who.identity is not None:
            device.renewal.identity = who.identity
            uplink.connect(line_of(settings, who.identity, uplink, inbox, known_time))
        device.no_line = who.trouble

    facts = {"agent_version": agent_version(), "hardware": machine, "runtimes": runtimes, "profile": own.name}
    bench = [*commandlines.bench, *(["--profile", own.name] if own.name else [])]
    commands = Commands(device, ring, Offer(facts, state / "evidence", kept.on_request, bench))
    loop = Loop(device, inbox, commands, Probe(state), clock, counters.boot, settings.telemetry_s, on_event)
    return Service(loop, device, worker, clock, standing, look_for_identity)


def _rules(updates: UpdateSettings) -> Rules:
    return Rules(updates.hot_c, Hours.parse(updates.hours) if updates.hours else None, updates.busy_file)


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
    """How signed metadata is verified; None where this device was given no trust root."""
    command = [*commandlines.trust, "--state", str(state)]
    if settings.trust_root:
        return [*command, "--root", settings.trust_root]
    if (state / "trust" / "metadata.json").is_file():
        return command
    if settings.broker:
        log.warning("no trust root: this device takes whatever its server says; enrol it, or set `trust_root`")
    return None


class EventLog:
    """Events as JSON lines in a file on the device; no path: nowhere. A failure is told once and costs lines of this file only.

    `trouble`: why the file could not be opened, and no event goes there until the next start; empty: it could.
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


class _Pulse:
    """After each turn: tell systemd that we live, and `status` how it is."""

    def __init__(self, door: StatusDoor) -> None:
        self._door = door
        self._clock = SystemClock()
        self._every_s = watchdog_s()
        self._told_s = 0.0
        self._shown_s = 0.0

    def beat(self, snapshot: Callable[[], dict[str, Any]]) -> None:
        now = self._clock.monotonic()
        if self._every_s is not None and now - self._told_s >= self._every_s:
            self._told_s = now
            notify_systemd("WATCHDOG=1")
        if now - self._shown_s >= 1.0:
            self._shown_s = now
            self._door.show(snapshot())


class _StopSignal:
    """SIGTERM and SIGINT set `asked`; the loop sees it within one turn."""

    def __init__(self) -> None:
        self.asked = False
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._ask)

    def _ask(self, _number: int, _frame: object) -> None:
        self.asked = True


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
        with told_as_store_error(state):
            folder = os.open(state, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            handles.callback(os.close, folder)
        try:
            with told_as_store_error(path):
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
