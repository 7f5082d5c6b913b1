"""`edgefleet model coverage | prune`: devices that could run a version, and retirement of old versions."""

from __future__ import annotations

import argparse
from typing import Any

from edgefleet_client.schemas.models import CoverageRow, PruneRequest
from edgefleet_contract.core.command_line import add_command
from edgefleet_contract.encoding.sizes import size
from edgefleet_server.cli.client import Client, print_json, print_table
from edgefleet_server.cli.parsers import package_of

DAY_S = 86_400.0


def add_arguments(commands: Any) -> list[argparse.ArgumentParser]:
    """Add these sub-commands to those of `model`."""
    coverage = add_command(
        commands,
        "coverage",
        "Show the variant that each device profile would use",
        "edgefleet model coverage conveyor_inspector@1.1.0",
    )
    coverage.add_argument("package", metavar="NAME@VERSION", help="Version")
    prune = add_command(
        commands, "prune", "Retire unused old versions", "edgefleet model prune conveyor_inspector --keep 3 --yes"
    )
    prune.add_argument("model", nargs="?", help="Model name (default: all models)")
    prune.add_argument("--keep", type=int, default=5, metavar="N", help="Versions of each model to keep (default: %(default)s)")
    prune.add_argument(
        "--older-than", type=float, default=30.0, metavar="DAYS", help="Minimum age in days (default: %(default)g)"
    )
    prune.add_argument("--yes", action="store_true", help="Retire the versions (default: only list them)")
    return [coverage, prune]


def coverage(client: Client, arguments: argparse.Namespace) -> int:
    """Print a table of kinds of devices."""
    name, version = package_of(arguments.package)
    answer = client.models.get_coverage(name, version)
    if arguments.json:
        print_json(answer)
        return 0
    print(f"{answer['covered']} of {answer['devices']} devices have a variant of {arguments.package}")
    print_table(
        ("PROFILE", "DEVICES", "ONLINE", "RUNNING", "VARIANT", "SIZE", "P95 MS", "REASON"), [_row(row) for row in answer["rows"]]
    )
    for profile, found in answer["measured_elsewhere"].items():
        best = found[0]
        print(f"measured {profile} ({best['machine']}), no such device: p95 {best['p95_ms']:.2f} ms with {best['variant']}")
    for one in answer["rollouts"]:
        counts = ", ".join(f"{count} {state.replace('_', ' ')}" for state, count in sorted(one["counts"].items()))
        print(f"rollout  {one['id']}: {one['name']} ({one['state'].replace('_', ' ')}): {counts or 'no devices'}")
    return 0


def _row(row: CoverageRow) -> list[object]:
    takes = f"{row['variant']} on {row['runtime']}" if row["variant"] else "-"
    p95 = f"{row['measured'][0]['p95_ms']:.2f}" if row["measured"] else "-"
    length = size(row["length_bytes"]) if row["variant"] else "-"
    return [row["profile"] or "(none)", row["devices"], row["online"], row["running"], takes, length, p95, row["reason"]]


def prune(client: Client, arguments: argparse.Namespace) -> int:
    """List the versions that would be retired, or retire them."""
    body: PruneRequest = {
        "model": arguments.model,
        "keep": arguments.keep,
        "age_s": arguments.older_than * DAY_S,
        "dry_run": not arguments.yes,
    }
    answer = client.models.prune_models(body)
    if arguments.json:
        print_json(answer)
        return 0
    rows = [("retired" if arguments.yes else "retire", one) for one in answer["retired"]] + [
        ("keep", one) for one in answer["retained"]
    ]
    table = [[word, f"{one['model']}@{one['version']}", size(one["length_bytes"]), one["reason"]] for word, one in rows]
    print_table(("ACTION", "VERSION", "SIZE", "REASON"), table)
    if arguments.yes:
        print(f"{len(answer['retired'])} versions retired, {size(answer['freed_bytes'])} freed")
    elif answer["retired"]:
        print("nothing was retired; use --yes to retire these versions")
    return 0
