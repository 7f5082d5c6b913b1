"""Meaning of a state folder for today's agent: read by the code that reads it when a device starts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from unittest import mock

import msgspec

from edgefleet_agent.link.bandwidth_budget import BandwidthBudget
from edgefleet_agent.link.boot_counters import BootCounters
from edgefleet_agent.link.evidence_uploader import EvidenceUploader
from edgefleet_agent.link.outbox import Outbox
from edgefleet_agent.link.state_reporter import StateReporter
from edgefleet_agent.machine.identity import read_identity
from edgefleet_agent.machine.trusted_time import TrustedTime
from edgefleet_agent.model_store.tuf_client import refresh
from edgefleet_agent.pipeline.camera.scene_memory import SceneMemory
from edgefleet_agent.recording import event_store
from edgefleet_agent.serving.models.traffic_split_store import TrafficSplitStore
from edgefleet_agent.supervisor import desired_state
from edgefleet_agent.supervisor.observation import observe
from edgefleet_agent.supervisor.slot_report import report_slot
from edgefleet_agent.updates import agent_versions, usb_import
from edgefleet_contract.encoding.codec import Wire
from edgefleet_contract.wire.messages import Stream
from tests.agent.fakes.device import Bench, DirectServer
from tests.corpus.fixed import NOW
from tests.corpus.samples import complete
from tests.corpus.trees import unpack_tree


def meaning(packed: Path, root: Path) -> dict[str, Any]:
    """Values that a starting agent reads from the folder. It is unpacked to `root`, which does not exist yet."""
    unpack_tree(packed, root)
    return {
        "device": _device(root),
        "link": _link(root),
        "identity": _identity(root),
        "trust": _trust(root),
        "recording": _recording(root),
        "stationary": _stationary(root),
        "splits": TrafficSplitStore({}, root / "splits.json").standing(),
        "agents": {path.name: (agent_versions.version_of(path), agent_versions.entry_of(path)) for path in _environments(root)},
    }


def bench(root: Path, server: DirectServer) -> Bench:
    """An agent on the folder that runs models of one runtime, and pipelines of the fleet; the same on every machine."""
    with mock.patch("tests.agent.fakes.device.own_tag", return_value="no_agent"):
        return Bench(root, server)


def _device(root: Path) -> dict[str, Any]:
    """A start on the folder: desired document, slots as they are reported, pipelines, imports."""
    life = bench(root, DirectServer({}))
    try:
        device = life.device
        life.restart()
        observed = observe(device, life.clock.monotonic(), NOW)
        reports = {slot: report_slot(desired_state.target(device, slot), facts) for slot, facts in observed.slots.items()}
        assert device.state.desired is not None
        return {
            "desired": complete(device.state.desired),
            "imported": complete(device.sources.usb_imports.local),
            "imports": sorted(path.name for path in (root / usb_import.FOLDER).iterdir()),
            "slots": {slot: _without_words(complete(report)) for slot, report in reports.items()},
            "records": {slot: complete(device.stores.slots.read(slot)) for slot in device.stores.slots.names()},
            "packages": sorted(path.name for path in (root / "packages").iterdir()),
            "pipelines": {name: version for name, _, version in device.pipelines.documents()},
        }
    finally:
        life.close()


def _without_words(report: dict[str, Any]) -> dict[str, Any]:
    """The report without `detail`: words for a person, composed when it is made, are no part of the contract."""
    return {name: value for name, value in report.items() if name != "detail"}


def _link(root: Path) -> dict[str, Any]:
    outbox, counters = Outbox(root), BootCounters(root, "kernel")
    slices = {stream.value: outbox.read(stream, 0) for stream in Stream}
    found = {
        "epoch": outbox.epoch,
        "lost": outbox.lost,
        "next": {stream.value: outbox.next_seq(stream) for stream in Stream},
        "records": {name: [json.loads(body) for body in part.bodies] if part else [] for name, part in slices.items()},
        "answer": json.loads(outbox.answer_to("c-1") or b"null"),
        "boot": counters.boot,
        "connection": counters.next_connection(),
        "report": counters.next_report(),
        "reported": complete(StateReporter(root, counters)._known),
        "spent": complete(BandwidthBudget(root, bytes_per_day=1)._spent),
    }
    outbox.close()
    return found


def _identity(root: Path) -> dict[str, Any]:
    identity = read_identity(root)
    assert identity is not None
    plain = {name: getattr(identity, name) for name in identity.__slots__}
    return {name: value for name, value in plain.items() if not isinstance(value, Path)}


def _trust(root: Path) -> dict[str, Any]:
    with mock.patch("edgefleet_agent.model_store.tuf_client.time.time", return_value=NOW):
        verdict = refresh(root, {})
    return {"verdict": complete(verdict), "time": TrustedTime(root).at(0.0, 0.0)}


def _stationary(root: Path) -> dict[str, list[str]]:
    scene = SceneMemory(root / "stationary").load("gate", (100, 100))
    return {stage: [f"{item.label} {item.box} {item.missed_s}" for item in items] for stage, items in scene.items()}


def _recording(root: Path) -> dict[str, Any]:
    evidence = root / "evidence"
    found = event_store.search(evidence, event_store.Query())
    uploads = EvidenceUploader(root, evidence, "d", frozenset(), 0)
    waiting = uploads._database.rows("SELECT event, kind, name, at, rank FROM files ORDER BY event, kind")
    uploads.close()
    return {
        "events": [{"event": _plain(stored.event), "began_at": stored.began_at, "open": stored.open} for stored in found],
        "uploads": [list(row) for row in waiting],
        "files": sorted(str(path.relative_to(evidence)) for path in evidence.glob("*/*")),
    }


def _plain(value: Wire | Mapping[str, Any]) -> Any:
    return complete(value) if isinstance(value, Wire) else msgspec.to_builtins(value)


def _environments(root: Path) -> list[Path]:
    return sorted((root / agent_versions.FOLDER).iterdir())
