"""The state folder of a device as an agent leaves it: every kind of file, by the code that writes it in the field."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

from msgspec.structs import replace

from edgefleet_agent.cli import bundle as bundle_command
from edgefleet_agent.core.disk_faults import DiskFaults
from edgefleet_agent.link.bandwidth_budget import BandwidthBudget
from edgefleet_agent.link.evidence_uploader import EvidenceUploader
from edgefleet_agent.machine.enrolment_key import store_key
from edgefleet_agent.machine.identity import Named, install_identity, pack_credentials
from edgefleet_agent.machine.trusted_time import TrustedTime
from edgefleet_agent.model_store import slot_record
from edgefleet_agent.model_store.tuf_client import install_root, refresh
from edgefleet_agent.pipeline.camera.scene_memory import SceneMemory
from edgefleet_agent.recording.event_store import EventStore
from edgefleet_agent.recording.evidence_folder import EvidenceFolder
from edgefleet_agent.serving.models.traffic_split_store import TrafficSplitStore
from edgefleet_agent.supervisor import desired_state
from edgefleet_agent.updates import agent_versions, usb_import
from edgefleet_agent.vision.tracking.stationary import StationaryObject
from edgefleet_contract.encoding.codec import encode
from edgefleet_contract.package.manifest import MANIFEST_FILE
from edgefleet_contract.package.usb_bundle import BLOBS_FOLDER, BUNDLE_FILE, UsbBundle
from edgefleet_contract.wire.messages import (
    CommandReply,
    Desired,
    Event,
    EventPhase,
    Reported,
    SlotTarget,
    Stream,
    Telemetry,
    UpdatePolicy,
)
from edgefleet_server.registry.signing.signed_targets import SignedPackage
from edgefleet_server.registry.signing.tuf_repository import TufRepository
from tests.agent.fakes import packages
from tests.agent.fakes.device import Bench, DirectServer
from tests.agent.fakes.packages import Package, make_agent, make_package, make_pipeline
from tests.corpus import pipelines, samples, state_reading
from tests.corpus.fixed import ENDS, NOW, STARTS, certificate_pem, fixed_randomness, key_pem
from tests.corpus.folder import write_json
from tests.corpus.trees import pack_tree

FOLDER, MEANING = "state", "state.json"
DEVICE = "press-07"
MODEL_BYTES = 600
POLICY = UpdatePolicy(trial_s=1000.0, trial_frames_min=3)
QUICK = UpdatePolicy(trial_s=2.0, trial_frames_min=3)
SLOTS = ("detector", "rolled-back", "refused", "held", "fetching", "trial", "damaged")
"""Slots of models; each is left in the phase that it is called after, the first one committed."""


class PartialServer(DirectServer):
    """Never sends the last block of a blob of several blocks."""

    def publish(self, message: object) -> int | None:
        number = super().publish(message)  # type: ignore[arg-type]
        self.waiting = [(blob, index) for blob, index in self.waiting if index == 0]
        return number


def record(folder: Path) -> None:
    """Write the folder, and its meaning beside it."""
    with tempfile.TemporaryDirectory() as name, fixed_randomness():
        root, factory = Path(name) / "state", make_package("1.0.0", MODEL_BYTES)
        factory.write(Path(name) / "factory")
        bench = _models(root, Path(name) / "factory", factory)
        _link(bench, root)
        bench.close()
        _usb_import(root, Path(name), bench)
        _identity_and_trust(root, Path(name), factory)
        _recording(root)
        _others(root, Path(name))
        pack_tree(root, folder / FOLDER)
    with tempfile.TemporaryDirectory() as name:
        write_json(folder / MEANING, state_reading.meaning(folder / FOLDER, Path(name) / "state"))


def _models(root: Path, factory_folder: Path, factory: Package) -> Bench:
    """Slots in every phase, a pipeline of the fleet, and a package of which half has arrived."""
    good, bad = make_package("1.1.0", MODEL_BYTES), make_package("1.2.0", MODEL_BYTES, description="errors")
    wrong, partial = make_package("1.3.0", MODEL_BYTES, runtime="ncs2"), _two_blocks("1.4.0")
    newer = make_package("1.5.0", MODEL_BYTES)
    pipeline = make_pipeline("gate", "1.0.0", pipelines.small_document("gate"))
    every = (factory, good, bad, wrong, partial, newer, pipeline)
    blobs = {digest: data for package in every for digest, data in package.blobs.items()}
    bench = state_reading.bench(root, PartialServer(blobs))
    bench.start(factory_folder, SLOTS)
    first = {
        "detector": good.target,
        "rolled-back": bad.target,
        "refused": wrong.target,
        "held": replace(good.target, hold=True),
        "damaged": good.target,
    }
    _desire(bench, 1, first, QUICK)
    _run(bench, 80)
    second = {**first, "fetching": partial.target}
    _desire(bench, 2, second, QUICK)
    _run(bench, 20)
    slots = bench.device.stores.slots
    third = {**second, "pipeline-gate": pipeline.target}
    _desire(bench, 3, third, POLICY)
    _run(bench, 40)
    slots.write("pipeline-gate", slot_record.commit(slots.read("pipeline-gate"), "12 frames", NOW))
    _desire(bench, 4, {**third, "trial": newer.target}, POLICY)
    _run(bench, 40)
    slots.write("damaged", slot_record.set_aside(slots.read("damaged"), good.digest, "its file is damaged", NOW))
    assert slots.read("trial").trial is not None
    assert slots.read("pipeline-gate").active == pipeline.digest
    assert slots.read("detector").last_good == good.digest
    assert slots.read("rolled-back").quarantine
    return bench


def _desire(bench: Bench, generation: int, targets: dict[str, SlotTarget], policy: UpdatePolicy) -> None:
    """A desired document; every target has an attempt of its own."""
    slots = {slot: replace(target, attempt=_attempt(slot)) for slot, target in targets.items()}
    desired_state.accept(bench.device, Desired(device=DEVICE, generation=generation, sent_at=NOW, slots=slots, policy=policy))


def _attempt(slot: str) -> str:
    return f"r1-{slot}-1"


def _run(bench: Bench, turns: int) -> None:
    for _ in range(turns):
        bench.turn()


def _two_blocks(version: str) -> Package:
    """A package whose model has two blocks of zeros."""
    text = packages._MANIFEST.format(version=version, description="", epoch=0, runtime=packages.RUNTIME)
    return packages._packed(text, {MANIFEST_FILE: text.encode(), "model.onnx": bytes(131_080)}, "")


def _link(bench: Bench, root: Path) -> None:
    """Outbox rows of both streams, a stored answer, counters of boots, the last report, the day's bytes."""
    uplink = bench.device.link.uplink
    uplink.keep(Stream.TELEMETRY, [samples.full(Telemetry), samples.minimal(Telemetry)], NOW)
    uplink.keep(Stream.EVENTS, [samples.full(Event)], NOW)
    uplink.reply(CommandReply(id="c-1", ok=True, detail="done"))
    uplink.announce()
    report = Reported(device=DEVICE, boot="b", version=1, generation=3, sent_at=NOW)
    uplink._reporter.turn(report, 1.0, lambda _message: 7)
    uplink._reporter.published(7, NOW)
    BandwidthBudget(root, bytes_per_day=10_000_000).spend(2_000_000, NOW)


def _usb_import(root: Path, beside: Path, bench: Bench) -> None:
    """A package from a stick that is imported, and one that the service has not taken yet."""
    for version, slot in (("1.6.0", "imported"), ("1.7.0", "waiting")):
        package = make_package(version, MODEL_BYTES)
        stick = beside / f"stick-{slot}"
        (stick / BLOBS_FOLDER).mkdir(parents=True)
        for digest, data in package.blobs.items():
            (stick / BLOBS_FOLDER / digest).write_bytes(data)
        bundle = UsbBundle(target=package.target, trust=[], made_at=NOW)
        (stick / BUNDLE_FILE).write_bytes(encode(bundle))
        bundle_command.copy(stick, bundle, slot, root)
        if slot == "imported":
            os.utime(root / usb_import.FOLDER / package.digest, (NOW, NOW))
            desired_state.take_imports(bench.device, 1e6)
            bench.device.sources.usb_imports.done(package.digest)
    assert bench.device.sources.usb_imports.local.slots


def _identity_and_trust(root: Path, beside: Path, factory: Package) -> None:
    """Key, certificate and authority; signed metadata that names the factory package; the lower bound of the time."""
    certificate, authority = certificate_pem(DEVICE, "authority"), certificate_pem("authority", "authority")
    credentials = pack_credentials(key_pem(DEVICE), certificate, STARTS.timestamp(), ENDS.timestamp())
    named = replace(samples.full(Named), device=DEVICE, broker_url="mqtts://127.0.0.1:8883")
    install_identity(root, named, authority, credentials)
    store_key(root, key_pem(DEVICE))
    repository, target = TufRepository(beside / "trust"), factory.target
    withdrawn = SignedPackage(target.package, "0.0.1", "e" * 64, 100, 0)
    repository.open([SignedPackage(target.package, target.version, target.digest, target.length, 0), withdrawn], NOW)
    repository.withdraw(withdrawn.name, withdrawn.version, NOW)
    install_root(root, repository.file("root"))
    with mock.patch("edgefleet_agent.model_store.tuf_client.time.time", return_value=NOW):
        refresh(root, dict(repository.offered_files(NOW)))
    TrustedTime(root).learn(NOW, 0.0)


def _recording(root: Path) -> None:
    """Events with their evidence, and what of it waits to be uploaded."""
    evidence = EvidenceFolder(root / "evidence", 1_000_000, 1e9)
    files = {kind: f"gate/e-1.{suffix}" for kind, suffix in (("snapshot", "jpg"), ("clip", "mp4"))}
    for name in files.values():
        evidence.path(name).write_bytes(f"bytes of {name}\n".encode())
    event = replace(samples.full(Event), id="e-1", at=NOW, pipeline="gate", phase=EventPhase.END, data=dict(files))
    store = EventStore(root / "evidence", 1e9, 1_000_000, DiskFaults(), lambda: NOW)
    store.write(event)
    store.write(replace(event, id="e-2", phase=EventPhase.NEW, data={}))
    store.close()
    uploads = EvidenceUploader(root, root / "evidence", DEVICE, frozenset(files), 1_000_000)
    uploads.take(event, NOW)
    uploads.close()


def _others(root: Path, beside: Path) -> None:
    """Stationary objects, traffic shares, a version of the agent."""
    box = (10.0, 20.0, 30.0, 40.0)
    SceneMemory(root / "stationary").save("gate", (100, 100), {"follow": [StationaryObject("car", box, 1.5)]})
    TrafficSplitStore({}, root / "splits.json").keep("noise", {"1.0.0": 95, "1.1.0": 5})
    machine = SimpleNamespace(version_info=(3, 11), base_prefix="/usr")
    with mock.patch.object(agent_versions, "sys", machine):
        agent = make_agent("0.2.0")
        archive = beside / "agent.zip"
        archive.write_bytes(agent.files["agent.zip"])
        agent_versions.unpack(archive, root, "a9" * 32, "0.2.0")
