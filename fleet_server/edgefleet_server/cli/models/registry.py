"""`edgefleet model coverage | prune | withdraw`: devices that could run a version, retirement of old versions, and versions that
devices have to refuse."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from edgefleet_client.schemas.models import CoverageRow, PruneRequest
from edgefleet_client.schemas.trust import VersionWithdrawal
from edgefleet_contract.core.command_line import add_command, finite
from edgefleet_contract.encoding.sizes import size
from edgefleet_server.cli.client import Client, print_json, print_table, say
from edgefleet_server.cli.parsers import REPEATABLE, package_of
from edgefleet_server.core.errors import InputError

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
        "--older-than", type=finite, default=30.0, metavar="DAYS", help="Minimum age in days (default: %(default)g)"
    )
    prune.add_argument("--yes", action="store_true", help="Retire the versions (default: only list them)")
    withdraw = add_command(
        commands,
        "withdraw",
        "Let devices refuse a version, however it is ordered; what runs it runs on",
        "edgefleet model withdraw conveyor_inspector@1.0.0 --key targets.pem",
    )
    withdraw.add_argument("package", metavar="NAME@VERSION", help="Version")
    withdraw.add_argument(
        "--keep-epoch", action="store_true", help="Only take the version off the signed list; do not raise the lowest epoch"
    )
    withdraw.add_argument(
        "--key",
        type=Path,
        action="append",
        default=[],
        metavar="F",
        help=f"Private key of the signed list, if the server does not have it {REPEATABLE}",
    )
    withdraw.add_argument("--team", default="targets", metavar="T", help="Team that signed it (default: the repository itself)")
    return [coverage, prune, withdraw]


def withdraw(client: Client, arguments: argparse.Namespace) -> int:
    """Withdraw a version: by the server's key, or by keys of this machine.

    Raises:
        InputError: the list does not name the version, or is not signed with these keys.
        ConflictError: the server does not have the key.
    """
    name, version = package_of(arguments.package)
    if arguments.key:
        data = _signed_without(client, arguments, name, version)
        answer = client.trust.post_signed_targets({"metadata": data.decode(), "role": arguments.team})
    else:
        body: VersionWithdrawal = {"package": name, "version": version, "keep_epoch": arguments.keep_epoch}
        answer = client.trust.withdraw_version(body)
    return say(answer, arguments, f"{arguments.package} withdrawn; devices refuse it as soon as they hear of it")


def _signed_without(client: Client, arguments: argparse.Namespace, name: str, version: str) -> bytes:
    from edgefleet_server.registry.signing.keys import load_signer, sign
    from edgefleet_server.registry.signing.signed_targets import signed_by, without

    signers = [load_signer(file) for file in arguments.key]
    data = client.trust.get_trust_metadata(arguments.team)
    if not any(signed_by(data, signer.public_key) for signer in signers):
        raise InputError("the package list of the server is not signed with your keys; use the keys that sign it")
    return sign(without(data, name, version, keep_epoch=arguments.keep_epoch), *signers)


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
