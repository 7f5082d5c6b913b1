"""`edgefleet simulate`: virtual devices that speak the real contract, thousands in one process."""

from __future__ import annotations

import argparse
import asyncio
import gc
import math
import signal
import sys
import time
from typing import Any, Final
from urllib.parse import urlsplit

from edgefleet_contract.mqtt.address import BrokerAddress
from edgefleet_server.cli.client import Client, add_server_arguments, print_json
from edgefleet_server.core.errors import InputError, UnavailableError
from edgefleet_server.simulate.devices.counters import Counters
from edgefleet_server.simulate.devices.device_behaviour import BadVersion, FleetModel, parse_profiles
from edgefleet_server.simulate.devices.fleet import SimulatedFleet

PERIOD_S: Final = 1.0
LOG_S: Final = 10.0
EXAMPLE: Final = """\
Example: a fleet in which 10 % of the devices fail to run version 1.1.0, and a rollout that its gate pauses:

  edgefleet serve --data ./fleet --plain-devices
  edgefleet simulate --devices 2000 --bad-version 1.1.0 --fail-rate 0.1
  edgefleet model push firmware_models/conveyor_inspector/1.1.0
  edgefleet rollout create conveyor_inspector@1.1.0 --trial 5 --watch

Run the first two commands in terminals of their own; they end with Ctrl-C."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = EXAMPLE
    parser.add_argument("--devices", type=int, default=100, metavar="N", help="Number of devices (default: %(default)s)")
    parser.add_argument(
        "--first",
        type=int,
        default=0,
        metavar="K",
        help="Number of the first device, to split a fleet over processes (default: 0)",
    )
    parser.add_argument("--seed", type=int, default=1, help="Random seed of the fleet (default: %(default)s)")
    parser.add_argument(
        "--telemetry-s", type=float, default=10.0, metavar="S", help="Telemetry interval in seconds (default: %(default)s)"
    )
    parser.add_argument(
        "--profiles",
        default="cpu-x86=2,coral-usb=1,jetson-orin=1",
        metavar="NAME=WEIGHT,…",
        help="Device profiles and their weights (default: %(default)s)",
    )
    parser.add_argument(
        "--duration", type=float, default=math.inf, metavar="S", help="Duration in seconds (default: until Ctrl-C)"
    )
    parser.add_argument(
        "--broker", default="", metavar="URL", help="Broker: mqtt://host:port (default: as reported by the server)"
    )
    faults = parser.add_argument_group("faults")
    faults.add_argument("--bad-version", default="", metavar="V", help="Model version that fails")
    faults.add_argument(
        "--fail-rate", type=float, default=0.0, metavar="P", help="Share of devices it fails on, 0 to 1 (default: 0)"
    )
    faults.add_argument(
        "--fail-by", choices=("rollback", "refuse", "offline"), default="rollback", help="Kind of failure (default: %(default)s)"
    )
    faults.add_argument("--fail-profile", default="", metavar="NAME", help="Fail on this profile only")
    faults.add_argument(
        "--offline-rate", type=float, default=0.0, metavar="P", help="Share of time that a device is offline, 0 to 1 (default: 0)"
    )
    add_server_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Simulate until Ctrl-C, SIGTERM, or the end of `--duration`.

    Raises:
        EdgefleetError: the server does not answer, an option is invalid, or no device came online.
    """
    if not arguments.telemetry_s >= 0.05:
        raise InputError(f"--telemetry-s {arguments.telemetry_s:g}: must be at least 0.05")
    model = FleetModel(
        seed=arguments.seed,
        profiles=parse_profiles(arguments.profiles),
        offline_rate=arguments.offline_rate,
        bad=BadVersion(arguments.bad_version, arguments.fail_rate, arguments.fail_by, arguments.fail_profile),
    )
    broker = BrokerAddress.parse(arguments.broker or broker_of(arguments.server))
    swarm = SimulatedFleet(model, arguments.devices, broker, arguments.telemetry_s, f"sim-{time.time_ns():x}", arguments.first)
    gc.freeze()  # the devices stay: a garbage collection over them would delay every device by a quarter of a second
    found = asyncio.run(_simulate(swarm, arguments.duration, quiet=arguments.json))
    _check_online(swarm, broker)
    if arguments.json:
        print_json(found)
    else:
        print(_farewell(found))
    return 0


def broker_of(server: str) -> str:
    """The broker's address as the server reports it; its loopback name is replaced by that of the server.

    Raises:
        UnavailableError: the server does not answer.
    """
    client = Client(server)
    try:
        url = str(client.fleet.get_health()["broker"]["url"])
    finally:
        client.close()
    address, host = BrokerAddress.parse(url), urlsplit(server).hostname
    return BrokerAddress(host, address.port).url if host and address.host == "127.0.0.1" else url


def _check_online(swarm: SimulatedFleet, broker: BrokerAddress) -> None:
    """Check that at least one device came online.

    Raises:
        UnavailableError: none did; the text gives the reason.
    """
    if swarm.is_refused:
        raise UnavailableError(
            f"the broker {broker.url} requires device certificates, which simulated devices do not have; "
            "start the server with `edgefleet serve --plain-devices`"
        )
    if swarm.tally.fault and not swarm.tally.connections:
        raise UnavailableError(
            f"no device came online: {broker.url}: {swarm.tally.fault}; start the broker, or specify another with --broker"
        )


async def _simulate(swarm: SimulatedFleet, duration_s: float, *, quiet: bool) -> dict[str, Any]:
    until = asyncio.Event()
    loop = asyncio.get_running_loop()
    for sign in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(sign, until.set)
    began = time.monotonic()
    if duration_s < math.inf:
        loop.call_later(duration_s, until.set)
    progress = asyncio.create_task(_print_progress(swarm, began, quiet=quiet))
    await swarm.live(until)
    progress.cancel()
    if sys.stderr.isatty() and not quiet:
        print(file=sys.stderr)  # below the progress line, which is redrawn in place
    return summary(swarm.tally, len(swarm.devices), time.monotonic() - began)


async def _print_progress(swarm: SimulatedFleet, began: float, *, quiet: bool) -> None:
    """Print the progress: one line that is redrawn on a terminal, elsewhere a line at a longer interval."""
    terminal = sys.stderr.isatty()
    stored, logged_s = 0, -math.inf
    while not quiet:
        await asyncio.sleep(PERIOD_S)
        tally, now = swarm.tally, time.monotonic()
        rate, stored = (tally.records_stored - stored) / PERIOD_S, tally.records_stored
        line = f"{now - began:6.0f} s  {tally.online:,}/{len(swarm.devices):,} online  {_progress(tally, rate)}"
        if terminal:
            sys.stderr.write(f"\r\x1b[K{line}")
            sys.stderr.flush()
        elif now - logged_s >= LOG_S:
            logged_s = now
            print(line, file=sys.stderr, flush=True)


def _progress(tally: Counters, rate: float) -> str:
    took = tally.stored_after
    parts = [f"{rate:,.0f} samples/s stored", f"p99 {took.quantile_s(0.99) * 1e3:.0f} ms"]
    if tally.fault and not tally.online:
        parts.insert(0, tally.fault)
    if tally.blocks:
        parts.append(f"{tally.block_bytes / 1e6:,.0f} MB of blocks")
    parts += [f"{count:,} {stage.replace('_', ' ')}" for stage, count in sorted(tally.updates.items())]
    return "  ".join(parts)


def summary(tally: Counters, devices: int, seconds: float) -> dict[str, Any]:
    """The results of a run, in the format of `--json`, which is a contract."""
    took = tally.stored_after
    return {
        "devices": devices,
        "seconds": round(seconds, 1),
        "connections": tally.connections,
        "lost_connections": tally.lost_connections,
        "records": {
            "made": tally.records_made,
            "stored": tally.records_stored,
            "dropped_by_devices": tally.records_lost,
            "stored_per_s": round(tally.records_stored / seconds, 1) if seconds else 0.0,
        },
        "batches": {"sent": tally.batches_sent, "sent_again": tally.batches_sent_again},
        "stored_after_ms": {
            "p50": round(took.quantile_s(0.5) * 1e3, 1),
            "p99": round(took.quantile_s(0.99) * 1e3, 1),
            "max": round(took.max_s * 1e3, 1),
        },
        "blocks": {
            "verified": tally.blocks,
            "bytes": tally.block_bytes,
            "came_twice": tally.blocks_unasked,
            "wrong": tally.blocks_wrong,
        },
        "updates": dict(sorted(tally.updates.items())),
        "commands": tally.commands,
    }


def _farewell(found: dict[str, Any]) -> str:
    records, after = found["records"], found["stored_after_ms"]
    lines = [
        f"{found['devices']:,} devices for {found['seconds']:.0f} s, {found['connections']:,} connections",
        f"{records['made']:,} samples sent, {records['stored']:,} confirmed as stored ({records['stored_per_s']:,.0f}/s)",
        f"{records['dropped_by_devices']:,} samples dropped by full outboxes",
        f"storage latency: p50 {after['p50']:.0f} ms, p99 {after['p99']:.0f} ms",
    ]
    if found["blocks"]["verified"]:
        blocks = found["blocks"]
        lines.append(f"{blocks['verified']:,} blocks verified ({blocks['bytes'] / 1e6:,.0f} MB), {blocks['wrong']} wrong")
    if found["updates"]:
        lines.append("updates: " + ", ".join(f"{count:,} {stage.replace('_', ' ')}" for stage, count in found["updates"].items()))
    return "\n".join(lines)
