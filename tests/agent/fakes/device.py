"""A device without processes and network: the real store, records, plan and executors; server and worker answer at once."""

from __future__ import annotations

import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from edgefleet_agent.core.clock import ManualClock
from edgefleet_agent.link.block_fetcher import BlockFetcher, Transports
from edgefleet_agent.link.boot_counters import BootCounters
from edgefleet_agent.link.uplink import Uplink
from edgefleet_agent.machine.trusted_time import TrustedTime
from edgefleet_agent.model_store.blob_store import BlobStore
from edgefleet_agent.model_store.local_sources import LocalSources
from edgefleet_agent.model_store.package_store import DeviceTarget as Needs
from edgefleet_agent.model_store.package_store import PackageStore
from edgefleet_agent.model_store.slot_store import SlotStore
from edgefleet_agent.model_store.trust import MetadataStaging
from edgefleet_agent.supervisor.action_executors import execute
from edgefleet_agent.supervisor.certificate_renewal import CertificateRenewal
from edgefleet_agent.supervisor.device import Device
from edgefleet_agent.supervisor.slot_report import report_slot
from edgefleet_agent.supervisor.worker_client import WorkerClient
from edgefleet_agent.updates.actions import Action, Wait
from edgefleet_agent.updates.agent_versions import own_tag
from edgefleet_agent.updates.delta_patcher import DeltaPatcher
from edgefleet_agent.updates.plan import plan
from edgefleet_agent.updates.selftest_runner import SelfTestRunner
from edgefleet_agent.updates.signature_checker import SignatureChecker
from edgefleet_agent.updates.state import Observed
from edgefleet_agent.updates.usb_import import UsbImports
from edgefleet_contract import worker_process as wire
from edgefleet_contract.encoding.codec import decode
from edgefleet_contract.mqtt.events import Outgoing
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


@dataclass
class DirectServer:
    """Line and server in one: what is asked for is there with the next turn."""

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
    """The worker's end: loads everything; a slot whose package's description says `errors` counts one with every beat."""

    up: bool = True
    incarnation: int = 1
    crashes: int = 0
    restarts: int = 0
    crash_detail: str = ""
    words: list[wire.FromWorker] = field(default_factory=list)
    frames: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    bad: dict[str, bool] = field(default_factory=dict)

    def turn(self, _now: float) -> list[wire.FromWorker]:
        for slot, bad in self.bad.items():
            self.frames[slot] += 5
            self.errors[slot] += bad
        words, self.words = self.words, []
        beat = wire.Heartbeat(monotonic_s=0.0, frames_total=dict(self.frames), errors_total=dict(self.errors))
        return [*words, beat]

    def send(self, message: wire.ToWorker) -> bool:
        if isinstance(message, wire.SetSlot):
            self.bad[message.slot] = "errors" in (Path(message.folder) / "model.toml").read_text(encoding="utf-8")
        self.words.append(wire.Done(request=message.request, ok=True))
        return True

    def restart(self, _why: str) -> None:
        self.incarnation += 1


class Bench:
    """One life of the agent's control side on `root`. A second one on the same folder is the life after a crash."""

    def __init__(self, root: Path, server: DirectServer) -> None:
        self.clock = ManualClock()
        self.server = server
        blobs, metadata_staging = BlobStore(root), MetadataStaging()
        presence = PresenceMessage(device="d", online=True, boot="b", connection=1)
        local_sources = LocalSources()
        transports = Transports(local_sources)
        uplink = Uplink(root, presence, BootCounters(root, "kernel"), blobs, metadata_staging, transports=transports)
        uplink.blocks = BlockFetcher("d", blobs, server, transports=transports)
        self.device = Device(
            id="d",
            folder=root,
            packages=PackageStore(root, blobs, Needs("", (RUNTIME, own_tag()))),
            slots=SlotStore(root),
            worker=WorkerClient(DirectWorker(), [RUNTIME], ""),
            selftests=SelfTestRunner(["/bin/sh", "-c", "echo '{\"ok\":true}'"]),
            signatures=SignatureChecker(None, metadata_staging),
            renewal=CertificateRenewal([], root, None),
            uplink=uplink,
            pipelines={},
            usb_imports=UsbImports(root, local_sources),
            patcher=DeltaPatcher(["false"], root, metadata_staging, local_sources),
            known_time=TrustedTime(root),
        )

    def start(self, factory: Path, slots: tuple[str, ...] = (SLOT,)) -> None:
        for slot in slots:
            self.device.factories[slot] = factory
            self.device.install_factory(slot, self.device.packages.install_folder(factory))
        self.device.start(self.clock.monotonic(), self.clock.wall())

    def desire(self, generation: int, target: SlotTarget, slot: str = SLOT) -> None:
        self.desire_all(generation, {slot: target})

    def desire_all(self, generation: int, targets: dict[str, SlotTarget]) -> None:
        self.device.accept(Desired(device="d", generation=generation, slots=targets, policy=POLICY))

    def rest(self, turns_max: int = 600) -> SlotReport:
        """Turn until there is nothing left to do; the report then."""
        quiet = 0
        for _ in range(turns_max):
            observed, action = self.turn()
            busy = self.server.waiting or any(facts.record.trial or facts.fetching for facts in observed.slots.values())
            quiet = quiet + 1 if isinstance(action, Wait) and not busy else 0
            if quiet > 2:
                return report_slot(self.device.target(SLOT), observed.slots[SLOT])
        raise AssertionError(f"no rest; {observed}")

    def turn(self) -> tuple[Observed, Action]:
        """One turn, as `Loop` does it; what was seen and done."""
        device = self.device
        self.clock.advance(TURN_S)
        now, wall = self.clock.monotonic(), self.clock.wall()
        self.server.answer(device.uplink.blocks, now)
        while device.selftests.busy:  # a real process, which knows nothing of our clock
            device.selftests.turn(now)
            time.sleep(0.001)
        device.worker.turn(now, wall)
        device.worker.on_server_contact()
        device.poll_usb_imports(now)
        observed = device.observe(now, wall)
        action = plan(device.effective_desired, observed, now)
        execute(device, action, now, wall)
        device.uplink.blocks.take_local_blocks(now)
        device.uplink.blocks.turn(now)
        return observed, action

    def report(self) -> SlotReport:
        """What the device says of the slot now."""
        facts = self.device.observe(self.clock.monotonic(), self.clock.wall()).slots[SLOT]
        return report_slot(self.device.target(SLOT), facts)

    def close(self) -> None:
        self.device.selftests.stop()
        self.device.uplink.outbox.close()


def server_with(*packages: Package) -> DirectServer:
    return DirectServer({digest: data for package in packages for digest, data in package.blobs.items()})
