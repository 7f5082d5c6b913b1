"""Progress of a rollout: on a terminal a bar per wave, redrawn in place; elsewhere a line for each change."""

from __future__ import annotations

import sys
import time
from typing import Final, cast

from edgefleet_client.operations.rollouts import AttemptsState
from edgefleet_client.schemas.rollouts import Rollout, Wave
from edgefleet_server.cli.client import Client, print_json, span
from edgefleet_server.domain.states import OPEN, AttemptState

PERIOD_S: Final = 1.0
BAR_CELLS: Final = 30
OVER: Final = frozenset({"completed", "aborted", "rolled_back"})
STOPPED: Final = OVER | {"paused", "draft"}
TOOK_IT: Final = ("committed", "already_installed", "regressed")
WITHOUT: Final = tuple(state.value for state in AttemptState if state not in OPEN and state.value not in TOOK_IT)
NOT_YET: Final = tuple(state.value for state in AttemptState if state in OPEN)
REASONS_MAX: Final = 5
EXIT_CODES: Final = "exit code 0 if it completed and a device has the version, else 1"


def follow(client: Client, rollout: int, *, as_json: bool) -> int:
    """Show progress until the rollout ends or pauses. Exit code 0 only when it completed and a device took the version.

    Raises:
        EdgefleetError: the text says what to do.
    """
    terminal = sys.stdout.isatty() and not as_json
    drawn: list[str] = []
    while True:
        answer = client.rollouts.get_rollout(rollout)
        fresh = lines(answer, time.time()) if terminal else [_summary(answer)]
        if fresh != drawn:
            _draw(answer, fresh, drawn, terminal=terminal, as_json=as_json)
            drawn = fresh
        if answer["state"] in STOPPED:
            if not as_json:
                for line in _left_out(client, answer):
                    print(line, flush=True)
            return 0 if answer["state"] == "completed" and _took_it(answer) else 1
        time.sleep(PERIOD_S)


def _took_it(rollout: Rollout) -> int:
    return sum(rollout["counts"].get(state, 0) for state in TOOK_IT)


def _left_out(client: Client, rollout: Rollout) -> list[str]:
    """Lines with the number of devices that took the version and the reasons why others did not; none if all did. Devices that
    may still be updated are listed only after the rollout has completed."""
    number, total, took = rollout["id"], rollout["total"], _took_it(rollout)
    if rollout["state"] == "draft" or took == total:
        return []
    states = WITHOUT + NOT_YET if rollout["state"] == "completed" else WITHOUT
    counts = {state: rollout["counts"].get(state, 0) for state in states}
    reasons: list[str] = []
    for state in states:
        room = REASONS_MAX - len(reasons)
        if counts[state] and room:
            rows = client.rollouts.list_attempts(number, state=cast("AttemptsState", state), size=room)["items"]
            reasons += [f"  {row['device']}: {row['explanation']}" for row in rows]
    more = sum(counts.values()) - len(reasons)
    return [
        f"{took} of {total} devices have the version",
        *reasons,
        *([f"  and {more} more: edgefleet rollout why {number}"] if more > 0 else []),
    ]


def _draw(answer: Rollout, fresh: list[str], drawn: list[str], *, terminal: bool, as_json: bool) -> None:
    if as_json:
        if answer["state"] in STOPPED:
            print_json(answer)
        return
    if terminal and drawn:
        sys.stdout.write(f"\x1b[{len(drawn)}F\x1b[J")
    print("\n".join(fresh), flush=True)


def lines(rollout: Rollout, now: float) -> list[str]:
    """The rollout as lines of text. now: wall time."""
    reason = f": {rollout['state_reason']}" if rollout["state_reason"] else ""
    parts = " + ".join(f"{part['package']}@{part['version']} → {part['slot']}" for part in rollout["parts"])
    head = f"rollout {rollout['id']}  {parts}  {rollout['state']}{reason}"
    width = max((len(wave["name"]) for wave in rollout["waves"]), default=0)
    return [head, *(_wave(wave, width) + _time_left(rollout, wave, now) for wave in rollout["waves"])]


def _time_left(rollout: Rollout, wave: Wave, now: float) -> str:
    """The bounds of the time that a wave still takes: the rest of its soak, or the time until its updates time out."""
    soak_ends_at = wave.get("soak_ends_at")
    if rollout["state"] != "running":
        return ""
    if soak_ends_at is not None:
        return f"  soaks for {span(soak_ends_at - now)} at least" if soak_ends_at > now else ""
    if wave["state"] == "running" and wave["started_at"] is not None:
        left_s = wave["started_at"] + rollout["wave_timeout_s"] - now
        return f"  updates time out in {span(left_s)}" if left_s > 0 else ""
    return ""


def _wave(wave: Wave, width: int) -> str:
    total, counts = wave["total"], cast("dict[str, int]", wave["outcomes"])
    done = counts["succeeded"] + counts["untried"] + counts["unproven"] + counts["already_installed"]
    working = counts["fetching"] + counts["staged"] + counts["trial"]
    parts = (("█", done), ("✗", counts["failed"]), ("!", counts["faulted"]), ("▒", working))
    bar = "".join(mark * round(BAR_CELLS * count / max(1, total)) for mark, count in parts)
    states = ", ".join(f"{count} {state.replace('_', ' ')}" for state, count in counts.items() if count) or "empty"
    texts = [text for text in (wave["gate"]["text"], wave["gate"].get("comparison", "")) if text]
    gate = f"  [{'; '.join(texts)}]" if wave["state"] in ("running", "soaking", "failed") else ""
    return f"  {wave['name']:<{width}}  {bar[:BAR_CELLS]:·<{BAR_CELLS}}  {wave['state']:<8} {states}{gate}"


def _summary(rollout: Rollout) -> str:
    """The state of the rollout as one line for a log."""
    waves = "; ".join(f"{wave['name']} {wave['committed']}/{wave['total']} {wave['state']}" for wave in rollout["waves"])
    return f"rollout {rollout['id']} {rollout['state']}: {waves}" + (
        f" ({rollout['state_reason']})" if rollout["state_reason"] else ""
    )
