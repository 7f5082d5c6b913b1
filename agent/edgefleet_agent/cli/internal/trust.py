"""`edgefleet-agent trust`: verifies signed metadata for the supervisor. Reads metadata files as JSON from stdin, writes the
verdict as JSON to stdout."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from edgefleet_agent.model_store.trust import OFFER_BYTES_MAX, MetadataBundle
from edgefleet_contract.core.atomic_files import as_store_error
from edgefleet_contract.core.command_line import finite
from edgefleet_contract.encoding.codec import decode, encode


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `trust`."""
    parser.add_argument("--state", type=Path, required=True, help="State folder of the agent")
    parser.add_argument(
        "--at", type=finite, default=0.0, metavar="S", help="Lower bound of the current time, in seconds since 1970"
    )
    parser.add_argument("--root", type=Path, help="Initial trust root, used if none is stored")


def run(arguments: argparse.Namespace) -> int:
    """Verify once and print the verdict.

    Raises:
        EdgefleetError: there is no trust root, or the disk cannot be used.
    """
    from edgefleet_agent.model_store import tuf_client

    if arguments.root is not None:
        tuf_client.install_root_file(arguments.state, arguments.root)
    bundle = decode(sys.stdin.buffer.read(2 * OFFER_BYTES_MAX) or b"{}", MetadataBundle, bytes_max=2 * OFFER_BYTES_MAX)
    verdict = tuf_client.refresh(arguments.state, {name: text.encode() for name, text in bundle.files.items()}, arguments.at)
    with as_store_error(Path("the verdict")):
        sys.stdout.buffer.write(encode(verdict) + b"\n")
        sys.stdout.buffer.flush()
    return 0
