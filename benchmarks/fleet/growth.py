"""Predicts a fleet's figures from measured unit costs: an answer of the API, the bytes of a wave, memory, processor, database.

    python -m benchmarks.fleet.growth [--devices 1000 10000 50000 1000000] [--telemetry-s 60] [--share 1.0] [--json]

An answer of the API is played against the threads that compete with it for the interpreter, which runs one at a time and gives
all that wait the same share. A wave is played with the server's own scheduler (`wave_model`). Memory, processor and database are
sums. `docs/growth.md` compares all three with measurements.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
from dataclasses import dataclass
from typing import Any, Final

from benchmarks.fleet.wave_model import WaveLine, play

STEP_S: Final = 0.0005
"""Switch interval of the server's interpreter."""
PLAYED_S: Final = 90.0
PAUSE_S: Final = 0.1
WAVE_DEVICES_MAX: Final = 1_000
"""Devices that are played one by one; a larger wave is played at a scale, with its rates divided as well."""
BLOCKS: Final = 32
DAY_S: Final = 86_400.0
BROKER_DEVICES: Final = 100_000
PROCESS_LOAD: Final = 0.6
"""Share of a core up to which a process is planned to be busy."""


@dataclass(frozen=True, slots=True)
class UnitCosts:
    """Measured on two shared x86 cores. Microseconds are processor time for a sample (a message with one record).

    `receive_us`, `store_us`, `acknowledge_us`: in the ingest; `rollup_us`: sums of minutes and hours; `broker_us`: at the broker,
    with the acknowledgement; `count_us`: counting the fleet, for a device; `answers_ms`: answers of the API that a dashboard
    asks for; `server_kb`, `broker_kb`, `tls_kb`: memory of a connected device; `row_bytes`: a sample in the database with its
    index; `minute_bytes`: a row of a minute's sums; `handshake_ms`: TLS at the broker.
    """

    receive_us: float = 67.0
    store_us: float = 89.0
    acknowledge_us: float = 22.0
    rollup_us: float = 34.0
    broker_us: float = 35.0
    postgresql_us: float = 223.0
    count_us: float = 4.0
    answers_ms: tuple[float, ...] = (2.6, 14.5, 12.9, 12.2)
    server_mb: float = 128.0
    server_kb: float = 3.3
    broker_mb: float = 4.0
    broker_kb: float = 6.0
    tls_kb: float = 24.3
    row_bytes: float = 350.0
    minute_bytes: float = 344.0
    handshake_ms: float = 2.8


@dataclass(slots=True)
class _Thread:
    """Work that comes every `period_s` and takes `work_s` of the interpreter."""

    period_s: float
    work_s: float
    due_s: float = 0.0
    left_s: float = 0.0

    def come(self, now_s: float) -> None:
        if now_s >= self.due_s and self.work_s:
            self.left_s += self.work_s
            self.due_s = now_s + self.period_s


def api_answers_ms(devices: int, samples_per_s: float, costs: UnitCosts, share: float) -> list[float]:
    """Durations of the answers to a dashboard, ascending. `share`: of a core that the server gets."""
    store_us = costs.store_us + costs.acknowledge_us
    counted_s = devices * costs.count_us * 1e-6
    threads = [
        _Thread(0.01, 0.01 * samples_per_s * costs.receive_us * 1e-6),
        _Thread(0.05, 0.05 * samples_per_s * store_us * 1e-6),
        _Thread(20.0, 20.0 * samples_per_s * costs.rollup_us * 1e-6, due_s=5.0),
        _Thread(max(1.0, 20.0 * counted_s), counted_s, due_s=1.0),
    ]
    found: list[float] = []
    paths = itertools.cycle(costs.answers_ms)
    requested_s, left_s, now_s = PAUSE_S, 0.0, 0.0
    while now_s < PLAYED_S:
        now_s += STEP_S
        for thread in threads:
            thread.come(now_s)
        if not left_s and now_s >= requested_s:
            left_s = next(paths) * 1e-3
        busy = [thread for thread in threads if thread.left_s > 0]
        part_s = STEP_S * share / max(1, len(busy) + (left_s > 0))
        for thread in busy:
            thread.left_s = max(0.0, thread.left_s - part_s)
        if left_s:
            left_s -= part_s
            if left_s <= 0:
                found.append((now_s - requested_s) * 1e3)
                requested_s, left_s = now_s + PAUSE_S, 0.0
    return sorted(found)


def wave_times(devices: int, line: WaveLine) -> float:
    """Bytes of a wave in proportion to one device's."""
    scale = max(1.0, devices / WAVE_DEVICES_MAX) / math.ceil(devices / BROKER_DEVICES)  # each broker copies for its own devices
    played = WaveLine(
        documents_per_s=line.documents_per_s / scale,
        copies_bytes_per_s=line.copies_bytes_per_s / scale,
        server_bytes_per_s=line.server_bytes_per_s / scale,
        link_s=line.link_s,
        lost=line.lost,
        silent=line.silent,
    )
    return play(min(devices, WAVE_DEVICES_MAX), BLOCKS, played).times_one_device


def predict(devices: int, telemetry_s: float, costs: UnitCosts, share: float) -> dict[str, Any]:
    """All figures of one fleet."""
    samples_per_s = devices / telemetry_s
    ingest_us = costs.receive_us + costs.store_us + costs.acknowledge_us + costs.rollup_us
    ingest_cores = samples_per_s * ingest_us * 1e-6
    brokers = math.ceil(devices / BROKER_DEVICES)
    server_mb = costs.server_mb + devices * costs.server_kb * 1e-3
    broker_mb = brokers * costs.broker_mb + devices * costs.broker_kb * 1e-3
    fits = ingest_cores < share
    answers = api_answers_ms(devices, samples_per_s, costs, share) if fits else []
    return {
        "devices": devices,
        "samples_per_s": round(samples_per_s),
        "api_p50_ms": round(answers[len(answers) // 2]) if answers else None,
        "api_p99_ms": round(answers[int(len(answers) * 0.99)]) if answers else None,
        "wave_times_one_device": wave_times(devices // 2, WaveLine()),
        "server_and_broker_mb": round(server_mb + broker_mb),
        "with_tls_mb": round(server_mb + broker_mb + devices * costs.tls_kb * 1e-3),
        "ingest_cores": round(ingest_cores, 2),
        "ingest_processes": math.ceil(ingest_cores / PROCESS_LOAD),
        "broker_cores": round(samples_per_s * costs.broker_us * 1e-6, 2),
        "brokers": brokers,
        "postgresql_cores": round(samples_per_s * costs.postgresql_us * 1e-6, 2),
        "samples_gb_a_day": round(samples_per_s * costs.row_bytes * DAY_S / 1e9, 1),
        "minutes_gb_a_day": round(min(devices / 60.0, samples_per_s) * costs.minute_bytes * DAY_S / 1e9, 1),
        "reconnect_core_s": round(devices * costs.handshake_ms * 1e-3),
    }


def main() -> None:
    """Predict and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--devices", type=int, nargs="+", default=[1_000, 10_000, 50_000, 1_000_000])
    parser.add_argument("--telemetry-s", type=float, default=60.0)
    parser.add_argument("--share", type=float, default=1.0, help="of a core that the server's process gets (default: 1)")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    found = [predict(devices, arguments.telemetry_s, UnitCosts(), arguments.share) for devices in arguments.devices]
    if arguments.json:
        print(json.dumps(found))
        return
    for name in found[0]:
        print(f"{name:24}", *(f"{'–' if row[name] is None else row[name]:>12}" for row in found))


if __name__ == "__main__":
    main()
