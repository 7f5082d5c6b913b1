"""Proposals: requests of API tokens with scope `propose`, which are stored until a person approves them. Pure."""

from __future__ import annotations

import json
from enum import Enum
from typing import Any, Final

from edgefleet_server.core.errors import DeniedError, InputError
from edgefleet_server.domain.policy import roles
from edgefleet_server.domain.policy.hidden_secrets import HIDDEN, SECRET_FIELDS
from edgefleet_server.domain.policy.roles import PROPOSE

LIFE_S: Final = 7 * 86_400.0
"""Time in which a proposal can be approved."""
STORED_S: Final = 90 * 86_400.0
STORED_MAX: Final = 5_000
"""Age and number of the decided proposals that are stored."""
PENDING_OF_TOKEN: Final = 50
PENDING_MAX: Final = 1_000
"""Limits of the proposals that wait for a decision: of one API token, and of all."""
MADE_PER_MINUTE: Final = 30
"""Limit of the requests of one API token that would store a proposal."""
BODY_BYTES_MAX: Final = 64 * 1024
NOTE_CHARS_MAX: Final = 500
NOTE_HEADER: Final = "edgefleet-note"
"""The header with the proposer's reason; its value is percent-encoded UTF-8."""
OUTCOME_CHARS_MAX: Final = 1_000

UNCHANGING: Final = frozenset({"preview_rollout", "preview_experiment", "check_pipeline"})
"""Operations that change nothing although their method could: they are carried out at once."""
NOT_PROPOSABLE: Final = frozenset(
    {
        *roles.OPEN, *roles.OWN_ACCOUNT,
        "create_user", "create_enrolment_token",  # their secrets would be stored
        "create_alert_recipient", "change_alert_recipient",  # theirs, too
        "push_model", "begin_upload", "append_upload", "finish_upload", "drop_upload", "post_signed_targets",  # they carry files
        "post_signed_root",  # this, too
        "create_dossier",  # its answer is a file
        "approve_rollout", "approve_proposal", "reject_proposal",  # the decision of a person is made by this person
    }
)  # fmt: skip


class ProposalState(str, Enum):
    """`approving`: its request runs, or the server stopped while it ran. `failed`: it was approved and its request refused."""

    PENDING = "pending"
    APPROVING = "approving"
    APPROVED = "approved"
    FAILED = "failed"
    REJECTED = "rejected"
    EXPIRED = "expired"


def check_direct(operation: str) -> None:
    """Check that a proposing token may carry out a reading operation.

    Raises:
        DeniedError: it has an effect on a device.
    """
    if operation in roles.ACTS:
        raise DeniedError(f"{operation} acts on a device at once; an API token with scope {PROPOSE} cannot use it")


def check_proposable(operation: str) -> None:
    """Check that the operation can be proposed.

    Raises:
        DeniedError: it cannot.
    """
    if operation in NOT_PROPOSABLE:
        raise DeniedError(f"{operation} cannot be proposed; a signed-in user has to do it")


def checked_body(content: bytes, content_type: str) -> str:
    """The JSON text of a request, compact; empty if it has no body.

    Raises:
        InputError: it is too long, no JSON, or has a secret.
    """
    if not content:
        return ""
    if len(content) > BODY_BYTES_MAX:
        raise InputError(f"the body of a proposal has {len(content)} bytes; the maximum is {BODY_BYTES_MAX}")
    if not content_type.startswith("application/json"):
        raise InputError("only requests with a JSON body can be proposed")
    try:
        body = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise InputError("the body of the request is no JSON") from error
    _refuse_secrets(body)
    return json.dumps(body, ensure_ascii=True, separators=(",", ":"))


def _refuse_secrets(value: Any) -> None:
    """A proposal is stored and shown, so it has none."""
    if isinstance(value, dict):
        for key, item in value.items():
            if key.lower() in SECRET_FIELDS and item not in (None, "", HIDDEN):
                raise InputError(f"{key}: a proposal must not contain a secret; a signed-in user has to make this change")
            _refuse_secrets(item)
    elif isinstance(value, list):
        for item in value:
            _refuse_secrets(item)
