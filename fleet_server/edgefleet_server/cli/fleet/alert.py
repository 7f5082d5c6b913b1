"""`edgefleet alert list | rules | add | delete | ack | silence | notices`."""

from __future__ import annotations

import argparse
import time
from typing import Any, Final

from edgefleet_server.cli.client import Client, add_server_arguments, print_json, print_table, say, span

KINDS: Final = ("threshold", "absence", "rate", "anomaly", "rollout_paused", "rollout_approval")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    commands = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    listing = commands.add_parser("list", help="alerts that go on")
    listing.add_argument("--all", action="store_true", help="those that are over, too")
    rules = commands.add_parser("rules", help="what is watched")
    add = commands.add_parser("add", help="watch for something")
    _add_rule_arguments(add)
    delete = commands.add_parser("delete", help="delete a rule with its alerts")
    delete.add_argument("rule", type=int)
    acknowledge = commands.add_parser("ack", help="acknowledge an alert")
    acknowledge.add_argument("alert", type=int)
    silence = commands.add_parser("silence", help="send no notices about a rule for a while")
    silence.add_argument("rule", type=int)
    silence.add_argument("--for", dest="for_s", type=float, default=3600.0, metavar="S", help="0 ends it (default: %(default)s)")
    notices = commands.add_parser("notices", help="messages to webhooks and mailboxes, and how they went")
    for child in (listing, rules, add, delete, acknowledge, silence, notices):
        add_server_arguments(child)


def _add_rule_arguments(add: argparse.ArgumentParser) -> None:
    add.add_argument("name")
    add.add_argument("kind", choices=KINDS)
    add.add_argument("--figure", help="fps, latency_p95_ms, temperature_c, cpu_percent, disk_free_bytes, …")
    add.add_argument("--above", type=float)
    add.add_argument("--below", type=float)
    add.add_argument("--clear", type=float, help="where it is over (default: 5 %% behind the limit)")
    add.add_argument("--for", dest="for_s", type=float, metavar="S", help="how long it must hold (default: 60)")
    add.add_argument("--window", type=float, metavar="S", help="in which events are counted (default: 300)")
    add.add_argument("--deviations", type=float, help="from the device's own mean (default: 4)")
    add.add_argument("--event-kind")
    add.add_argument("--event-label")
    add.add_argument("--group", help="only these devices; not for rollouts")
    add.add_argument("--severity", choices=("info", "warning", "critical"))
    add.add_argument("--webhook", action="append", default=[], metavar="URL", help="may be given more than once")
    add.add_argument("--secret", default="", help="signs what goes to the webhooks")
    add.add_argument("--email", action="append", default=[], metavar="ADDRESS", help="may be given more than once")


def run(arguments: argparse.Namespace) -> int:
    """Run the command.

    Raises:
        EdgefleetError: the text says what to do.
    """
    client = Client(arguments.server)
    actions = {"list": _list, "rules": _rules, "add": _add, "notices": _notices}
    if arguments.action in actions:
        return actions[arguments.action](client, arguments)
    if arguments.action == "delete":
        client.delete(f"/alert-rules/{arguments.rule}")
    elif arguments.action == "ack":
        client.post_nothing(f"/alerts/{arguments.alert}/acknowledge")
    else:
        client.post(f"/alert-rules/{arguments.rule}/silence", {"for_s": arguments.for_s})
    if arguments.json:
        print_json({"done": arguments.action})
    return 0


def _list(client: Client, arguments: argparse.Namespace) -> int:
    answer = client.get("/alerts", open=not arguments.all)
    if arguments.json:
        print_json(answer)
        return 0
    now = time.time()
    rows = [
        [
            one["id"],
            one["severity"],
            one["rule_name"],
            one["subject"],
            one["text"],
            _since(one, now),
            one["acknowledged_by"] or "-",
        ]
        for one in answer["items"]
    ]
    print_table(("ALERT", "SEVERITY", "RULE", "ABOUT", "WHAT", "SINCE", "SEEN BY"), rows)
    return 0


def _since(alert: dict[str, Any], now: float) -> str:
    over = f", over for {span(now - alert['ended_at'])}" if alert["ended_at"] else ""
    return f"{span(now - alert['began_at'])}{over}"


def _rules(client: Client, arguments: argparse.Namespace) -> int:
    answer = client.get("/alert-rules")
    if arguments.json:
        print_json(answer)
        return 0
    rows = [[one["id"], one["name"], _words(one["rule"]), one["alerts_open"], _state(one)] for one in answer["items"]]
    print_table(("RULE", "NAME", "WATCHES", "OPEN", "STATE"), rows)
    return 0


def _words(rule: dict[str, Any]) -> str:
    limits = " ".join(f"{word} {rule[word]:g}" for word in ("above", "below") if rule[word] is not None)
    who = f" in {rule['group']}" if rule["group"] else ""
    parts = [rule["kind"], rule["figure"] or rule["event_kind"] or "", limits, f"for {span(rule['for_s'])}"]
    return " ".join(part for part in parts if part) + who


def _state(rule: dict[str, Any]) -> str:
    if not rule["enabled"]:
        return "off"
    silent_s = rule["silenced_until"] - time.time()
    return f"silent for {span(silent_s)}" if silent_s > 0 else "on"


def _add(client: Client, arguments: argparse.Namespace) -> int:
    names = ("kind", "figure", "above", "below", "clear", "for_s", "deviations", "event_kind", "event_label", "group", "severity")
    rule: dict[str, Any] = {name: getattr(arguments, name) for name in names if getattr(arguments, name) is not None}
    if arguments.window is not None:
        rule["window_s"] = arguments.window
    rule["webhooks"] = [{"url": url, "secret": arguments.secret} for url in arguments.webhook]
    rule["emails"] = arguments.email
    answer = client.post("/alert-rules", {"name": arguments.name, "rule": rule})
    return say(answer, arguments, f"rule {answer['id']} ({answer['name']}): {_words(answer['rule'])}")


def _notices(client: Client, arguments: argparse.Namespace) -> int:
    answer = client.get("/notices")
    if arguments.json:
        print_json(answer)
        return 0
    rows = [[one["id"], one["target"], one["alert"], one["state"], one["tries"], one["error"]] for one in answer["items"]]
    print_table(("NOTICE", "TO", "ALERT", "STATE", "TRIES", "WHY"), rows)
    return 0
