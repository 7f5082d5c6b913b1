"""`edgefleet model analyze DIR`: the best settings of a package on this device; a server is needed only for `--upload`."""

from __future__ import annotations

import argparse
import os
import platform
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

from edgefleet_client.schemas.models import MeasurementUpload
from edgefleet_contract.core.atomic_files import write_atomic
from edgefleet_contract.core.command_line import seconds
from edgefleet_contract.package.manifest import MANIFEST_FILE, Manifest, digest_of, pack_descriptor
from edgefleet_server.cli.client import Client, add_server_arguments, print_json, print_table
from edgefleet_server.cli.package_folder import manifest_of
from edgefleet_server.cli.parsers import REPEATABLE
from edgefleet_server.core.errors import InputError
from edgefleet_server.model_tools.agent_process import require_agent
from edgefleet_server.model_tools.analyze.plot import svg_plot, text_plot
from edgefleet_server.model_tools.analyze.sweep import (
    Grid,
    Objective,
    SweepLimits,
    SweepMeasurement,
    best,
    detect,
    load_warnings,
    settings,
    sweep,
    tuning,
)
from edgefleet_server.model_tools.analyze.winner import write_winner
from edgefleet_server.model_tools.progress_bar import Progress
from edgefleet_server.registry.blob_store import describe_file

SECONDS = 2.0
SECONDS_MAX = 600
"""Limit of `edgefleet-agent bench`."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.add_argument("package", type=Path, metavar="DIR", help="Package folder with a model.toml")
    parser.add_argument("--profile", default="", help="Device profile (default: as detected by `edgefleet-agent detect`)")
    parser.add_argument(
        "--variant", action="append", default=[], metavar="V", help=f"Variant {REPEATABLE} (default: all compatible variants)"
    )
    parser.add_argument(
        "--runtime", action="append", default=[], metavar="R", help=f"Runtime {REPEATABLE} (default: those of the profile)"
    )
    for name, what in (
        ("threads", "Threads per instance"),
        ("streams", "OpenVINO streams"),
        ("instances", "Model instances"),
        ("batch", "Batch sizes"),
    ):
        parser.add_argument(
            f"--{name}", type=_numbers, default=(), metavar="1,2,4", help=f"{what} to try (default: suitable for the machine)"
        )
    parser.add_argument(
        "--seconds",
        type=seconds(0.001, SECONDS_MAX),
        default=SECONDS,
        metavar="S",
        help="Duration of each measurement in seconds (default: %(default)s)",
    )
    parser.add_argument(
        "--rounds", type=int, choices=range(1, 11), default=3, metavar="N", help="Rounds; the best one counts (default: 3)"
    )
    parser.add_argument(
        "--objective",
        choices=("latency", "throughput"),
        help="Objective (default: latency; throughput if there is a latency limit)",
    )
    parser.add_argument(
        "--latency-max",
        type=_positive,
        default=0.0,
        metavar="MS",
        help="Latency limit in milliseconds (default: the budget of the package)",
    )
    parser.add_argument("--plot", type=Path, metavar="FILE.svg", help="Write a plot of latency against throughput")
    parser.add_argument("--write", action="store_true", help="Write the best settings for this profile to model.toml")
    parser.add_argument("--upload", action="store_true", help="Upload the results to the registry, which must have this version")
    add_server_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run the command.

    Raises:
        EdgefleetError: the text says what to do.
    """
    package: Path = arguments.package
    manifest = manifest_of(package)
    if arguments.plot is not None and arguments.plot.suffix != ".svg":
        raise InputError(f"--plot {arguments.plot}: must end in .svg")
    require_agent("model analyze")
    machine = detect()
    profile = arguments.profile or str(machine["profile"])
    known = {str(each["profile"]) for each in (machine, *machine["others"])}
    if profile not in known:
        raise InputError(f"--profile {profile}: no such device profile; known are {', '.join(sorted(known))}")
    grid = Grid(
        arguments.variant, arguments.runtime, arguments.threads, arguments.streams, arguments.instances, batches=arguments.batch
    )
    rows = settings(package, manifest, profile, machine["accelerators"], grid)
    load = os.getloadavg()[0]
    with Progress("measuring", len(rows) * arguments.rounds) as bar:
        found = sweep(package, rows, arguments.seconds, arguments.rounds, bar.to)
    limits = SweepLimits(arguments.latency_max or manifest.budgets.latency_ms, manifest.budgets.memory_bytes)
    objective: Objective = arguments.objective or ("throughput" if limits.latency_ms else "latency")
    winner = best(found, objective, limits)
    if arguments.plot is not None:
        write_atomic(arguments.plot, svg_plot(f"{manifest.id} on {profile}", found, winner).encode())
    warnings = load_warnings(found, load, os.cpu_count() or 1)
    _report(arguments, manifest, profile, found, winner, objective, warnings)
    if winner is None:
        raise InputError(_none(found, limits))
    if arguments.upload:
        _upload(arguments, manifest, profile, found, winner)
    if arguments.write:
        write_winner(package, tuning(profile, winner))
        _say(
            arguments,
            f"{package / MANIFEST_FILE}: [[tuned]] for {profile} written; increase `version` if this version is already pushed",
        )
    return 0


def _report(
    arguments: argparse.Namespace,
    manifest: Manifest,
    profile: str,
    found: Sequence[SweepMeasurement],
    winner: SweepMeasurement | None,
    objective: str,
    warnings: Sequence[str],
) -> None:
    if arguments.json:
        report = {"id": manifest.id, "profile": profile, "objective": objective, "rows": [row.plain() for row in found]}
        print_json({**report, "winner": winner.plain() if winner else None, "warnings": [*warnings]})
        return
    good = sorted((row for row in found if not row.fault), key=lambda row: row.p95_ms)
    headings = (
        "",
        "VARIANT",
        "RUNTIME",
        "DEVICE",
        "THREADS",
        "STREAMS",
        "INST",
        "BATCH",
        "P50 MS",
        "P95 MS",
        "SPREAD",
        "PER S",
        "MB",
    )
    print_table(headings, [_cells(row, winner) for row in good])
    for row in found:
        if row.fault:
            print(f"failed: {row.setting.variant} on {row.setting.runtime} {row.setting.device}: {row.fault}")
    print()
    print(text_plot(found, winner))
    if winner is not None:
        print(f"\nbest for {objective} on {profile}: {winner.setting.variant} on {winner.setting.runtime}")
    for text in warnings:
        print(f"warning: {text}")


def _cells(row: SweepMeasurement, winner: SweepMeasurement | None) -> list[object]:
    setting = row.setting
    numbers = [setting.threads or "default", setting.streams, setting.instances, setting.batch]
    figures = [
        f"{row.p50_ms:.2f}",
        f"{row.p95_ms:.2f}",
        f"{row.spread_percent:.0f} %",
        f"{row.per_s:.1f}",
        f"{row.memory_bytes / 1e6:.0f}",
    ]
    return ["#" if row is winner else "", setting.variant, setting.runtime, setting.device, *numbers, *figures]


def _none(found: Sequence[SweepMeasurement], limits: SweepLimits) -> str:
    good = [row for row in found if not row.fault]
    if not good:
        return f"all settings failed, the first with: {found[0].fault}"
    least_ms = min(row.p95_ms for row in good)
    return (
        f"no setting meets the limits of {limits.latency_ms:g} ms and"
        f" {limits.memory_bytes} bytes (0 = no limit); the lowest p95 is"
        f" {least_ms:.1f} ms; raise the budget or quantize the model"
    )


def _upload(
    arguments: argparse.Namespace, manifest: Manifest, profile: str, found: Sequence[SweepMeasurement], winner: SweepMeasurement
) -> None:
    rows = [{**row.uploaded(), "best": row is winner} for row in found if not row.fault]
    digest = digest_of(pack_descriptor(manifest, [describe_file(name, arguments.package / name) for name in manifest.paths()]))
    body: dict[str, Any] = {
        "digest": digest,
        "profile": profile,
        "machine": f"{platform.machine()} {_cpu()}".strip(),
        "rows": rows,
    }
    for row in rows:
        del row["fault"]
    with Client(arguments.server) as client:
        client.models.upload_measurements(manifest.name, manifest.version, cast("MeasurementUpload", body))
    _say(arguments, f"{manifest.id}: uploaded {len(rows)} results for {profile}")


def _say(arguments: argparse.Namespace, text: str) -> None:
    if not arguments.json:
        print(text)


def _cpu() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    names = [line.partition(":")[2].strip() for line in text.splitlines() if line.startswith(("model name", "Model"))]
    return names[0][:80] if names else ""


def _positive(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.0 < value <= SECONDS_MAX:
        raise argparse.ArgumentTypeError(f"{text!r}: must be a number greater than 0 and at most {SECONDS_MAX}")
    return value


def _numbers(text: str) -> tuple[int, ...]:
    parts = text.split(",")
    if not all(part.isascii() and part.isdigit() and 1 <= int(part) <= 64 for part in parts):
        raise argparse.ArgumentTypeError(f"{text!r}: must be a list of integers from 1 to 64, for example 1,2,4")
    return tuple(int(part) for part in parts)
