"""`edgefleet proposal list | show | approve | reject`: changes that API tokens with scope `propose` ask for."""

from __future__ import annotations

import argparse
import json
import time
from typing import Any, Final, get_args

from edgefleet_client.operations.proposals import ProposalsState
from edgefleet_client.schemas.audit import Proposal, ProposalEffect
from edgefleet_contract.core.command_line import add_command
from edgefleet_server.cli.client import Client, add_server_arguments, print_json, print_table, say, span

STATES: Final = get_args(ProposalsState)
VALUE_CHARS_MAX: Final = 160


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    commands = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    listing = add_command(commands, "list", "List proposals, newest first", "edgefleet proposal list --state pending")
    listing.add_argument("--state", action="append", choices=STATES, help="Only in this state (repeatable; default: pending)")
    listing.add_argument("--all", action="store_true", help="In all states")
    listing.add_argument("--limit", type=int, default=50, help="Maximum number of proposals (default: %(default)s)")
    show = add_command(commands, "show", "Show a proposal and what its approval would do now", "edgefleet proposal show 12")
    approve = add_command(
        commands, "approve", "Approve a proposal: its request runs now, with your rights", "edgefleet proposal approve 12"
    )
    approve.add_argument("--reason", default="", help="Reason, for the audit log and the proposer")
    reject = add_command(commands, "reject", "Reject a proposal", "edgefleet proposal reject 12 --reason 'not this week'")
    reject.add_argument("--reason", required=True, help="Reason, which the proposer sees")
    for child in (show, approve, reject):
        child.add_argument("id", type=int, help="Proposal ID, as listed by `edgefleet proposal list`")
    for child in (listing, show, approve, reject):
        add_server_arguments(child)


def run(arguments: argparse.Namespace) -> int:
    """Run the command.

    Raises:
        EdgefleetError: the text says what to do.
    """
    with Client(arguments.server) as client:
        return {"list": _list, "show": _show, "approve": _approve, "reject": _reject}[arguments.action](client, arguments)


def _list(client: Client, arguments: argparse.Namespace) -> int:
    states: list[ProposalsState] | None = arguments.state or (None if arguments.all else ["pending"])
    answer = client.proposals.list_proposals(state=states, size=min(max(arguments.limit, 1), 200))
    if arguments.json:
        print_json(answer)
        return 0
    print_table(("ID", "STATE", "AGO", "PROPOSED BY", "OPERATION", "PATH", "NOTE"), [_row(item) for item in answer["items"]])
    if answer["total"] > len(answer["items"]):
        print(f"{answer['total'] - len(answer['items'])} more; --limit N shows more")
    return 0


def _row(item: Proposal) -> list[object]:
    ago = span(time.time() - item["made_at"])
    whom = f"{item['proposed_by']} ({item['token_name']})"
    return [item["id"], item["state"], ago, whom, item["operation"], item["path"], item["note"][:60]]


def _show(client: Client, arguments: argparse.Namespace) -> int:
    proposal = client.proposals.get_proposal(arguments.id)
    effect = client.proposals.get_proposal_effect(arguments.id) if proposal["state"] == "pending" else None
    if arguments.json:
        print_json({"proposal": proposal, "effect": effect})
        return 0
    print(f"Proposal {proposal['id']}: {proposal['state']}")
    print(f"  proposed by  {proposal['proposed_by']} with API token {proposal['token_name']} ({proposal['token']})")
    print(f"  operation    {proposal['operation']}: {proposal['summary']}")
    print(f"  request      {proposal['method']} {proposal['path']}")
    if proposal["note"]:
        print(f"  note         {proposal['note']}")
    if proposal["decided_by"] or proposal["reason"]:
        print(f"  decision     {proposal['decided_by'] or '-'}{': ' + proposal['reason'] if proposal['reason'] else ''}")
    if proposal["outcome"]:
        print(f"  outcome      {proposal['outcome']}")
    if effect is not None:
        _show_effect(effect)
    elif proposal["body"] is not None:
        print(f"  body         {_short(proposal['body'])}")
    return 0


def _show_effect(effect: ProposalEffect) -> None:
    if effect["target"]:
        print(f"  target       {', '.join(f'{name} {value}' for name, value in effect['target'].items())}")
    for change in effect["changes"]:
        before = "" if change["before"] is None else f"{_short(change['before'])} -> "
        print(f"  {change['field']:<12} {before}{_short(change['after'])}")
    preview: Any = effect.get("preview")
    if isinstance(preview, dict):
        waves = ", ".join(f"{wave['name']} {wave['count']}" for wave in preview["waves"])
        print(f"  effect       {preview['eligible']} devices ({waves}); {len(preview['ineligible'])} cannot run it")
    verdict = f"refused: {effect['refusal']}" if effect["refusal"] else f"accepted now ({effect['checked']} check)"
    print(f"  would be     {verdict}")


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= VALUE_CHARS_MAX else text[:VALUE_CHARS_MAX] + "…"


def _approve(client: Client, arguments: argparse.Namespace) -> int:
    answer = client.proposals.approve_proposal(arguments.id, {"reason": arguments.reason})
    return say(answer, arguments, f"Proposal {answer['id']} is approved; {answer['outcome']}")


def _reject(client: Client, arguments: argparse.Namespace) -> int:
    answer = client.proposals.reject_proposal(arguments.id, {"reason": arguments.reason})
    return say(answer, arguments, f"Proposal {answer['id']} is rejected")
