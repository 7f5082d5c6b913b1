"""A rollout as it goes: a bar per wave, drawn again in place on a terminal, printed when something changed elsewhere."""

from __future__ import annotations

import sys
import time
from typing import Any, Final

from fleet_server.cli.client import Client, print_json

PERIOD_S: Final = 1.0
BAR_CELLS: Final = 30
OVER: Final = frozenset({"completed", "aborted", "rolled_back"})
STOPPED: Final = OVER | {"paused", "draft"}
FAILED: Final = ("rejected", "rolled_back", "rollback_failed", "timed_out")


def follow(client: Client, rollout: int, *, as_json: bool) -> int:
    """Show progress until the rollout ends or pauses. Exit code 0 only when it completed.

    Raises:
        EdgefleetError: the text says what to do.
    """
    terminal = sys.stdout.isatty() and not as_json
    drawn: list[str] = []
    while True:
        answer = client.get(f"/rollouts/{rollout}")
        fresh = lines(answer)
        if fresh != drawn:
            _draw(answer, fresh, drawn, terminal=terminal, as_json=as_json)
            drawn = fresh
        if answer["state"] in STOPPED:
            return 0 if answer["state"] == "completed" else 1
        time.sleep(PERIOD_S)


def _draw(answer: dict[str, Any], fresh: list[str], drawn: list[str], *, terminal: bool, as_json: bool) -> None:
    if as_json:
        if answer["state"] in STOPPED:
            print_json(answer)
        return
    if terminal and drawn:
        sys.stdout.write(f"\x1b[{len(drawn)}F\x1b[J")
    print("\n".join(fresh) if terminal else _summary(answer), flush=True)


def lines(rollout: dict[str, Any]) -> list[str]:
    """The rollout as lines of text."""
    reason = f": {rollout['state_reason']}" if rollout["state_reason"] else ""
    parts = " + ".join(f"{part['package']}@{part['version']} → {part['slot']}" for part in rollout["parts"])
    head = f"rollout {rollout['id']}  {parts}  {rollout['state']}{reason}"
    width = max((len(wave["name"]) for wave in rollout["waves"]), default=0)
    return [head, *(_wave(wave, width) for wave in rollout["waves"])]


def _wave(wave: dict[str, Any], width: int) -> str:
    total, counts = wave["total"], wave["counts"]
    failed = sum(counts.get(state, 0) for state in FAILED)
    done = counts.get("committed", 0) + counts.get("already_installed", 0)
    working = total - done - failed - counts.get("queued", 0)
    parts = (("█", done), ("✗", failed), ("▒", working))
    bar = "".join(mark * round(BAR_CELLS * count / max(1, total)) for mark, count in parts)
    states = ", ".join(f"{count} {state.replace('_', ' ')}" for state, count in sorted(counts.items())) or "empty"
    gate = f"  [{wave['gate']['text']}]" if wave["state"] in ("running", "soaking", "failed") else ""
    return f"  {wave['name']:<{width}}  {bar[:BAR_CELLS]:·<{BAR_CELLS}}  {wave['state']:<8} {states}{gate}"


def _summary(rollout: dict[str, Any]) -> str:
    """One line for a log."""
    waves = "; ".join(f"{wave['name']} {wave['committed']}/{wave['total']} {wave['state']}" for wave in rollout["waves"])
    return f"rollout {rollout['id']} {rollout['state']}: {waves}" + (
        f" ({rollout['state_reason']})" if rollout["state_reason"] else ""
    )
