"""`edgefleet mcp`: the fleet for programs that speak the Model Context Protocol, over stdio or streamable HTTP."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Final

from edgefleet_server.cli.client import DEFAULT_SERVER
from edgefleet_server.cli.parsers import Given
from edgefleet_server.core.errors import MissingError

ADDRESS: Final = "127.0.0.1:8765"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.add_argument(
        "--server",
        action=Given,
        default=os.environ.get("EDGEFLEET_SERVER", DEFAULT_SERVER),
        metavar="URL",
        help="URL of the fleet server (default: $EDGEFLEET_SERVER or %(default)s); its API token is $EDGEFLEET_TOKEN",
    )
    parser.add_argument(
        "--http",
        nargs="?",
        const=ADDRESS,
        metavar="ADDRESS:PORT",
        help=f"Serve streamable HTTP at this address instead of stdio (default of the address: {ADDRESS})",
    )
    parser.add_argument(
        "--access-token-file",
        type=Path,
        metavar="FILE",
        help="With --http: clients have to send the token in this file; required where other machines can connect",
    )


def run(arguments: argparse.Namespace) -> int:
    """Run the command.

    Raises:
        EdgefleetError: the text says what to do.
    """
    try:
        from edgefleet_server.cli.mcp.access import FleetAccess
        from edgefleet_server.cli.mcp.http_service import run_http
        from edgefleet_server.cli.mcp.server import build
    except ModuleNotFoundError as error:
        raise MissingError(f"{error.name} is missing: pip install 'edgefleet-server[mcp]'") from error
    access = FleetAccess(arguments.server)
    if not access.proposes:
        advice = "create an API token with `edgefleet user token create NAME --role operator --scope propose`"
        print(f"only tools that read: these credentials do not propose changes; {advice}", file=sys.stderr, flush=True)
    server = build(access)
    if arguments.http:
        run_http(server, arguments.http, arguments.access_token_file)
    else:
        server.run("stdio")
    return 0
