"""Entry point of `edgefleet`, the command of the operator.

Each command is a module with `add_arguments(parser)` and `run(arguments) -> exit code`, imported only when typed.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from typing import NamedTuple

from edgefleet_contract.core.broken_pipe import run_to_closed_pipe
from edgefleet_contract.core.command_line import CommandParser, add_command
from edgefleet_server.core.errors import EdgefleetError


class CommandEntry(NamedTuple):
    """A row of the table of commands."""

    module: str
    summary: str


COMMANDS: dict[str, CommandEntry] = {
    "serve": CommandEntry("edgefleet_server.app.serve", "Run the fleet server: broker, registry, rollouts, dashboard"),
    "model": CommandEntry("edgefleet_server.cli.models.model", "Import, validate, push, list and show models"),
    "channel": CommandEntry("edgefleet_server.cli.fleet.channel", "Manage channels of models, for example stable and beta"),
    "pipeline": CommandEntry("edgefleet_server.cli.fleet.pipeline", "Validate, store, show and roll out pipelines"),
    "sign": CommandEntry("edgefleet_server.cli.admin.sign", "Sign packages with an offline private key"),
    "bundle": CommandEntry("edgefleet_server.cli.admin.usb_bundle", "Export signed packages for offline installation"),
    "trust": CommandEntry("edgefleet_server.cli.admin.trust", "Manage signing roles and keys"),
    "token": CommandEntry("edgefleet_server.cli.admin.token", "Manage enrollment tokens"),
    "device": CommandEntry("edgefleet_server.cli.fleet.device", "List, show, label and command devices"),
    "group": CommandEntry("edgefleet_server.cli.fleet.group", "Manage device groups and run bulk actions"),
    "rollout": CommandEntry("edgefleet_server.cli.rollouts.rollout", "Create, watch and control rollouts"),
    "event": CommandEntry("edgefleet_server.cli.fleet.event", "List events of devices"),
    "alert": CommandEntry("edgefleet_server.cli.fleet.alert", "Manage alert rules, alerts and notifications"),
    "login": CommandEntry("edgefleet_server.cli.login", "Sign in to a server"),
    "logout": CommandEntry("edgefleet_server.cli.logout", "Sign out of a server"),
    "user": CommandEntry("edgefleet_server.cli.admin.user", "Manage users and API tokens"),
    "audit": CommandEntry("edgefleet_server.cli.admin.audit", "List and verify the audit log"),
    "experiment": CommandEntry("edgefleet_server.cli.rollouts.experiment", "Compare two or more versions on devices"),
    "backup": CommandEntry("edgefleet_server.cli.admin.backup", "Back up a server to one file, also while it runs"),
    "restore": CommandEntry("edgefleet_server.cli.admin.restore", "Restore a server from a backup"),
    "migrate-db": CommandEntry(
        "edgefleet_server.cli.admin.migrate_db", "Copy the SQLite database of a stopped server to an empty PostgreSQL database"
    ),
    "demo": CommandEntry("edgefleet_server.simulate.demo", "Run a simulated site with a server and real agents"),
    "simulate": CommandEntry("edgefleet_server.simulate.simulate", "Simulate thousands of devices"),
    "openapi": CommandEntry("edgefleet_server.app.openapi", "Write the OpenAPI document of the REST API"),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Entry point. Errors end in one line on stderr and the error's exit code; a reader that goes away, in nothing."""
    given = list(sys.argv[1:] if argv is None else argv)
    return run_to_closed_pipe(lambda: _run(given))


def _run(argv: list[str]) -> int:
    parser = CommandParser(
        prog="edgefleet",
        description="Manage models on a fleet of edge devices",
        epilog="Example: edgefleet serve --data ./fleet, then open http://127.0.0.1:8080",
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, entry in COMMANDS.items():
        child = add_command(commands, name, entry.summary)
        if argv and argv[0] == name:
            importlib.import_module(entry.module).add_arguments(child)
    arguments = parser.parse_args(argv)
    try:
        code: int = importlib.import_module(COMMANDS[arguments.command].module).run(arguments)
    except EdgefleetError as error:
        print(f"edgefleet: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        return 130
    return code


if __name__ == "__main__":
    sys.exit(main())
