"""Comparison of stopping rules by simulated rollouts: devices with a bad version until the stop, and false stops of good
versions.

    python -m benchmarks.fleet.rollout_monte_carlo [--devices 1000] [--seeds 1000] [--json]

The simulation runs in virtual time and does not depend on the speed of the machine: the same seeds give the same table, which is
in docs/rollouts.md.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict

from edgefleet_server.simulate.rollout_monte_carlo import Row, table


def line(row: Row) -> str:
    """A row of the table, in Markdown."""
    return f"| {row.fault} | {row.rule} | {row.stopped_percent:g} % | {row.began_p50} ({row.began_p95}) | {row.harmed_p50} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--devices", type=int, default=1000)
    parser.add_argument("--seeds", type=int, default=1000)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    rows = []
    if not arguments.json:
        print("| version | rule | stopped | devices that began, median (95th percentile) | harmed, median |")
        print("|---|---|---|---|---|")
    for row in table(arguments.devices, arguments.seeds):
        rows.append(asdict(row))
        if not arguments.json:
            print(line(row), flush=True)
    if arguments.json:
        print(json.dumps(rows))


if __name__ == "__main__":
    main()
