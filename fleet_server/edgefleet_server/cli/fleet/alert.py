"""`edgefleet alert list | rules | add | delete | ack | silence | notices`, and the actions of `alert_recipient` and
`alert_snooze`."""

from __future__ import annotations

import argparse
import time
from typing import Any, Final, cast

from edgefleet_client.schemas.alerts import Alert, AlertRule, AlertRuleBody
from edgefleet_contract.core.command_line import add_command, add_secret_option, finite, seconds
from edgefleet_server.cli.client import Client, add_server_arguments, print_json, print_table, say, span
from edgefleet_server.cli.fleet import alert_recipient, alert_snooze
from edgefleet_server.cli.parsers import REPEATABLE

KINDS: Final = (
    "threshold", "absence", "rate", "anomaly", "blind_camera", "memory", "rollout_paused", "rollout_failed", "rollout_approval",
)  # fmt: skip


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    commands = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    listing = add_command(commands, "list", "List active alerts", "edgefleet alert list --all")
    listing.add_argument("--all", action="store_true", help="Include resolved alerts")
    rules = add_command(commands, "rules", "List alert rules")
    add = add_command(
        commands, "add", "Create an alert rule", "edgefleet alert add hot threshold --figure temperature_c --above 80 --for 300"
    )
    _add_rule_arguments(add)
    delete = add_command(commands, "delete", "Delete a rule and its alerts", "edgefleet alert delete 3")
    acknowledge = add_command(commands, "ack", "Acknowledge an alert", "edgefleet alert ack 17")
    acknowledge.add_argument("alert", type=int, help="Alert ID, as listed by `edgefleet alert list`")
    silence = add_command(commands, "silence", "Pause notifications of a rule", "edgefleet alert silence 3 --for 7200")
    for child in (delete, silence):
        child.add_argument("rule", type=int, help="Rule ID, as listed by `edgefleet alert rules`")
    silence.add_argument(
        "--for",
        dest="for_s",
        type=seconds(0, 2_592_000),
        default=3600.0,
        metavar="S",
        help="Duration in seconds; 0 = resume (default: %(default)s)",
    )
    notices = add_command(commands, "notices", "List notifications to webhooks and mailboxes with their delivery status")
    for child in (listing, rules, add, delete, acknowledge, silence, notices):
        add_server_arguments(child)
    alert_recipient.add_arguments(commands)
    alert_snooze.add_arguments(commands)


def _add_rule_arguments(add: argparse.ArgumentParser) -> None:
    add.add_argument("name", help="Rule name")
    add.add_argument("kind", choices=KINDS, help="Kind of condition")
    condition = add.add_argument_group("condition")
    condition.add_argument("--figure", help="Metric: fps, latency_p95_ms, temperature_c, memory_bytes, coverage_percent, …")
    condition.add_argument("--above", type=finite, help="Upper limit")
    condition.add_argument("--below", type=finite, help="Lower limit")
    condition.add_argument("--clear", type=finite, help="Value that resolves the alert (default: 5 %% inside the limit)")
    condition.add_argument(
        "--for", dest="for_s", type=seconds(0, 2_592_000), metavar="S", help="Minimum duration in seconds (default: 60)"
    )
    condition.add_argument(
        "--window", type=seconds(10, 86_400), metavar="S", help="Window for counting events in seconds (default: 300)"
    )
    condition.add_argument("--deviations", type=finite, help="Standard deviations from the mean of the device (default: 4)")
    condition.add_argument("--event-kind", help="Only events of this kind")
    condition.add_argument("--event-label", help="Only events with this label")
    condition.add_argument("--event-rule", help="Only events of this rule of a pipeline")
    condition.add_argument("--pipeline", help="Only this pipeline; for rate and blind_camera")
    condition.add_argument("--group", help="Only devices of this group; not for rollout rules")
    notification = add.add_argument_group("notification")
    notification.add_argument("--severity", choices=("info", "warning", "critical"), help="Severity of the alerts")
    add_secret_option(notification, "--webhook", f"Webhook {REPEATABLE}", metavar="URL", repeatable=True, default=[])
    add_secret_option(notification, "--secret", "Secret that signs webhook requests", metavar="SECRET", default="")
    notification.add_argument("--email", action="append", default=[], metavar="ADDRESS", help=f"Mail address {REPEATABLE}")


def run(arguments: argparse.Namespace) -> int:
    """Run the command.

    Raises:
        EdgefleetError: the text says what to do.
    """
    with Client(arguments.server) as client:
        return _run(client, arguments)


def _run(client: Client, arguments: argparse.Namespace) -> int:
    actions = {
        "list": _list,
        "rules": _rules,
        "add": _add,
        "notices": _notices,
        **alert_recipient.ACTIONS,
        **alert_snooze.ACTIONS,
    }
    if arguments.action in actions:
        return actions[arguments.action](client, arguments)
    if arguments.action == "delete":
        client.alerts.delete_alert_rule(arguments.rule)
    elif arguments.action == "ack":
        client.alerts.acknowledge_alert(arguments.alert)
    else:
        client.alerts.silence_alert_rule(arguments.rule, {"for_s": arguments.for_s})
    if arguments.json:
        print_json({"done": arguments.action})
    return 0


def _list(client: Client, arguments: argparse.Namespace) -> int:
    answer = client.alerts.list_alerts(open=not arguments.all)
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
    print_table(("ALERT", "SEVERITY", "RULE", "SUBJECT", "TEXT", "SINCE", "ACKNOWLEDGED BY"), rows)
    return 0


def _since(alert: Alert, now: float) -> str:
    over = f", resolved for {span(now - alert['ended_at'])}" if alert["ended_at"] else ""
    return f"{span(now - alert['began_at'])}{over}"


def _rules(client: Client, arguments: argparse.Namespace) -> int:
    answer = {"items": list(client.alerts.iterate_alert_rules())}
    if arguments.json:
        print_json(answer)
        return 0
    named = any(one["rule"]["group"] for one in answer["items"])
    groups = {group["name"] for group in client.devices.iterate_groups()} if named else set()
    rows = [[one["id"], one["name"], _words(one["rule"]), one["alerts_open"], _state(one, groups)] for one in answer["items"]]
    print_table(("RULE", "NAME", "CONDITION", "ACTIVE", "STATE"), rows)
    return 0


def _words(rule: AlertRuleBody) -> str:
    limits = " ".join(f"{word} {rule[word]:g}" for word in ("above", "below") if rule[word] is not None)
    who = f" in {rule['group']}" if rule["group"] else ""
    of = [rule[word] or "" for word in ("event_label", "event_kind", "event_rule", "pipeline")]
    parts = [rule["kind"], rule["figure"] or "", *of, limits, f"for {span(rule['for_s'])}"]
    return " ".join(part for part in parts if part) + who


def _state(rule: AlertRule, groups: set[str]) -> str:
    if not rule["enabled"]:
        return "off"
    group = rule["rule"]["group"]
    if group and group not in groups:
        return f"finds nothing: no group {group}"
    silent_s = rule["silenced_until"] - time.time()
    return f"silenced for {span(silent_s)}" if silent_s > 0 else "on"


def _add(client: Client, arguments: argparse.Namespace) -> int:
    names = (
        "kind", "figure", "above", "below", "clear", "for_s", "deviations", "event_kind", "event_label", "event_rule", "pipeline",
        "group", "severity",
    )  # fmt: skip
    rule: dict[str, Any] = {name: getattr(arguments, name) for name in names if getattr(arguments, name) is not None}
    if arguments.window is not None:
        rule["window_s"] = arguments.window
    rule["webhooks"] = [{"url": url, "secret": arguments.secret} for url in arguments.webhook]
    rule["emails"] = arguments.email
    answer = client.alerts.create_alert_rule({"name": arguments.name, "rule": cast("AlertRuleBody", rule)})
    return say(answer, arguments, f"rule {answer['id']} ({answer['name']}): {_words(answer['rule'])}")


def _notices(client: Client, arguments: argparse.Namespace) -> int:
    answer = client.alerts.list_notices()
    if arguments.json:
        print_json(answer)
        return 0
    rows = [
        [one["id"], one["target"], one["alert"], one["state"], one["tries"], one["error"] or one.get("summary", "")]
        for one in answer["items"]
    ]
    print_table(("ID", "TARGET", "ALERT", "STATE", "ATTEMPTS", "TEXT"), rows)
    return 0
