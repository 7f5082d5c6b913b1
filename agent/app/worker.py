"""`edgefleet-agent worker`: internal; the supervisor starts it (see `agent.pipeline.worker`)."""

from __future__ import annotations

import argparse
import socket

from agent.app.faults import end_process_on_thread_fault
from agent.errors import InputError
from agent.pipeline.worker import Worker


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `worker`."""
    parser.add_argument("--fd", type=int, required=True, metavar="N", help="inherited socket to the supervisor")


def run(arguments: argparse.Namespace) -> int:
    """Serve until the supervisor hangs up."""
    end_process_on_thread_fault()
    try:
        line = socket.socket(fileno=arguments.fd)
    except OSError as cause:
        raise InputError(f"--fd {arguments.fd} is not a socket: {cause.strerror}; this command is started by `run`") from cause
    with line:
        return Worker(line).serve()
