"""`edgefleet-agent worker`: internal; the supervisor starts it (see `agent.pipeline.worker`)."""

from __future__ import annotations

import argparse
import socket
from pathlib import Path

from agent.app.faults import end_process_on_thread_fault
from agent.errors import InputError
from agent.pipeline.worker import Worker
from agent.sinks.evidence import EvidenceFolder


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `worker`."""
    parser.add_argument("--evidence", type=Path, metavar="DIR", help="folder of clips and snapshots; without it none are kept")
    parser.add_argument("--evidence-mb", type=int, default=2000, metavar="N", help="how many of them are kept at most")
    parser.add_argument("--evidence-days", type=float, default=14.0, metavar="N", help="and for how long")
    parser.add_argument("--fd", type=int, required=True, metavar="N", help="inherited socket to the supervisor")


def run(arguments: argparse.Namespace) -> int:
    """Serve until the supervisor hangs up."""
    end_process_on_thread_fault()
    try:
        line = socket.socket(fileno=arguments.fd)
    except OSError as cause:
        raise InputError(f"--fd {arguments.fd} is not a socket: {cause.strerror}; this command is started by `run`") from cause
    evidence = None
    if arguments.evidence is not None:
        evidence = EvidenceFolder(arguments.evidence, arguments.evidence_mb * 1_000_000, arguments.evidence_days * 86400)
    with line:
        return Worker(line, evidence=evidence).serve()
