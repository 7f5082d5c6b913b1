"""`edgefleet alert recipients | add-recipient | test-recipient | delete-recipient`."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any, Final, cast

from edgefleet_client.schemas.alerts import AlertRecipient, AlertRecipientRequest
from edgefleet_contract.core.command_line import add_command, add_secret_option
from edgefleet_contract.core.questions import read_secret
from edgefleet_server.cli.client import Client, add_server_arguments, print_json, print_table, say
from edgefleet_server.cli.parsers import REPEATABLE

KINDS: Final = ("webhook", "email", "slack", "teams", "pagerduty", "ntfy")
"""Browsers subscribe in the dashboard."""
STDIN: Final = "-"
SECRET_BYTES_MAX: Final = 4096
Action = Callable[[Client, argparse.Namespace], int]


def add_arguments(commands: Any) -> None:
    """Arguments of the actions."""
    listing = add_command(commands, "recipients", "List recipients of alerts")
    add = add_command(
        commands,
        "add-recipient",
        "Create a recipient of the alerts of all rules",
        "edgefleet alert add-recipient on-call slack --secret-file slack-url.txt --severity critical",
    )
    add.add_argument("name", help="Recipient name")
    add.add_argument("kind", choices=KINDS, help="Kind of recipient")
    add_secret_option(add, "--url", "Webhook URL; server of ntfy or PagerDuty", metavar="URL", default="")
    add.add_argument(
        "--secret-file",
        metavar="FILE",
        help="File with the webhook address (slack, teams), integration key (pagerduty), access token (ntfy) or signing secret"
        " (webhook); - = standard input",
    )
    add.add_argument("--email", action="append", default=[], metavar="ADDRESS", help=f"Mail address {REPEATABLE}")
    add.add_argument("--topic", default="", help="Topic of ntfy")
    add.add_argument("--group", action="append", default=[], help=f"Only alerts about devices of this group {REPEATABLE}")
    add.add_argument(
        "--severity",
        action="append",
        default=[],
        choices=("info", "warning", "critical"),
        help=f"Only alerts of this severity {REPEATABLE}",
    )
    test = add_command(commands, "test-recipient", "Send a test notification", "edgefleet alert test-recipient 2")
    delete = add_command(commands, "delete-recipient", "Delete a recipient", "edgefleet alert delete-recipient 2")
    for child in (test, delete):
        child.add_argument("recipient", type=int, help="Recipient ID, as listed by `edgefleet alert recipients`")
    for child in (listing, add, test, delete):
        add_server_arguments(child)


def _list(client: Client, arguments: argparse.Namespace) -> int:
    answer = {"items": list(client.alerts.iterate_alert_recipients())}
    if arguments.json:
        print_json(answer)
        return 0
    rows = [
        [one["id"], one["name"], one["kind"], _address(one), _all(one["groups"]), _all(one["severities"]), _state(one)]
        for one in answer["items"]
    ]
    print_table(("ID", "NAME", "KIND", "TO", "GROUPS", "SEVERITIES", "STATE"), rows)
    return 0


def _address(one: AlertRecipient) -> str:
    return ", ".join(one["emails"]) or " ".join(part for part in (one["url"], one["topic"]) if part) or "-"


def _all(names: Any) -> str:
    return ", ".join(names) or "all"


def _state(one: AlertRecipient) -> str:
    return "on" if one["enabled"] else "off"


def _add(client: Client, arguments: argparse.Namespace) -> int:
    body = {
        "name": arguments.name,
        "kind": arguments.kind,
        "url": arguments.url,
        "secret": read_secret("--secret-file", arguments.secret_file) if arguments.secret_file else "",
        "emails": arguments.email,
        "topic": arguments.topic,
        "groups": arguments.group,
        "severities": arguments.severity,
    }
    answer = client.alerts.create_alert_recipient(cast("AlertRecipientRequest", body))
    number = answer["id"]
    return say(answer, arguments, f"recipient {number} ({answer['name']}); `edgefleet alert test-recipient {number}` tests it")


def _test(client: Client, arguments: argparse.Namespace) -> int:
    answer = client.alerts.test_alert_recipient(arguments.recipient)
    say(answer, arguments, "delivered" if answer["delivered"] else f"not delivered: {answer['error']}")
    return 0 if answer["delivered"] else 1


def _delete(client: Client, arguments: argparse.Namespace) -> int:
    client.alerts.delete_alert_recipient(arguments.recipient)
    if arguments.json:
        print_json({"done": arguments.action})
    return 0


ACTIONS: Final[dict[str, Action]] = {
    "recipients": _list,
    "add-recipient": _add,
    "test-recipient": _test,
    "delete-recipient": _delete,
}
