"""Proposals of the fake fleet: pending ones and decided ones."""

from __future__ import annotations

import time
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Query

from edgefleet_server.api.schemas.admin import proposals as schemas

routes = APIRouter(prefix="/api/v1/proposals")

MADE: tuple[tuple[str, str, str, str, Any, str], ...] = (
    ("pending", "pause_rollout", "POST", "/rollouts/3/pause", {"reason": "press 3 in Lyon reports a stalled camera"},
     "The canary wave has 2 failed of 20 reported devices, limit 1 %"),
    ("pending", "put_group", "PUT", "/groups/canaries", {"selector": {"labels": {"ring": "canary"}}, "note": "without Lyon"},
     "Devices in Lyon are in maintenance until Friday"),
    ("approved", "label_device", "PATCH", "/devices/bremen-press1-cam01", {"labels": {"site": "bremen"}}, ""),
    ("rejected", "create_rollout", "POST", "/rollouts", {"package": "parts-detector", "version": "1.3.0-rc1"}, "newer version"),
)  # fmt: skip
SUMMARIES = {
    "pause_rollout": "Pause: no further device is offered the version; updates in progress finish.",
    "put_group": "Create or change a group.",
    "label_device": "Set the labels of a device.",
    "create_rollout": "Create a rollout: plan its waves and, with start, start it.",
}


def _proposal(number: int) -> schemas.Proposal:
    state, operation, method, path, body, note = MADE[number - 1]
    made_at = time.time() - 1_800.0 * (len(MADE) + 1 - number)
    decided = state != "pending"
    return schemas.Proposal.model_validate(
        {
            "id": number, "state": state, "proposed_by": "mia", "token": "0123456789ab", "token_name": "line-planner",
            "operation": operation, "summary": SUMMARIES[operation], "needed": "operator", "method": method, "path": path,
            "body": body, "note": note, "checked": "complete", "made_at": made_at, "expires_at": made_at + 7 * 86_400.0,
            "decided_at": made_at + 600.0 if decided else None, "decided_by": "ada" if decided else "",
            "reason": "wait for the canaries" if state == "rejected" else "", "status": 200 if state == "approved" else 0,
            "outcome": f"{operation}: done" if state == "approved" else "",
        }
    )  # fmt: skip


@routes.get("", operation_id="list_proposals")
def list_proposals(
    state: Annotated[list[schemas.ProposalState] | None, Query()] = None, page: int = 1, size: int = 50
) -> schemas.ProposalPage:
    found = [one for one in map(_proposal, range(1, len(MADE) + 1)) if not state or one.state in state]
    return schemas.ProposalPage(items=found[(page - 1) * size : page * size], total=len(found))


@routes.get("/{proposal}/effect", operation_id="get_proposal_effect")
def get_proposal_effect(proposal: int) -> schemas.ProposalEffect:
    if not 1 <= proposal <= len(MADE):
        raise HTTPException(404, f"no proposal {proposal}; `edgefleet proposal list` lists the proposals")
    one = _proposal(proposal)
    target = {"id": 3, "name": "Parts detector 1.2.0", "state": "running"} if "rollouts" in one.path else {"name": "canaries"}
    changes = [schemas.FieldChange(field=name, before=None, after=value) for name, value in one.body.items()]
    return schemas.ProposalEffect(summary=one.summary, refusal="", checked="complete", target=target, changes=changes)
