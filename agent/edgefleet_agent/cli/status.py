"""`edgefleet-agent status`: prints the status of the service on this device, read over a Unix socket in its state folder."""

from __future__ import annotations

import argparse
import logging
from datetime import datetime
from pathlib import Path
from typing import Any

from edgefleet_agent import settings as configuration
from edgefleet_agent.cli.support.config_option import add_config_option
from edgefleet_agent.service.status_socket import ask
from edgefleet_contract.encoding.number_text import json_text
from edgefleet_contract.encoding.sizes import size

ANSWER_S_MAX = 3.0
ANSWER_BYTES_MAX = 1024 * 1024

log = logging.getLogger(__name__)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `status`."""
    add_config_option(parser)
    parser.add_argument("--json", action="store_true", help="Print JSON")


def run(arguments: argparse.Namespace) -> int:
    """Print the status of the running service.

    Raises:
        UnavailableError: it does not run.
    """
    status = ask(Path(configuration.read_settings(arguments.config).state))
    print(json_text(status, indent=2) if arguments.json else table(status))
    return 0


def table(status: dict[str, Any]) -> str:
    """Formats the status as text."""
    link = "connected" if status["connected"] else "not connected (working offline)"
    worker, outbox = status["worker"], status["outbox"]
    lines = [
        f"device     {status['device']}, {link}, generation {status['generation']}",
        *_profile(status.get("profile", {})),
        f"worker     {'up' if worker['up'] else 'down'}, {_memory(worker)}, {worker['restarts']} restarts",
        f"supervisor {size(status['supervisor_rss_bytes'])}",
        f"outbox     {outbox['records']} records pending, {_lost(outbox)}",
        f"disk       {size(status['disk_free_bytes'])} free",
    ]
    for slot, report in sorted(status["slots"].items()):
        running = report.get("running")
        what = (
            f"{running['package']}@{running['version']} on {running.get('placement') or running.get('runtime') or '?'}"
            if running
            else "nothing running"
        )
        lines.append(f"slot       {slot}: {what}; {_phase(report)}{_why(report)}")
        if running and running.get("placement_reason"):
            lines.append(f"           {slot} is not on its first device: {running['placement_reason']}")
    for name, state in sorted(status["pipelines"].items()):
        lines += [f"pipeline   {name}: {state}", *_source(status.get("sources", {}).get(name, {}))]
    lines += [_sink(name, sink) for name, sink in sorted(status.get("sinks", {}).items())]
    lines += [f"warning    {text}" for text in status.get("warnings", [])]
    if status["fault"]:
        lines.append(f"fault      {status['fault']}")
    return "\n".join(lines)


def _source(source: dict[str, Any]) -> list[str]:
    """Lines about a source: why it gives nothing now, and why before."""
    present = [f"           {source['reason']}"] if source.get("reason") else []
    past = [reason for reason in reversed(source.get("reasons", ())) if reason.get("until")]
    return present + [
        f"           {_moment(reason['at'])} to {_moment(reason['until'])}: {reason['state']}: {reason['text']}"
        for reason in past
    ]


def _moment(at: float) -> str:
    return datetime.fromtimestamp(at).astimezone().strftime("%Y-%m-%d %H:%M:%S")


def _sink(name: str, sink: dict[str, Any]) -> str:
    counts = ", ".join(f"{sink[count]} {count}" for count in ("written", "waiting", "lost", "refused"))
    return f"sink       {name} ({sink['kind']}): {sink['state']}, {counts}"


def _lost(outbox: dict[str, int]) -> str:
    """Number of lost records, as far as it is known."""
    files = outbox.get("damaged_files", 0)
    unknown = f", and an unknown number with {files} damaged file{'s' if files > 1 else ''}" if files else ""
    return f"{outbox['lost']} lost{unknown}"


def _phase(report: dict[str, Any]) -> str:
    """Name of the phase; for a committed package that does not run, a text that says so."""
    running = report.get("running")
    here = running is not None and running["digest"] == report.get("target")
    idle = report["phase"] == "committed" and report.get("target") and not here
    return "committed, but not running" if idle else report["phase"]


def _memory(worker: dict[str, Any]) -> str:
    ceiling = worker.get("memory_ceiling_bytes", 0)
    own = f", {size(worker['private_bytes'])} of its own (ceiling {size(ceiling)})" if ceiling else ""
    return f"{size(worker['rss_bytes'])}{own}"


def _profile(own: dict[str, Any]) -> list[str]:
    """Lines about the profile; empty for an agent older than this command."""
    if not own:
        return []
    missing = [f"missing    {each['what']}: {each['fix']}" for each in own["missing"]]
    return [f"profile    {own['name'] or 'none'} ({own['reason']})", *missing]


def _why(report: dict[str, Any]) -> str:
    parts = [report.get("reason", ""), report.get("detail", "")]
    if report.get("bytes_total") and report["phase"] == "fetching":
        parts.append(f"{100 * report.get('bytes_done', 0) // report['bytes_total']} %")
    text = ", ".join(part for part in parts if part)
    return f" ({text})" if text else ""
