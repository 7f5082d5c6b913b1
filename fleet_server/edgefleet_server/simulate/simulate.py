"""`edgefleet simulate`: virtual devices that speak the real contract, thousands in one process.

With `--token-file` they enroll over HTTPS and connect with certificates, as real devices do; without it they need a server with
`--plain-devices`.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import math
import signal
import sys
import time
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from edgefleet_contract.core.command_line import finite, seconds
from edgefleet_contract.core.fault_text import fault_text
from edgefleet_contract.core.https_trust import https_context
from edgefleet_contract.core.pinned_authority import parse_fingerprint, pinned_authority, pinned_context
from edgefleet_contract.mqtt.address import BrokerAddress
from edgefleet_server.cli.client import Client, add_server_arguments, print_json
from edgefleet_server.core.errors import InputError, UnavailableError
from edgefleet_server.simulate.devices.counters import Counters
from edgefleet_server.simulate.devices.device_behaviour import AWAY_S_MEAN, BadVersion, FleetModel, draw, parse_profiles
from edgefleet_server.simulate.devices.fleet import SimulatedFleet
from edgefleet_server.simulate.devices.identities import SimulatedIdentities
from edgefleet_server.simulate.scenarios import NEED_VERSION, SCENARIOS

PERIOD_S: Final = 1.0
LOG_S: Final = 10.0
TIMEOUT_S: Final = 30.0
STATE: Final = "simulated-devices"
CERTIFIED: Final = """\
Devices with certificates, at any server:

  edgefleet token create --devices 1000 --hours 24 --out fleet.token
  edgefleet simulate --devices 1000 --token-file fleet.token --ca-sha256 HEX --server https://fleet.example.com:8443"""
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
    scenarios = "\n".join(f"  {name:14} {each.summary}" for name, each in SCENARIOS.items())
    parser.epilog = f"Scenarios:\n\n{scenarios}\n\n{CERTIFIED}\n\n{EXAMPLE}"
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
        "--telemetry-s",
        type=seconds(0.05, 86_400),
        default=10.0,
        metavar="S",
        help="Telemetry interval in seconds (default: %(default)s)",
    )
    parser.add_argument(
        "--profiles",
        default="cpu-x86=2,coral-usb=1,jetson-orin=1",
        metavar="NAME=WEIGHT,…",
        help="Device profiles and their weights (default: %(default)s)",
    )
    parser.add_argument(
        "--duration",
        type=seconds(0, 366 * 86_400),
        default=math.inf,
        metavar="S",
        help="Duration in seconds (default: until Ctrl-C)",
    )
    parser.add_argument(
        "--broker", default="", metavar="URL", help="Broker: mqtt://host:port (default: as reported by the server)"
    )
    identity = parser.add_argument_group("devices with certificates")
    identity.add_argument(
        "--token-file",
        type=Path,
        metavar="FILE",
        help="Token for many devices (`edgefleet token create --devices 1000 --out fleet.token`)",
    )
    identity.add_argument(
        "--state",
        type=Path,
        metavar="DIR",
        help="Folder of the devices' identities; with one from an earlier run no token is needed (default: simulated-devices)",
    )
    trusted = identity.add_mutually_exclusive_group()
    trusted.add_argument("--ca-sha256", metavar="HEX", help="SHA-256 fingerprint of the server's CA certificate")
    trusted.add_argument("--ca", metavar="FILE", help="CA certificate of the server (PEM)")
    faults = parser.add_argument_group("faults")
    faults.add_argument("--scenario", choices=tuple(SCENARIOS), help="Defaults for the options below; see the end of this help")
    faults.add_argument("--bad-version", default="", metavar="V", help="Model version that fails")
    faults.add_argument(
        "--fail-rate", type=finite, default=None, metavar="P", help="Share of devices it fails on, 0 to 1 (default: 0)"
    )
    faults.add_argument(
        "--fail-by",
        choices=("rollback", "refuse", "offline", "stuck", "slow"),
        default=None,
        help="Kind of failure: stuck = its trial does not end; slow = it is committed and becomes slower (default: rollback)",
    )
    faults.add_argument("--fail-profile", default="", metavar="NAME", help="Fail on this profile only")
    faults.add_argument(
        "--offline-rate",
        type=finite,
        default=None,
        metavar="P",
        help="Share of time that a device is offline, 0 to 1 (default: 0)",
    )
    faults.add_argument(
        "--offline-s",
        type=seconds(0, 86_400),
        default=None,
        metavar="S",
        help="Mean time that a device is offline at once (default: 60)",
    )
    faults.add_argument(
        "--clock-days", type=finite, default=None, metavar="D", help="Clocks of devices are up to D days wrong (default: 0)"
    )
    faults.add_argument(
        "--late-rate", type=finite, default=None, metavar="P", help="Share of devices that come late, 0 to 1 (default: 0)"
    )
    faults.add_argument(
        "--late-s", type=seconds(0, 86_400), default=None, metavar="S", help="When they come, in seconds (default: 120)"
    )
    add_server_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Simulate until Ctrl-C, SIGTERM, or the end of `--duration`.

    Raises:
        EdgefleetError: the server does not answer, an option is invalid, or no device came online.
    """
    model = model_of(arguments)
    names = [draw(model, arguments.first + number).device for number in range(arguments.devices)]
    identities = _enrolled(arguments, names) if arguments.token_file is not None or arguments.state is not None else None
    broker = identities.broker if identities is not None else BrokerAddress("", 0)
    if arguments.broker or identities is None:
        broker = BrokerAddress.parse(arguments.broker or broker_of(arguments.server))
    swarm = SimulatedFleet(
        model,
        arguments.devices,
        broker,
        arguments.telemetry_s,
        f"sim-{time.time_ns():x}",
        arguments.first,
        identities,
    )
    gc.freeze()  # the devices stay: a garbage collection over them would delay every device by a quarter of a second
    found = asyncio.run(_simulate(swarm, arguments.duration, quiet=arguments.json))
    _check_online(swarm, broker)
    if arguments.json:
        print_json(found)
    else:
        print(_farewell(found))
    return 0


def model_of(arguments: argparse.Namespace) -> FleetModel:
    """The fleet of these options; the scenario gives those that are not given.

    Raises:
        InputError: an option is invalid.
    """
    scenario = SCENARIOS[arguments.scenario].options if arguments.scenario else {}
    if arguments.scenario in NEED_VERSION and not arguments.bad_version:
        raise InputError(f"--scenario {arguments.scenario} requires --bad-version, for example --bad-version 1.1.0")

    def option(name: str, default: Any) -> Any:
        given = getattr(arguments, name)
        return scenario.get(name, default) if given is None else given

    return FleetModel(
        seed=arguments.seed,
        profiles=parse_profiles(arguments.profiles),
        offline_rate=option("offline_rate", 0.0),
        bad=BadVersion(arguments.bad_version, option("fail_rate", 0.0), option("fail_by", "rollback"), arguments.fail_profile),
        away_s=option("offline_s", AWAY_S_MEAN),
        clock_days=option("clock_days", 0.0),
        late_rate=option("late_rate", 0.0),
        late_s=option("late_s", 120.0),
    )


def _enrolled(arguments: argparse.Namespace, names: list[str]) -> SimulatedIdentities:
    """The identities of the devices, which are enrolled first where they have none."""
    token = ""
    if arguments.token_file is not None:
        try:
            token = arguments.token_file.read_text(encoding="ascii").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"--token-file {arguments.token_file}: {fault_text(error)}") from error
    server = arguments.server
    if arguments.ca_sha256:
        expected = parse_fingerprint(arguments.ca_sha256, "--ca-sha256")
        try:
            trust = pinned_context(pinned_authority(server, expected, TIMEOUT_S))
        except (OSError, ValueError) as error:
            raise UnavailableError(f"no response from {server} ({fault_text(error)}); check --server") from error
    else:
        trust = https_context(arguments.ca, "--ca")
    terminal = sys.stderr.isatty() and not arguments.json
    shown_s = -math.inf

    def show(enrolled: int, waiting: int) -> None:
        nonlocal shown_s
        now = time.monotonic()
        if arguments.json or (enrolled < len(names) and now - shown_s < (0.2 if terminal else LOG_S)):
            return
        shown_s = now
        wait = f", {waiting:,} wait for approval: `edgefleet token approve --all`" if waiting else ""
        line = f"{enrolled:,}/{len(names):,} devices enrolled{wait}"
        print(f"\r\x1b[K{line}" if terminal else line, file=sys.stderr, end="" if terminal else "\n", flush=True)

    identities = SimulatedIdentities(arguments.state or Path(STATE), server, trust, token, show)
    identities.enrol(names)
    if terminal:
        print(file=sys.stderr)
    return identities


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
            f"the broker {broker.url} requires device certificates: specify a token with --token-file, "
            "or start the server with `edgefleet serve --plain-devices`"
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
