"""`edgefleet alert snoozes | snooze | end-snooze`."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from datetime import datetime
from typing import Any, Final, cast

from edgefleet_client.schemas.alerts import Snooze, SnoozeRequest
from edgefleet_contract.core.command_line import add_command, seconds
from edgefleet_server.cli.client import Client, add_server_arguments, print_json, print_table, say, span
from edgefleet_server.core.errors import InputError

Action = Callable[[Client, argparse.Namespace], int]


def add_arguments(commands: Any) -> None:
    """Arguments of the actions."""
    listing = add_command(commands, "snoozes", "List snoozes that go on")
    snooze = add_command(
        commands,
        "snooze",
        "Hold back notifications of a rule, a group or a device for some time",
        "edgefleet alert snooze --group lyon --until 2026-12-01T06:00 --reason 'cameras are cleaned'",
    )
    snooze.add_argument("--rule", type=int, help="Only alerts of this rule (ID)")
    snooze.add_argument("--group", help="Only alerts about devices of this group, and about rollouts for it")
    snooze.add_argument("--device", help="Only alerts about this device")
    length = snooze.add_mutually_exclusive_group(required=True)
    length.add_argument("--for", dest="for_s", type=seconds(1, 366 * 86_400), metavar="S", help="Duration in seconds")
    length.add_argument(
        "--until", metavar="TIME", help="End, for example 2026-12-01T06:00 (local time) or 2026-12-01T06:00+00:00"
    )
    snooze.add_argument("--reason", required=True, help="Why; shown in the dashboard and in the audit log")
    end = add_command(commands, "end-snooze", "End a snooze now", "edgefleet alert end-snooze 4")
    end.add_argument("snooze", type=int, help="Snooze ID, as listed by `edgefleet alert snoozes`")
    for child in (listing, snooze, end):
        add_server_arguments(child)


def _list(client: Client, arguments: argparse.Namespace) -> int:
    answer = {"items": list(client.alerts.iterate_alert_snoozes())}
    if arguments.json:
        print_json(answer)
        return 0
    now = time.time()
    rows = [
        [one["id"], _about(one), span(one["until_at"] - now), one["reason"] or "-", one["created_by"] or "-"]
        for one in answer["items"]
    ]
    print_table(("ID", "ALERTS", "ENDS IN", "REASON", "BY"), rows)
    return 0


def _about(one: Snooze) -> str:
    names = (("rule", one["rule_name"]), ("group", one["group"]), ("device", one["device"]))
    return ", ".join(f"{word} {name}" for word, name in names if name)


def _snooze(client: Client, arguments: argparse.Namespace) -> int:
    body: dict[str, Any] = {
        "rule": arguments.rule,
        "group": arguments.group,
        "device": arguments.device,
        "until_at": time.time() + arguments.for_s if arguments.until is None else _time(arguments.until),
        "reason": arguments.reason,
    }
    answer = client.alerts.create_alert_snooze(cast("SnoozeRequest", body))
    return say(answer, arguments, f"snooze {answer['id']}: {_about(answer)} for {span(answer['until_at'] - time.time())}")


def _time(text: str) -> float:
    try:
        return datetime.fromisoformat(text).timestamp()
    except ValueError as error:
        raise InputError(f"--until {text}: must be a time like 2026-12-01T06:00") from error


def _end(client: Client, arguments: argparse.Namespace) -> int:
    client.alerts.end_alert_snooze(arguments.snooze)
    if arguments.json:
        print_json({"done": arguments.action})
    return 0


ACTIONS: Final[dict[str, Action]] = {"snoozes": _list, "snooze": _snooze, "end-snooze": _end}
