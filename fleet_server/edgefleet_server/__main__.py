"""Entry point of `edgefleet`, the command of the operator.

Each command is a module with `add_arguments(parser)` and `run(arguments) -> exit code`, imported only when typed;
`completion` needs the arguments of all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from edgefleet_contract.core.command_line import Command, CommandParser, end_with, run_program

COMMANDS: dict[str, Command] = {
    "serve": Command(
        "edgefleet_server.app.serve", "Run the fleet server: broker, registry, rollouts, dashboard", "--data ./fleet --port 8080"
    ),
    "model": Command("edgefleet_server.cli.models.model", "Import, validate, push, list and show models"),
    "channel": Command("edgefleet_server.cli.fleet.channel", "Manage channels of models, for example stable and beta"),
    "pipeline": Command("edgefleet_server.cli.fleet.pipeline", "Validate, store, show and roll out pipelines"),
    "sign": Command(
        "edgefleet_server.cli.admin.sign",
        "Sign packages with an offline private key",
        "firmware_models/conveyor_inspector/1.1.0 --key targets.pem",
    ),
    "bundle": Command("edgefleet_server.cli.admin.usb_bundle", "Export signed packages for offline installation"),
    "trust": Command("edgefleet_server.cli.admin.trust", "Manage signing roles and keys"),
    "ca": Command("edgefleet_server.cli.keys.ca", "Show and rotate the certificate authority of devices"),
    "token": Command("edgefleet_server.cli.admin.token", "Manage enrollment tokens"),
    "device": Command("edgefleet_server.cli.fleet.device", "List, show, label and command devices"),
    "group": Command("edgefleet_server.cli.fleet.group", "Manage device groups and run bulk actions"),
    "component": Command("edgefleet_server.cli.fleet.component", "Find the devices that have a library, a system or a model"),
    "dossier": Command(
        "edgefleet_server.cli.fleet.dossier",
        "Export what is known of a component, for the EU Cyber Resilience Act",
        '--component openssl --version "<3.0.7" --stage 24h --out openssl.zip',
    ),
    "rollout": Command("edgefleet_server.cli.rollouts.rollout", "Create, watch and control rollouts"),
    "apply": Command("edgefleet_server.cli.apply.apply", "Make the fleet as files describe it", "-f fleet.yaml --plan"),
    "event": Command("edgefleet_server.cli.fleet.event", "List events of devices"),
    "alert": Command("edgefleet_server.cli.fleet.alert", "Manage alert rules, alerts and notifications"),
    "login": Command("edgefleet_server.cli.login", "Sign in to a server", "alice --server https://fleet.example.com"),
    "logout": Command("edgefleet_server.cli.logout", "Sign out of a server"),
    "user": Command("edgefleet_server.cli.admin.user", "Manage users and API tokens"),
    "audit": Command("edgefleet_server.cli.admin.audit", "List and verify the audit log"),
    "proposal": Command("edgefleet_server.cli.fleet.proposal", "List, show, approve and reject proposals of API tokens"),
    "mcp": Command("edgefleet_server.cli.mcp.command", "Serve the fleet to programs that speak the Model Context Protocol"),
    "experiment": Command("edgefleet_server.cli.rollouts.experiment", "Compare two or more versions on devices"),
    "backup": Command(
        "edgefleet_server.cli.admin.backup", "Back up a server to one file, also while it runs", "fleet.backup --data ./fleet"
    ),
    "restore": Command("edgefleet_server.cli.admin.restore", "Restore a server from a backup", "fleet.backup --data ./restored"),
    "migrate-db": Command(
        "edgefleet_server.cli.admin.migrate_db",
        "Copy the SQLite database of a stopped server to an empty PostgreSQL database",
        "--data ./fleet --database postgresql://fleet@db.example.com/fleet",
    ),
    "downgrade-db": Command(
        "edgefleet_server.cli.admin.downgrade_db",
        "Bring the database of a stopped server back to an older version",
        "0.2.0 --data ./fleet",
    ),
    "demo": Command(
        "edgefleet_server.simulate.demo",
        "Run a simulated site with a server and real agents",
        "--agents 2 --headless --until-complete",
    ),
    "simulate": Command("edgefleet_server.simulate.simulate", "Simulate thousands of devices"),
    "openapi": Command("edgefleet_server.app.openapi", "Write the OpenAPI document of the REST API", "docs/openapi.json"),
    "completion": Command(
        "edgefleet_contract.core.completion",
        "Print the completion script of bash, zsh or fish",
        "bash > ~/.local/share/bash-completion/completions/edgefleet",
    ),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Entry point. Errors end in one line on stderr and the error's exit code; a reader that goes away, in nothing."""
    parser = CommandParser(
        prog="edgefleet",
        description="Manage models on a fleet of edge devices",
        epilog="Example: edgefleet serve --data ./fleet, then open http://127.0.0.1:8080",
    )
    parser.add_version("edgefleet-server")
    return run_program(parser, COMMANDS, argv)


def program() -> NoReturn:
    """The program as a process."""
    end_with(main)


if __name__ == "__main__":
    program()
