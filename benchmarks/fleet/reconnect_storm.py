"""A broker comes back, and a whole fleet with it: how the connections spread, and what the worst second carries.

    python -m benchmarks.fleet.reconnect_storm [--devices 2000] [--json]

Real connections of the devices' own protocol code in one process, against a real Mosquitto that is killed and started again.
Every device waits by the agent's own rule (full jitter, doubling, `edgefleet_contract.wire.backoff` with the agent's bounds). For
comparison: the same fleet that tries every half second, as clients without jitter do.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import resource
import tempfile
import time
from pathlib import Path
from typing import Any

from edgefleet_contract.mqtt.limits import ConnectionLimits
from edgefleet_contract.mqtt.packets import connect
from edgefleet_contract.wire import topics
from edgefleet_contract.wire.backoff import full_jitter
from edgefleet_server.link.mosquitto import ManagedBroker
from edgefleet_server.simulate.devices.mqtt_client import SimulatedMqttClient

DOWN_S = 8.0
"""How long the broker is away."""
BACK_S_MAX = 240.0


class Device:
    """One device's line: lost, tried again by its rule, up."""

    def __init__(self, name: str, port: int, jitter: bool, chance: random.Random) -> None:
        self._hello = connect(name, 60, topics.presence(name), b"{}")
        self._port = port
        self._jitter = jitter
        self._chance = chance
        self._tries = 0
        self._line: SimulatedMqttClient | None = None
        self.is_up = False
        self.tried_s: list[float] = []
        self.up_s = 0.0

    def start(self) -> None:
        self._task = asyncio.ensure_future(self._try())

    async def _try(self) -> None:
        self.tried_s.append(time.monotonic())
        self._line = SimulatedMqttClient(self._hello, self)
        try:
            await asyncio.get_running_loop().create_connection(lambda: self._line, "127.0.0.1", self._port)  # type: ignore[arg-type, return-value]
        except OSError:
            self._again()

    def up(self) -> None:
        self.is_up, self.up_s, self._tries = True, time.monotonic(), 0

    def on_message(self, _topic: str, _payload: memoryview) -> None:
        """Nothing is subscribed."""

    def down(self, _text: str) -> None:
        self.is_up = False
        self._again()

    def _again(self) -> None:
        limits = ConnectionLimits()
        delay_s = full_jitter(self._tries, limits.reconnect_min_s, limits.reconnect_max_s, self._chance.random())
        wait_s = delay_s if self._jitter else 0.5
        self._tries += 1
        asyncio.get_running_loop().call_later(wait_s, self.start)

    def close(self) -> None:
        self._again = lambda: None  # type: ignore[method-assign]
        if self._line is not None:
            self._line.close()


async def storm(devices: int, jitter: bool) -> dict[str, Any]:
    """Connect all, take the broker away, bring it back; how they came."""
    with tempfile.TemporaryDirectory() as name:
        broker = ManagedBroker(Path(name) / "broker", 0)
        broker.start()
        port = int(broker.address.url.rpartition(":")[2])
        chance = random.Random(11)
        fleet = [Device(f"d{number}", port, jitter, chance) for number in range(devices)]
        for number, device in enumerate(fleet):
            asyncio.get_running_loop().call_later(number / 1000, device.start)
        await until(lambda: all(device.is_up for device in fleet))
        broker.stop()
        lost_at_s = time.monotonic()
        await until(lambda: not any(device.is_up for device in fleet))
        for device in fleet:
            device.tried_s.clear()
        await asyncio.sleep(max(0.0, lost_at_s + DOWN_S - time.monotonic()))
        again = ManagedBroker(Path(name) / "broker", port)
        again.start()
        back_s = time.monotonic()
        await until(lambda: all(device.is_up for device in fleet))
        came_s = sorted(device.up_s - back_s for device in fleet)
        tries = [moment - back_s for device in fleet for moment in device.tried_s]
        for device in fleet:
            device.close()
        again.stop()
    per_second: dict[int, int] = {}
    for moment in tries:
        per_second[int(moment // 1)] = per_second.get(int(moment // 1), 0) + 1
    after = {second: count for second, count in per_second.items() if second >= 0}
    return {
        "tries_in_the_worst_second": max(per_second.values()),
        "tries_in_the_worst_second_after_it_is_back": max(after.values(), default=0),
        "half_back_s": round(came_s[len(came_s) // 2], 2),
        "all_back_s": round(came_s[-1], 2),
        "tries_a_device": round(len(tries) / devices, 2),
    }


async def until(done: Any) -> None:
    """Wait for a condition; ends the benchmark when it never comes."""
    deadline = time.monotonic() + BACK_S_MAX
    while not done():
        if time.monotonic() > deadline:
            raise SystemExit("the fleet did not come back")
        await asyncio.sleep(0.05)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--devices", type=int, default=2000)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 3 * arguments.devices + 200)), hard))
    found = {
        "devices": arguments.devices,
        "down_s": DOWN_S,
        "jitter": asyncio.run(storm(arguments.devices, True)),
        "no_jitter": asyncio.run(storm(arguments.devices, False)),
    }
    found["peak_ratio"] = round(
        found["no_jitter"]["tries_in_the_worst_second"] / found["jitter"]["tries_in_the_worst_second_after_it_is_back"], 1
    )
    print(json.dumps(found, indent=None if arguments.json else 1))


if __name__ == "__main__":
    main()
