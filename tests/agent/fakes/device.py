"""A device without processes and network: the real store, records, plan and executors; server and worker answer at once."""

from __future__ import annotations

import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from edgefleet_agent.core.clock import ManualClock
from edgefleet_agent.core.disk_faults import DiskFaults
from edgefleet_agent.link.block_fetcher import BlockFetcher, Transports
from edgefleet_agent.link.boot_counters import BootCounters
from edgefleet_agent.link.uplink import Uplink
from edgefleet_agent.machine.trusted_time import TrustedTime
from edgefleet_agent.model_store.blob_store import BlobStore
from edgefleet_agent.model_store.local_sources import LocalSources
from edgefleet_agent.model_store.package_store import DeviceTarget as Needs
from edgefleet_agent.model_store.package_store import PackageStore
from edgefleet_agent.model_store.slot_record import SlotRecord
from edgefleet_agent.model_store.slot_store import SlotStore
from edgefleet_agent.model_store.trust import MetadataStaging
from edgefleet_agent.settings import Pipelines
from edgefleet_agent.supervisor import desired_state, start_up
from edgefleet_agent.supervisor.action_executors import execute
from edgefleet_agent.supervisor.certificate_renewal import CertificateRenewal
from edgefleet_agent.supervisor.device import Device, DeviceOptions, PackageSources, Processes, ServerLink, Stores, Trust
from edgefleet_agent.supervisor.observation import follow_worker, observe
from edgefleet_agent.supervisor.pipeline_selection import PipelineSelection
from edgefleet_agent.supervisor.slot_report import report_slot, report_slots
from edgefleet_agent.supervisor.worker.worker_client import LoadOptions, WorkerClient
from edgefleet_agent.updates.actions import Action, Wait
from edgefleet_agent.updates.agent_versions import own_tag
from edgefleet_agent.updates.delta_patcher import DeltaPatcher
from edgefleet_agent.updates.plan import plan
from edgefleet_agent.updates.self_update import SelfUpdate
from edgefleet_agent.updates.selftest_runner import SelfTestRunner
from edgefleet_agent.updates.signature_checker import SignatureChecker
from edgefleet_agent.updates.state import Observed
from edgefleet_agent.updates.usb_import import UsbImports
from edgefleet_contract import worker_process as wire
from edgefleet_contract.encoding.codec import decode
from edgefleet_contract.mqtt.events import Outgoing
from edgefleet_contract.pipeline.fleet_pipeline import PIPELINE_RUNTIME
from edgefleet_contract.wire.messages import (
    BLOCK_BYTES,
    BlockRequest,
    Desired,
    PresenceMessage,
    SlotReport,
    SlotTarget,
    UpdatePolicy,
)
from tests.agent.fakes.packages import RUNTIME, Package

SLOT = "detector"
POLICY = UpdatePolicy(trial_s=2.0, trial_frames_min=3)
TURN_S = 0.5
START_BYTES = 100_000_000
"""Memory of a worker that has just been started."""


@dataclass
class DirectServer:
    """Connection and server in one: requested blocks arrive in the next turn."""

    blobs: dict[str, bytes]
    requested: Counter[tuple[str, int]] = field(default_factory=Counter)
    waiting: list[tuple[str, int]] = field(default_factory=list)

    def publish(self, message: Outgoing) -> int | None:
        sys.audit("crash.publish", message.topic)
        want = decode(message.payload, BlockRequest)
        blocks = [(want.blob, index) for first, count in want.ranges for index in range(first, first + count)]
        self.requested.update(blocks)
        self.waiting += blocks
        return 1

    def listen(self, _topic_filter: str, _qos: int = 0) -> None:
        pass

    def unlisten(self, _topic_filter: str) -> None:
        pass

    def answer(self, client: BlockFetcher, now: float) -> None:
        waiting, self.waiting = self.waiting, []
        for blob, index in waiting:
            if blob in self.blobs:  # without any: no server answers
                data = self.blobs[blob][index * BLOCK_BYTES : (index + 1) * BLOCK_BYTES]
                client.on_block(blob, index, data, now, addressed=True)


@dataclass
class DirectWorker:
    """Stand-in for the worker: loads every package; a slot whose package has the description `errors` counts an error with each
    heartbeat."""

    up: bool = True
    incarnation: int = 1
    crashes: int = 0
    restarts: int = 0
    crash_detail: str = ""
    killed_for_memory: bool = False
    words: list[wire.FromWorker] = field(default_factory=list)
    frames: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    bad: dict[str, bool] = field(default_factory=dict)
    leaks: dict[str, int] = field(default_factory=dict)
    """Text of a manifest to the bytes that such a package leaks with each heartbeat."""
    leaking: dict[str, int] = field(default_factory=dict)
    private_bytes: int = 0

    def turn(self, _now: float) -> list[wire.FromWorker]:
        for slot, bad in self.bad.items():
            self.frames[slot] += 5
            self.errors[slot] += bad
        words, self.words = self.words, []
        self.private_bytes += sum(self.leaking.values())
        beat = wire.Heartbeat(0.0, 0, dict(self.frames), dict(self.errors), self.private_bytes)
        return [*words, beat]

    def send(self, message: wire.ToWorker) -> bool:
        if isinstance(message, wire.SetSlot):
            manifest = (Path(message.folder) / "model.toml").read_text(encoding="utf-8")
            self.bad[message.slot] = "errors" in manifest
            self.leaking[message.slot] = sum(size for text, size in self.leaks.items() if text in manifest)
        self.words.append(wire.Done(request=message.request, ok=True))
        return True

    def restart(self, _why: str) -> None:
        self.incarnation += 1
        self.restarts += 1
        self.leaking.clear()
        self.private_bytes = START_BYTES if self.private_bytes else 0


class Bench:
    """One run of the supervisor on `root`. A second one on the same folder is the run after a crash."""

    def __init__(
        self,
        root: Path,
        server: DirectServer,
        options: DeviceOptions | None = None,
        selftests: SelfTestRunner | None = None,
        self_update: SelfUpdate | None = None,
        worker: DirectWorker | None = None,
    ) -> None:
        self.clock = ManualClock()
        self.server = server
        self.faults = faults = DiskFaults()
        blobs, metadata_staging = BlobStore(root, faults), MetadataStaging()
        presence = PresenceMessage(device="d", online=True, boot="b", connection=1)
        local_sources = LocalSources()
        transports = Transports(local_sources)
        counters = BootCounters(root, "kernel", faults)
        uplink = Uplink(root, presence, counters, blobs, metadata_staging, transports=transports, faults=faults)
        uplink.blocks = BlockFetcher("d", blobs, server, transports=transports)
        needs = Needs("", (RUNTIME, own_tag(), PIPELINE_RUNTIME))
        packages, slots = PackageStore(root, blobs, needs, faults), SlotStore(root, faults)
        self.device = Device(
            id="d",
            options=options or DeviceOptions(root),
            stores=Stores(packages, slots),
            sources=PackageSources(
                UsbImports(root, local_sources, faults), DeltaPatcher(["false"], root, metadata_staging, local_sources)
            ),
            trust=Trust(SignatureChecker(None, metadata_staging), TrustedTime(root, faults=faults)),
            processes=Processes(
                worker=WorkerClient(worker or DirectWorker(), LoadOptions([RUNTIME], "")),
                selftests=selftests or SelfTestRunner(["/bin/sh", "-c", "echo '{\"ok\":true}'"]),
                self_update=self_update,
            ),
            link=ServerLink(uplink, CertificateRenewal([], root, None)),
            pipelines=PipelineSelection("d", packages, slots, Pipelines(), signed_only=False),
            disk=faults,
        )

    def start(self, factory: Path, slots: tuple[str, ...] = (SLOT,)) -> None:
        self.device.options.factories.update(dict.fromkeys(slots, factory))
        self.restart()

    def restart(self) -> None:
        """Restart from the state on the disk."""
        start_up.start(self.device, self.clock.monotonic(), self.clock.wall())

    def desire(self, generation: int, target: SlotTarget, slot: str = SLOT) -> None:
        self.desire_all(generation, {slot: target})

    def desire_all(self, generation: int, targets: dict[str, SlotTarget]) -> None:
        desired_state.accept(self.device, Desired(device="d", generation=generation, slots=targets, policy=POLICY))

    def rest(self, turns_max: int = 600) -> SlotReport:
        """Turn until no action is left. Returns the report."""
        quiet = 0
        for _ in range(turns_max):
            observed, action = self.turn()
            busy = self.server.waiting or any(facts.record.trial or facts.fetching for facts in observed.slots.values())
            quiet = quiet + 1 if isinstance(action, Wait) and not busy else 0
            if quiet > 2:
                return report_slot(desired_state.target(self.device, SLOT), observed.slots[SLOT])
        raise AssertionError(f"no rest; {observed}")

    def turn(self) -> tuple[Observed, Action]:
        """One turn like that of `Loop`. Returns the observation and the action."""
        device = self.device
        self.clock.advance(TURN_S)
        now, wall = self.clock.monotonic(), self.clock.wall()
        worker, selftests, blocks = device.processes.worker, device.processes.selftests, device.link.uplink.blocks
        self.server.answer(blocks, now)
        while selftests.busy:  # a real process, independent of the test's clock
            selftests.turn(now)
            time.sleep(0.001)
        worker.turn(now, wall)
        worker.trials.on_server_contact()
        desired_state.take_imports(device, now)
        observed = self.observe()
        action = plan(desired_state.effective(device), observed, now)
        execute(device, action, now, wall)
        blocks.take_local_blocks(now)
        blocks.turn(now)
        return observed, action

    def observe(self) -> Observed:
        """The current input of `plan`."""
        now, wall = self.clock.monotonic(), self.clock.wall()
        follow_worker(self.device, now, wall)
        return observe(self.device, now, wall)

    def record(self, slot: str = SLOT) -> SlotRecord:
        """The stored record of the slot."""
        return self.device.stores.slots.read(slot)

    def report(self) -> SlotReport:
        """The device's current report of the slot."""
        return report_slot(desired_state.target(self.device, SLOT), self.observe().slots[SLOT])

    def device_report(self) -> SlotReport:
        """The report of the slot that the device sends."""
        return report_slots(desired_state.effective(self.device), self.observe(), {}, self.clock.wall())[SLOT]

    def close(self) -> None:
        self.device.processes.selftests.stop()
        self.device.link.uplink.outbox.close()


def server_with(*packages: Package) -> DirectServer:
    return DirectServer({digest: data for package in packages for digest, data in package.blobs.items()})
