"""CPU time of the server per message, from bytes to rows, without network and waiting.

    python -m benchmarks.fleet.ingest [--devices 10000] [--rounds 5] [--json]

Every device sends one batch of one sample per round; the ingest path decodes, validates and stores them in batches of 1,000,
then the roll-ups of minutes and hours are computed. CPU time depends little on other programs on the machine; the two cores of
the goal provide 2,000 ms per second, for ingest, broker, engine and API together.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from pathlib import Path
from typing import Any, Final

from edgefleet_contract.encoding.codec import encode
from edgefleet_contract.mqtt.events import ReceivedMessage
from edgefleet_contract.wire import topics
from edgefleet_contract.wire.messages import PipelineGauges, PresenceMessage, StageLatency, Telemetry, TelemetryBatch
from edgefleet_server.db.backend.engine import Database, raw
from edgefleet_server.db.telemetry import rollups
from edgefleet_server.link.ingest_writer import IngestWriter

BATCH: Final = 1_000
ROUNDS_A_TURN: Final = 5
"""A device sends every four seconds, and samples are summed up every twenty."""
STAGES: Final = ("decode", "pre", "invoke", "post")


def sample(at: float) -> dict[str, Any]:
    """A sample as an agent with one camera sends it."""
    latency = {stage: StageLatency(p50_ms=4.0, p95_ms=7.5, max_ms=12.0) for stage in STAGES}
    gauges = PipelineGauges(
        state="running", camera_fps=25.0, process_fps=24.6, frames_total=100_000, latency=latency,
        confidence=[0, 0, 0, 1, 4, 9, 14, 22, 31, 12], model="spotter@1.0.0",
    )  # fmt: skip
    telemetry = Telemetry(at=at, window_s=4.0, pipelines={"belt": gauges}, cpu_percent=31.0, disk_free_bytes=10**10)
    found: dict[str, Any] = json.loads(encode(telemetry))
    return found


def messages(devices: int, round_number: int, at: float) -> list[ReceivedMessage]:
    """One batch of every device."""
    record = sample(at)
    return [
        ReceivedMessage(
            topics.telemetry(f"d-{number}"),
            encode(TelemetryBatch(device=f"d-{number}", epoch="e", first_seq=round_number + 1, records=[record])),
            False,
        )
        for number in range(devices)
    ]


def run(devices: int, rounds: int) -> dict[str, Any]:
    """Measure."""
    with tempfile.TemporaryDirectory(prefix="edgefleet-ingest-") as folder:
        database = Database(Path(folder) / "fleet.db")
        database.migrate()
        store = IngestWriter(devices + 1)
        births = [
            ReceivedMessage(
                topics.presence(f"d-{n}"), encode(PresenceMessage(device=f"d-{n}", online=True, boot="b", connection=1)), False
            )
            for n in range(devices)
        ]
        birth_s = _store(database, store, births)
        stored_s = rolled_s = 0.0
        start_at = time.time()
        for number in range(rounds):
            received = messages(devices, number, start_at + 4.0 * number)
            stored_s += _store(database, store, received)
            if number % ROUNDS_A_TURN == ROUNDS_A_TURN - 1 or number == rounds - 1:
                began = time.process_time()
                while rollups.turn(database):
                    pass
                rolled_s += time.process_time() - began
        with database.read() as connection:
            rows = raw(connection).execute("SELECT count(*) FROM telemetry").fetchone()[0]
        database.close()
    count = devices * rounds
    return {
        "messages": count,
        "rows": rows,
        "birth_us": round(1e6 * birth_s / devices, 1),
        "store_us": round(1e6 * stored_s / count, 1),
        "rollup_us": round(1e6 * rolled_s / count, 1),
        "share_of_a_core_at_2000_per_s_percent": round(100 * 2000 * (stored_s + rolled_s) / count, 1),
    }


def _store(database: Database, store: IngestWriter, received: list[ReceivedMessage]) -> float:
    began = time.process_time()
    for start in range(0, len(received), BATCH):
        with database.write() as connection:
            store.write(raw(connection), received[start : start + BATCH], time.time())
    return time.process_time() - began


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--devices", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    print(json.dumps(run(arguments.devices, arguments.rounds), indent=None if arguments.json else 1))


if __name__ == "__main__":
    main()
