"""Types of single fields, and the base class of request bodies."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from edgefleet_contract.encoding.names import DEVICE_PATTERN, LABEL_KEY_PATTERN, NAME_PATTERN, VERSION_PATTERN


def _number(value: object) -> object:
    """Convert the text of a query parameter to a whole number, which `Literal` does not do; other values stay unchanged."""
    return int(value) if isinstance(value, str) and value.isascii() and value.isdigit() else value


def _without_controls(value: str) -> str:
    """Refuse control characters: NUL cannot be stored in every database, and no label has one."""
    if any(character < " " or character == "\x7f" for character in value):
        raise ValueError("a label cannot have control characters")
    return value


DeviceId = Annotated[str, Field(pattern=DEVICE_PATTERN)]
Name = Annotated[str, Field(pattern=NAME_PATTERN)]
Version = Annotated[str, Field(pattern=VERSION_PATTERN)]
LabelKey = Annotated[str, Field(pattern=LABEL_KEY_PATTERN)]
LabelValue = Annotated[str, Field(max_length=200), AfterValidator(_without_controls)]
QueryText = Annotated[str, Field(min_length=1, max_length=2000)]
Title = Annotated[str, Field(min_length=1, max_length=120)]
Span = Annotated[Literal[60, 3600], BeforeValidator(_number)]
"""A query parameter: the seconds of a minute or an hour."""
HistorySpan = Annotated[Literal[60, 3600, 86400], BeforeValidator(_number)]
"""A query parameter: the seconds of a minute, an hour or a day (UTC)."""

TimeAt = Annotated[float, Field(allow_inf_nan=False, ge=-1e11, le=1e11)]
"""A query parameter: seconds since 1970, in the years that a calendar has."""

DeviceFilter = Literal["online", "offline", "updating", "attention", "on_target", "off_target", "degraded", "flapping", "pinned"]
DeviceStatus = Literal["online", "offline", "updating", "attention"]
AttemptState = Literal[
    "queued", "offered", "accepted", "fetching", "verified", "staged", "waiting_window", "trial", "committed", "regressed",
    "rejected", "rolled_back", "rollback_failed", "timed_out", "superseded", "cancelled", "incompatible", "already_installed",
]  # fmt: skip
AttemptOutcome = Literal[
    "queued", "fetching", "staged", "trial", "succeeded", "untried", "unproven", "already_installed", "failed", "faulted",
    "restored", "superseded", "cancelled", "incompatible",
]  # fmt: skip
Against = Literal["version", "device", "line", "operator"]
WaveState = Literal["pending", "running", "soaking", "passed", "failed", "skipped"]
RolloutState = Literal[
    "draft", "awaiting_approval", "running", "paused", "completed", "aborting", "aborted", "rolling_back", "rolled_back",
]  # fmt: skip

IDS_MAX: Final = 20_000
PLACES_MAX: Final = 2_000
PROFILES_MAX: Final = 200
CERTIFICATES_MAX: Final = 50
"""Of lists without pages: the device ids, sites, profiles and certificates in one answer."""


class StrictModel(BaseModel):
    """Base of request bodies: an unknown field is an error, so that a misspelt one does not silently get its default."""

    model_config = ConfigDict(extra="forbid")


class CursorPage(BaseModel):
    """Base of lists that come page by page. `next_after`: the `after` of the next page; null = there is none."""

    next_after: str | None = None


class FieldProblem(BaseModel):
    """The error of one field. `pointer`: JSON pointer to it in the body, as a fragment of a URI. `parameter`: the name of a field
    outside the body. `loc` and `msg` repeat them for programs of version 0.2. `type`: a short name of the error."""

    detail: str
    pointer: str | None = None
    parameter: str | None = None
    loc: list[str | int]
    msg: str
    type: str


class Problem(BaseModel):
    """Body of every error, as RFC 9457 has it. `detail`: one line with the error and its remedy. `title`: of all problems of a
    `type`, which is `about:blank` if `status` says all. `instance`: the path of the request. `errors`: the fields that are not
    valid, if there are any."""

    type: str
    title: str
    status: int
    detail: str
    instance: str
    errors: list[FieldProblem] = Field(default=[])
