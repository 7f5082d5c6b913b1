"""`edgefleet-agent diagnose network | disk`: checks the machine around the agent."""

from __future__ import annotations

import argparse
from pathlib import Path

from edgefleet_agent.machine.host_checks import disk_checks, network_checks
from edgefleet_agent.machine.identity import read_identity
from edgefleet_contract.core.errors import EdgefleetError, MissingError
from edgefleet_contract.encoding.codec import to_plain
from edgefleet_contract.encoding.number_text import json_text

STATE = Path("/var/lib/edgefleet")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `diagnose`."""
    parser.add_argument("check", choices=("network", "disk"), help="What to check")
    parser.add_argument("--state", type=Path, default=STATE, metavar="DIR", help="State folder (default: %(default)s)")
    parser.add_argument("--broker", default="", metavar="URL", help="Address of the broker (default: of the enrolment)")
    parser.add_argument("--json", action="store_true", help="Print JSON")


def run(arguments: argparse.Namespace) -> int:
    """Print the checks; exit code 3 if something needed is missing."""
    if arguments.check == "network":
        checks = network_checks(arguments.broker or enrolled_broker(arguments.state))
    else:
        checks = disk_checks(arguments.state)
    ok = all(check.ok for check in checks if check.needed)
    if arguments.json:
        rows = [{"needed": True, **to_plain(check)} for check in checks]
        print(json_text({"ok": ok, "checks": rows}, indent=1, ascii_only=False))
    else:
        for check in checks:
            print(f"{'ok     ' if check.ok else 'WRONG  ' if check.needed else 'no     '} {check.what}: {check.detail}")
            if check.fix and not check.ok:
                print(f"        {check.fix}")
    return 0 if ok else MissingError.exit_code


def enrolled_broker(state: Path) -> str:
    """The broker of this device's enrolment; empty without one that can be read."""
    try:
        identity = read_identity(state)
    except EdgefleetError:
        return ""
    return identity.broker_url if identity is not None else ""
