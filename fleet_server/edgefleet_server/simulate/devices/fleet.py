"""Thousands of virtual devices on one event loop."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import resource
import time
from typing import Final

from edgefleet_contract.mqtt.address import BrokerAddress
from edgefleet_server.core.errors import InputError
from edgefleet_server.simulate.devices.blob_cache import BlobCache
from edgefleet_server.simulate.devices.counters import Counters
from edgefleet_server.simulate.devices.device_behaviour import FleetModel, draw
from edgefleet_server.simulate.devices.identities import SimulatedIdentities
from edgefleet_server.simulate.devices.mqtt_client import MqttMessages, SimulatedMqttClient
from edgefleet_server.simulate.devices.update_state import Environment
from edgefleet_server.simulate.devices.virtual_device import TURN_S, SimulationWorld, VirtualDevice

DEVICES_MAX: Final = 50_000
FILES_SPARE: Final = 64
DIALS_AT_ONCE: Final = 100
CONNECTS_PER_S: Final = 400.0
"""Rate of connects: a broker with TLS accepts 600 to 1,000 connections per second and core, and a real fleet does not connect
all at once."""
SOURCE_DEVICES_MAX: Final = 20_000
"""Connections from one loopback address: below the 28,000 local ports that Linux gives to one address and destination."""
SLICES: Final = 20
CLOSE_S: Final = 1.0


class SimulatedFleet:
    """The devices of one run. `tally` may be read at any time."""

    def __init__(
        self,
        model: FleetModel,
        devices: int,
        broker: BrokerAddress,
        telemetry_s: float,
        run: str,
        first: int = 0,
        identities: SimulatedIdentities | None = None,
    ) -> None:
        """`first`: number of the first device, so that several processes can share a fleet. `identities`: of the devices; None:
        they connect in clear.

        Raises:
            InputError: more devices than one process can carry.
        """
        if not 1 <= devices <= DEVICES_MAX:
            raise InputError(f"--devices {devices}: between 1 and {DEVICES_MAX} run in one process")
        allow_files(devices + FILES_SPARE)
        self.tally = Counters()
        self._broker = broker
        self._identities = identities
        self._dials = asyncio.Semaphore(DIALS_AT_ONCE)
        self._sources = itertools.cycle(loopback_sources(devices) if broker.host == "127.0.0.1" else [None])
        world = SimulationWorld(Environment(model, BlobCache(), self.tally), telemetry_s, run, self._dial, identities)
        self.devices = [VirtualDevice(draw(model, first + number), world) for number in range(devices)]

    @property
    def is_refused(self) -> bool:
        """Whether the broker requires a certificate or password that the devices do not have: a retry would not help."""
        return self.tally.connections_refused > 0 and not self.tally.connections

    async def live(self, until: asyncio.Event) -> None:
        """Connect all devices at a limited rate, and run them until the event, or until it is clear that the broker refuses
        all; then disconnect them cleanly."""
        starting = asyncio.create_task(self._start())
        try:
            while not until.is_set() and not self.is_refused:
                await self._turn(until)
        finally:
            starting.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await starting
            for device in self.devices:
                device.close()
            await asyncio.sleep(CLOSE_S)

    async def _start(self) -> None:
        began = time.monotonic()
        for number, device in enumerate(self.devices):
            device.begin()
            ahead_s = number / CONNECTS_PER_S - (time.monotonic() - began)
            if ahead_s > 0.02:
                await asyncio.sleep(ahead_s)
            elif number % 20 == 0:
                await asyncio.sleep(0)

    async def _turn(self, until: asyncio.Event) -> None:
        """Run the periodic work of every device once, in slices, so that messages are handled in between."""
        began = time.monotonic()
        for part in range(SLICES):
            for device in self.devices[part::SLICES]:
                device.turn(time.monotonic())
            wait_s = TURN_S * (part + 1) / SLICES - (time.monotonic() - began)
            if until.is_set():
                return
            await asyncio.sleep(max(0.0, wait_s))

    async def _dial(self, device: str, line: SimulatedMqttClient, ears: MqttMessages) -> None:
        host, port = self._broker.host, self._broker.port
        context = self._identities.context(device) if self._identities is not None else None
        async with self._dials:
            try:
                await asyncio.get_running_loop().create_connection(
                    lambda: line, host, port, local_addr=next(self._sources), ssl=context
                )
            except OSError as error:
                ears.down(error.strerror or str(error))


def loopback_sources(devices: int) -> list[tuple[str, int] | None]:
    """Addresses to connect from to a broker on this machine: several, where one has too few ports; None = the usual one."""
    count = -(-devices // SOURCE_DEVICES_MAX)
    return [None] if count == 1 else [(f"127.0.0.{2 + number}", 0) for number in range(count)]


def allow_files(required: int) -> None:
    """Raise the limit of open files to `required` connections.

    Raises:
        InputError: this process may not have so many; the text gives the remedy.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= required:
        return
    ceiling = hard if hard == resource.RLIM_INFINITY else max(hard, required)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (required, ceiling))
    except (ValueError, OSError):
        if hard > soft:
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        raise InputError(
            f"each device needs an open file and this process may have {hard}: use --devices {max(1, hard - FILES_SPARE)}, "
            "raise the limit (ulimit -Hn, or LimitNOFILE= of the service), or share the fleet among processes with --first"
        ) from None
