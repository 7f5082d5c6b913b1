"""Recorded messages through the code that receives them: topics, the agent's connection, the server's database, the worker."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from edgefleet_agent.link.block_fetcher import Transports
from edgefleet_agent.link.boot_counters import BootCounters
from edgefleet_agent.link.uplink import Uplink
from edgefleet_agent.model_store.blob_store import BlobStore
from edgefleet_agent.model_store.local_sources import LocalSources
from edgefleet_agent.model_store.trust import MetadataStaging
from edgefleet_contract import worker_process
from edgefleet_contract.encoding.codec import Wire, decode
from edgefleet_contract.mqtt.events import ReceivedMessage
from edgefleet_contract.wire import topics
from edgefleet_contract.wire.messages import PresenceMessage
from edgefleet_server.db.backend.engine import Database, raw
from edgefleet_server.link.ingest_writer import _WRITERS, IngestWriter
from tests.corpus import messages, samples, structs
from tests.corpus.folder import read_json


def mqtt(recorded: Path) -> dict[str, dict[str, Any]]:
    return dict(read_json(recorded / messages.MQTT))


def test_topics_are_the_recorded_ones(recorded: Path) -> None:
    assert {name: case["topic"] for name, case in mqtt(recorded).items()} == {
        name: messages.made_topic(name) for name in mqtt(recorded)
    }
    assert samples.contains(messages.subscriptions(), read_json(recorded / messages.SUBSCRIPTIONS))
    for name, case in mqtt(recorded).items():
        if case["from"] == "device":
            assert topics.parse_up(case["topic"]).device == messages.DEVICE, name
        elif "bytes" in case:
            read = topics.parse_block(case["topic"]) or topics.parse_sealed_block(case["topic"])
            assert read == (messages.BLOB, messages.NUMBER), name


def test_quality_of_service_and_retain_are_the_recorded_ones(recorded: Path) -> None:
    today = {row.topic: (row.source, row.qos, row.retain) for row in messages.rows()}
    assert {
        case["topic"]: (case["from"], case["qos"], case["retain"]) for case in mqtt(recorded).values()
    }.items() <= today.items()


def test_payloads_mean_what_they_meant(recorded: Path) -> None:
    count = 0
    for name, case in mqtt(recorded).items():
        for which, payload in case.get("payloads", {}).items():
            message = decode(payload.encode(), structs.class_of(case["struct"]))
            assert samples.contains(samples.complete(message), json.loads(payload)), f"{name}: {which}"
            count += 1
    assert count >= 45


@pytest.fixture
def uplink(tmp_path: Path) -> Iterator[Uplink]:
    """The agent's connection of the corpus' device."""
    presence = PresenceMessage(device=messages.DEVICE, online=True, boot="b", connection=1)
    counters = BootCounters(tmp_path, "kernel")
    made = Uplink(tmp_path, presence, counters, BlobStore(tmp_path), MetadataStaging(), transports=Transports(LocalSources()))
    yield made
    made.outbox.close()


def test_an_agent_accepts_what_a_server_of_that_version_sends(recorded: Path, uplink: Uplink) -> None:
    taken = []
    for name, case in mqtt(recorded).items():
        if case["from"] != "server":
            continue
        for payload in case.get("payloads", {"raw": ""}).values():
            data = payload.encode() or bytes.fromhex(case["bytes"])
            order = uplink.handle(ReceivedMessage(case["topic"], data, retained=case["retain"]), 0.0, 0.0)
            assert uplink.refused == 0, name
            if isinstance(order, Wire):
                assert samples.contains(samples.complete(order), json.loads(payload)), name
                taken.append(name)
    assert {"desired", "command", "certificate", "trust", *({"authorities"} & mqtt(recorded).keys())} == set(taken)


def test_a_server_stores_what_a_device_of_that_version_sends(recorded: Path, tmp_path: Path) -> None:
    database, writer, stored = Database(tmp_path / "fleet.db"), IngestWriter(10), set()
    database.migrate()
    for name, case in mqtt(recorded).items():
        if case["from"] != "device" or topics.parse_up(case["topic"]).kind not in _WRITERS:
            continue
        for payload in case["payloads"].values():
            message = ReceivedMessage(case["topic"], payload.encode(), retained=False)
            with database.ingest_transaction() as connection:
                assert writer.write(raw(connection), [message], 1_700_000_000.0).refused == [], name
        stored.add(topics.parse_up(case["topic"]).kind)
    database.close()
    assert stored == set(_WRITERS)


def test_supervisor_and_worker_read_the_recorded_lines(recorded: Path) -> None:
    readers = {"to_worker": worker_process.read_request, "from_worker": worker_process.read_report}
    for side, lines in read_json(recorded / messages.WORKER).items():
        assert lines
        for line in lines:
            message = readers[side](line.encode())
            assert samples.contains(samples.complete(message), json.loads(line)), line
