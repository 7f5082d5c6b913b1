"""`edgefleet apply -f FILE|DIR|-`: make the server's fleet as files describe it."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from typing import Final

from edgefleet_contract.core.questions import ask
from edgefleet_server.cli.apply.changes import Change
from edgefleet_server.cli.apply.context import PlanContext
from edgefleet_server.cli.apply.fleet_files import STDIN, read_files
from edgefleet_server.cli.apply.ownership import Ownership
from edgefleet_server.cli.apply.planner import plan
from edgefleet_server.cli.client import Client, add_server_arguments, print_json
from edgefleet_server.core.errors import (
    ApprovalNeededError,
    ConflictError,
    DeniedError,
    EdgefleetError,
    InputError,
    NotFoundError,
)
from edgefleet_server.domain.policy.roles import Role

CHANGES_EXIT_CODE: Final = 2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.add_argument(
        "-f", "--file", required=True, metavar="FILE|DIR|-", help="fleet.yaml, a folder of such files, or - for stdin"
    )
    parser.add_argument("--plan", action="store_true", help="Show the changes without making them")
    parser.add_argument("--prune", action="store_true", help="Delete what earlier applies made and the files no longer have")
    parser.add_argument("--yes", action="store_true", help="Do not ask for confirmation")
    parser.add_argument(
        "--detailed-exitcode",
        action="store_true",
        help="With --plan: exit code 0 = nothing to do, 2 = changes, 1 = error",
    )
    add_server_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run the command.

    Raises:
        EdgefleetError: the text says what to do.
    """
    if arguments.detailed_exitcode and not arguments.plan:
        raise InputError("--detailed-exitcode requires --plan")
    try:
        return _run(arguments)
    except EdgefleetError as error:
        if arguments.detailed_exitcode:
            raise EdgefleetError(str(error)) from error
        raise


def _run(arguments: argparse.Namespace) -> int:
    files = read_files(arguments.file)
    with Client(arguments.server) as client:
        ownership = Ownership(client, files.name)
        changes = plan(PlanContext(client, files, ownership, quiet=arguments.json), prune=arguments.prune)
        needed = [change for change in changes if change.is_needed]
        if not arguments.json:
            _print(changes, arguments)
        if arguments.plan or not needed:
            if arguments.json:
                _print_json(files.name, changes, applied=False)
            return CHANGES_EXIT_CODE if needed and arguments.detailed_exitcode else 0
        if client.people.get_session().get("proposes"):
            _confirm(arguments, len(needed), "Propose")
            code = _propose(needed, quiet=arguments.json)
            if arguments.json:
                _print_json(files.name, changes, applied=False)
            return code
        _check_role(client, needed)
        _confirm(arguments, len(needed), "Make")
        ownership.claim()
        _carry_out(ownership, changes, quiet=arguments.json)
        if arguments.json:
            _print_json(files.name, changes, applied=True)
    return 0


def _print(changes: list[Change], arguments: argparse.Namespace) -> None:
    for change in changes:
        for line in change.lines():
            print(line)
    counts = Counter(change.action for change in changes)
    deleted = counts["delete"] + counts["release"]
    if counts["create"] + counts["change"] + deleted:
        print(f"{counts['create']} to create, {counts['change']} to change, {deleted} to delete")
    else:
        print(f"nothing to do: {arguments.server} is as the files describe it")


def _print_json(name: str, changes: list[Change], *, applied: bool) -> None:
    print_json({"configuration": name, "applied": applied, "changes": [change.plain() for change in changes]})


def _check_role(client: Client, needed: list[Change]) -> None:
    """Check before the first change that the caller may make all of them.

    Raises:
        DeniedError: the role does not suffice.
    """
    role = client.people.get_session()["role"]
    for change in needed:
        if role is not None and not Role(role).covers(change.role):
            text = f"{change.kind} {change.name} requires role {change.role.value}; your role is {role}, ask an administrator"
            raise DeniedError(f"{text}; nothing was changed")


def _confirm(arguments: argparse.Namespace, count: int, what: str) -> None:
    if arguments.yes:
        return
    if arguments.file == STDIN or not sys.stdin.isatty():
        raise InputError("cannot ask for confirmation: stdin is not a terminal; use --yes, or --plan to see the changes only")
    if ask(f"{what} {count} changes? Type yes to confirm: ", "use --yes").strip() != "yes":
        raise InputError("not confirmed; nothing was changed")


def _propose(needed: list[Change], *, quiet: bool) -> int:
    """Propose each change, and return the exit code of proposals. A change that builds on another one is refused until that one
    is approved; the configuration keeps no record of changes that were not made.

    Raises:
        DeniedError: none could be proposed.
    """
    waiting, refused = 0, ""
    for change in needed:
        try:
            if change.run is not None:
                change.run()
            change.note = "nothing to propose"
        except ApprovalNeededError as made:
            waiting += 1
            change.note = f"proposed as {made.proposal}"
        except (ConflictError, DeniedError, InputError, NotFoundError) as error:
            refused = refused or f"{change.kind} {change.name}: {error}"
            change.note = f"not proposed: {error}"
        if not quiet:
            print(f"{change.kind} {change.name}: {change.note}", flush=True)
    if not waiting and refused:
        raise DeniedError(f"nothing was proposed; {refused}")
    if refused:
        print("edgefleet: apply again when these proposals are approved; the others may build on them", file=sys.stderr)
    return ApprovalNeededError.exit_code if waiting else 0


def _carry_out(ownership: Ownership, changes: list[Change], *, quiet: bool) -> None:
    """Make the changes in their order, up to the first that fails, and record what was made."""
    done: list[Change] = []
    try:
        for change in changes:
            if not change.is_needed:
                continue
            if change.run is not None:
                number, note = _made(change)
                change.id = number if number is not None else change.id
                change.note = note
            done.append(change)
            if not quiet:
                done_text = ", ".join(text for text in (_WORDS[change.action], change.note) if text)
                print(f"{change.kind} {change.name}: {done_text}", flush=True)
    finally:
        ownership.keep(changes, done)


_WORDS: Final = {"create": "created", "change": "changed", "delete": "deleted", "release": "no longer managed", "none": ""}


def _made(change: Change) -> tuple[int | None, str]:
    assert change.run is not None
    try:
        return change.run()
    except EdgefleetError:
        print(f"edgefleet: {change.kind} {change.name} failed; what came before it was made", file=sys.stderr)
        raise
