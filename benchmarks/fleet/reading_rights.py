"""Costs of the rule that a device reads what it was assigned (docs/security.md).

    python -m benchmarks.fleet.reading_rights [--json] [--devices 20] [--megabytes 16]

`rights`: microseconds of the server for each request for blocks that is granted, refused, or for which the database is read.
`seal`: CPU milliseconds per MB of the server and of each device. `document`: bytes that the keys add to a desired document.
`wave`: the server's bytes for N real block clients (as in `fleet.delivery`) with broadcasts in the clear, with sealed ones, with
a half of agents that have no keys, and with none that has.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.fleet.delivery import BLOCK, Shop, wave
from edgefleet_contract.encoding.codec import encode
from edgefleet_contract.wire.messages import Desired
from edgefleet_contract.wire.sealed_block import channel_of, key_of, seal, unseal
from edgefleet_server.db.backend.engine import Database, raw
from edgefleet_server.db.telemetry import ingest
from edgefleet_server.registry.blob_store import BlobStore
from edgefleet_server.registry.deltas import Deltas
from edgefleet_server.registry.identity.broadcast_keys import BroadcastKeys
from edgefleet_server.registry.identity.entitlements import Entitlements

SECRET = "0" * 32
DEVICE = "press-07"


def rights(shop: Shop, folder: Path) -> dict[str, float]:
    """Microseconds for each request, and the bytes of a document without keys and with them."""
    database = Database(folder / "fleet.db")
    database.migrate()
    blobs = BlobStore(folder / "blobs")
    blobs.open()
    for name, data in shop.blobs.items():
        blobs.path(name).write_bytes(data)
    desired = Desired(device=DEVICE, generation=1, slots={"detector": shop.target})
    with database.write() as connection:
        ingest.add_device(raw(connection), DEVICE, 0.0)
        raw(connection).execute("INSERT INTO desired VALUES (?, 1, ?, 0)", (DEVICE, encode(desired).decode()))
    entitlements = Entitlements(database, blobs, Deltas(blobs))
    keys = BroadcastKeys(SECRET, entitlements)

    def unknown() -> None:
        entitlements.forget(DEVICE)
        entitlements.refusal(DEVICE, shop.target.digest, 0.0, 0.0)

    found = {
        "granted_us": _us(lambda: entitlements.refusal(DEVICE, shop.target.digest, 0.0, 0.0)),
        "refused_us": _us(lambda: entitlements.refusal(DEVICE, "0" * 64, 0.0, 0.0)),
        "database_read_us": _us(unknown),
        "key_and_channel_us": _us(lambda: channel_of(keys.of(shop.target.digest))),
        "document_bytes": len(encode(desired)),
        "document_with_keys_bytes": len(encode(keys.add(desired))),
    }
    database.close()
    return found


def sealing() -> dict[str, float]:
    """CPU milliseconds per MB of sealing and unsealing, and of the SHA-256 that a device computes anyway."""
    key, data = key_of(SECRET, "0" * 64), bytes(BLOCK)
    sealed = seal(key, "0" * 64, 0, data)
    blocks_per_mb = 1e6 / BLOCK
    return {
        "seal_ms_per_mb": round(_us(lambda: seal(key, "0" * 64, 0, data)) * blocks_per_mb / 1e3, 3),
        "unseal_ms_per_mb": round(_us(lambda: unseal(key, "0" * 64, 0, sealed)) * blocks_per_mb / 1e3, 3),
        "added_bytes_per_block": len(sealed) - len(data),
    }


def _us(task: Callable[[], object], times: int = 500) -> float:
    """CPU microseconds of one call: the best of five rounds."""
    rounds = []
    for _ in range(5):
        began_s = time.thread_time()
        for _ in range(times):
            task()
        rounds.append((time.thread_time() - began_s) / times)
    return round(min(rounds) * 1e6, 2)


def measure(devices: int, megabytes: int) -> dict[str, Any]:
    """All figures."""
    shop = Shop(megabytes)
    with tempfile.TemporaryDirectory() as folder:
        found: dict[str, Any] = {"rights": rights(shop, Path(folder)), "seal": sealing()}
    one = wave(shop, 1, True)
    waves = {
        "in_the_clear": wave(shop, devices, True),
        "sealed": wave(shop, devices, True, SECRET, devices),
        "half_without_keys": wave(shop, devices, True, SECRET, devices // 2),
        "none_with_keys": wave(shop, devices, True, SECRET, 0),
    }
    ratios = {name: round(each["bytes_out"] / one["bytes_out"], 3) for name, each in waves.items()}
    return {**found, "wave": {"devices": devices, "package_bytes": shop.bytes, "one": one, **waves, "times_one_device": ratios}}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--devices", type=int, default=20)
    parser.add_argument("--megabytes", type=int, default=16)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    print(json.dumps(measure(arguments.devices, arguments.megabytes), indent=None if arguments.json else 1))


if __name__ == "__main__":
    main()
