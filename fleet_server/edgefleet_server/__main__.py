"""Entry point of `edgefleet`, the command of the operator.

Each command is a module with `add_arguments(parser)` and `run(arguments) -> exit code`, imported only when typed.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Sequence
from typing import NamedTuple

from edgefleet_contract.core.broken_pipe import run_to_closed_pipe
from edgefleet_server.core.errors import EdgefleetError


class CommandEntry(NamedTuple):
    """A row of the table of commands."""

    module: str
    summary: str


COMMANDS: dict[str, CommandEntry] = {
    "serve": CommandEntry("edgefleet_server.app.serve", "run the fleet server: broker, registry, rollouts, dashboard"),
    "model": CommandEntry("edgefleet_server.cli.models.model", "import, validate, push, list and show models"),
    "channel": CommandEntry("edgefleet_server.cli.fleet.channel", "names of a model that point to a version: stable, beta"),
    "pipeline": CommandEntry("edgefleet_server.cli.fleet.pipeline", "pipelines: get, check, set, roll out"),
    "sign": CommandEntry("edgefleet_server.cli.admin.sign", "sign packages with a key that the server does not have"),
    "bundle": CommandEntry(
        "edgefleet_server.cli.admin.usb_bundle", "export a package with its signatures to a folder, for a USB stick"
    ),
    "trust": CommandEntry("edgefleet_server.cli.admin.trust", "who may sign what devices run: show, root, key, rotate"),
    "token": CommandEntry("edgefleet_server.cli.admin.token", "tokens that let a device enrol"),
    "device": CommandEntry("edgefleet_server.cli.fleet.device", "list, show, label and command devices"),
    "group": CommandEntry("edgefleet_server.cli.fleet.group", "devices by a name, and the same for all of them"),
    "rollout": CommandEntry("edgefleet_server.cli.rollouts.rollout", "create, watch and steer rollouts"),
    "event": CommandEntry("edgefleet_server.cli.fleet.event", "list what the devices saw"),
    "alert": CommandEntry("edgefleet_server.cli.fleet.alert", "alert rules, alerts and their notices"),
    "login": CommandEntry("edgefleet_server.cli.login", "sign in to a server from this terminal"),
    "logout": CommandEntry("edgefleet_server.cli.logout", "end the session of this terminal"),
    "user": CommandEntry("edgefleet_server.cli.admin.user", "add, list, change and remove users; API tokens"),
    "audit": CommandEntry("edgefleet_server.cli.admin.audit", "who changed what, and whether that log is whole"),
    "experiment": CommandEntry(
        "edgefleet_server.cli.rollouts.experiment", "two versions beside each other in the field, and what they measured"
    ),
    "backup": CommandEntry("edgefleet_server.cli.admin.backup", "everything a server has, as one file, while it runs"),
    "restore": CommandEntry("edgefleet_server.cli.admin.restore", "a server's folder from a backup"),
    "migrate-db": CommandEntry(
        "edgefleet_server.cli.admin.migrate_db", "copy a stopped server's SQLite database into an empty PostgreSQL"
    ),
    "demo": CommandEntry("edgefleet_server.simulate.demo", "a rendered site with real agents, to see everything at work"),
    "simulate": CommandEntry("edgefleet_server.simulate.simulate", "thousands of virtual devices that speak the real contract"),
    "openapi": CommandEntry("edgefleet_server.app.openapi", "write the document of the REST API"),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Entry point. Errors end in one line on stderr and the error's exit code; a reader that goes away, in nothing."""
    given = list(sys.argv[1:] if argv is None else argv)
    return run_to_closed_pipe(lambda: _run(given))


def _run(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="edgefleet",
        description="Keeps a fleet of edge devices on the right version of the right model.",
        epilog="Example: edgefleet serve --data ./fleet, then open http://127.0.0.1:8080",
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, entry in COMMANDS.items():
        child = commands.add_parser(name, help=entry.summary, description=entry.summary)
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
