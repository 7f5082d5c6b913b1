"""`edgefleet-agent sink`: internal; runs one event sink for the service."""

from __future__ import annotations

import argparse
import logging
import socket

from edgefleet_agent.sinks.host import serve_sink
from edgefleet_contract.core.errors import InputError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `sink`."""
    parser.add_argument("--fd", type=int, required=True, metavar="N", help="Inherited socket to the service")


def run(arguments: argparse.Namespace) -> int:
    """Run until the service closes the socket.

    Raises:
        InputError: `--fd` is not a socket.
    """
    logging.basicConfig(level=logging.INFO, format="sink: %(message)s")
    try:
        connection = socket.socket(fileno=arguments.fd)
    except OSError as cause:
        raise InputError(f"--fd {arguments.fd} is not a socket: {cause.strerror}; `run` starts this command") from cause
    serve_sink(connection)
    return 0
