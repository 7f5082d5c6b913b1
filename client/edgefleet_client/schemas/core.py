"""Types that operations of several tags use.

Generated from docs/openapi.json by `python -m tools.write_client`.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, TypedDict

from edgefleet_client.not_required import NotRequired

AttemptRowOutcome: TypeAlias = Literal[
    "queued",
    "fetching",
    "staged",
    "trial",
    "succeeded",
    "untried",
    "unproven",
    "already_installed",
    "failed",
    "faulted",
    "restored",
    "superseded",
    "cancelled",
    "incompatible",
]


AttemptRowParts: TypeAlias = Literal[
    "absent",
    "fetching",
    "fetched",
    "verified",
    "staged",
    "waiting_window",
    "trial",
    "committed",
    "rolled_back",
    "refused",
    "rollback_failed",
    "other",
]


class AttemptRow(TypedDict):
    """One try of one device. `outcome`: what it counts as (`Outcomes`). `against`: whom its reason speaks against; null
    without a reason. `explanation`: one sentence with the result, or the reason why it is not done. `parts`: for a
    bundle, the stage of each part on the device, by slot; `other` = another package is committed there. Empty for a
    rollout of one package."""

    against: NotRequired[Literal["version", "device", "line", "operator"] | None]
    bytes_done: int
    bytes_total: int
    detail: str
    device: str
    explanation: str
    finished_at: float | None
    id: str
    number: int
    offered_at: float | None
    online: bool
    outcome: NotRequired[AttemptRowOutcome]
    parts: dict[str, AttemptRowParts]
    reason: str
    rollout: int
    state: Literal[
        "queued",
        "offered",
        "accepted",
        "fetching",
        "verified",
        "staged",
        "waiting_window",
        "trial",
        "committed",
        "regressed",
        "rejected",
        "rolled_back",
        "rollback_failed",
        "timed_out",
        "superseded",
        "cancelled",
        "incompatible",
        "already_installed",
    ]
    updated_at: float
    wave: int


Role: TypeAlias = Literal["viewer", "operator", "admin"]


class Selector(TypedDict):
    """Selects all devices; or those named in `ids` together with those that carry every one of `labels` and match the
    `query`; or exactly those of a `group`. With `within`, only those of them that are in one of these groups. A query:
    `site = lyon and not (ring = canary or state = offline)`."""

    all: NotRequired[bool]
    group: NotRequired[str | None]
    ids: NotRequired[list[str]]
    labels: NotRequired[dict[str, str]]
    query: NotRequired[str | None]
    within: NotRequired[list[str]]
