"""`edgefleet token create [--device ID] [--label K=V] [--hours H] | list | revoke ID`: enrolment tokens of devices."""

from __future__ import annotations

import argparse
import time

from edgefleet_client.schemas.identity import TokenRequest, TokenRow
from edgefleet_contract.core.command_line import add_command
from edgefleet_server.cli.client import Client, add_server_arguments, pairs, print_json, print_table, span
from edgefleet_server.cli.parsers import REPEATABLE

HOUR_S = 3600.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    commands = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    create = add_command(
        commands, "create", "Create a token that enrolls one device", "edgefleet token create --device line-7 --label site=lyon"
    )
    create.add_argument(
        "--device", default="", metavar="ID", help="Only for this device, which may be enrolled already (default: any new device)"
    )
    create.add_argument("--label", action="append", default=[], metavar="K=V", help=f"Label for the device {REPEATABLE}")
    create.add_argument("--hours", type=float, default=1.0, metavar="H", help="Validity in hours (default: %(default)s)")
    listing = add_command(commands, "list", "List tokens, without their secrets")
    revoke = add_command(commands, "revoke", "Revoke a token", "edgefleet token revoke 3f9a1c")
    revoke.add_argument("id", help="Token ID, as listed by `edgefleet token list`")
    for child in (create, listing, revoke):
        add_server_arguments(child)


def run(arguments: argparse.Namespace) -> int:
    """Run the command.

    Raises:
        EdgefleetError: the text says what to do.
    """
    actions = {"create": _create, "list": _list, "revoke": _revoke}
    return actions[arguments.action](Client(arguments.server), arguments)


def _create(client: Client, arguments: argparse.Namespace) -> int:
    body: TokenRequest = {
        "device": arguments.device,
        "labels": pairs(arguments.label, "label"),
        "life_s": arguments.hours * HOUR_S,
    }
    answer = client.identity.create_enrolment_token(body)
    if arguments.json:
        print_json(answer)
        return 0
    print(answer["token"])
    return 0


def _list(client: Client, arguments: argparse.Namespace) -> int:
    answer = client.identity.list_enrolment_tokens()
    if arguments.json:
        print_json(answer)
        return 0
    rows = [
        [row["id"], _state(row), row["device"] or "any", " ".join(f"{k}={v}" for k, v in row["labels"].items())]
        for row in answer["items"]
    ]
    print_table(("ID", "STATE", "DEVICE", "LABELS"), rows)
    return 0


def _state(row: TokenRow) -> str:
    if row["used_at"] is not None:
        return f"used by {row['used_by']}"
    if row["revoked_at"] is not None:
        return "revoked"
    left_s = row["expires_at"] - time.time()
    return f"valid for {span(left_s)}" if left_s > 0 else "expired"


def _revoke(client: Client, arguments: argparse.Namespace) -> int:
    client.identity.revoke_enrolment_token(arguments.id)
    print(f"token {arguments.id} revoked")
    return 0
