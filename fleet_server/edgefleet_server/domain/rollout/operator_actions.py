"""Actions of operators on rollouts, and the states that allow them. *Submit* replaces *start* if a second person has to
approve."""

from __future__ import annotations

from enum import Enum
from typing import Final

from edgefleet_server.core.errors import ConflictError
from edgefleet_server.domain.states import RolloutState


class RolloutAction(str, Enum):
    START = "start"
    SUBMIT = "submit"
    APPROVE = "approve"
    PAUSE = "pause"
    RESUME = "resume"
    ABORT = "abort"
    ROLLBACK = "rollback"


_S = RolloutState
_TABLE: Final = {
    (RolloutAction.START, _S.DRAFT): _S.RUNNING,
    (RolloutAction.SUBMIT, _S.DRAFT): _S.AWAITING_APPROVAL,
    (RolloutAction.APPROVE, _S.AWAITING_APPROVAL): _S.RUNNING,
    (RolloutAction.PAUSE, _S.RUNNING): _S.PAUSED,
    (RolloutAction.RESUME, _S.PAUSED): _S.RUNNING,
    (RolloutAction.ABORT, _S.DRAFT): _S.ABORTED,
    (RolloutAction.ABORT, _S.AWAITING_APPROVAL): _S.ABORTED,
    (RolloutAction.ABORT, _S.RUNNING): _S.ABORTING,
    (RolloutAction.ABORT, _S.PAUSED): _S.ABORTING,
    (RolloutAction.ROLLBACK, _S.RUNNING): _S.ROLLING_BACK,
    (RolloutAction.ROLLBACK, _S.PAUSED): _S.ROLLING_BACK,
    (RolloutAction.ROLLBACK, _S.COMPLETED): _S.ROLLING_BACK,
    (RolloutAction.ROLLBACK, _S.ABORTING): _S.ROLLING_BACK,
    (RolloutAction.ROLLBACK, _S.ABORTED): _S.ROLLING_BACK,
}


def next_state(rollout: int, state: RolloutState, action: RolloutAction) -> RolloutState:
    """The state that `action` leads to.

    Raises:
        ConflictError: the state does not allow the action; the text names the states that do, and the actions possible now.
    """
    following = _TABLE.get((action, state))
    if following is not None:
        return following
    origins = [origin.value for allowed, origin in _TABLE if allowed is action]
    possible = [allowed.value for allowed, origin in _TABLE if origin is state and allowed is not RolloutAction.SUBMIT]
    raise ConflictError(
        f"rollout {rollout} is {state.value}; {action.value} requires state {' or '.join(origins)}"
        + (f"; allowed now: {', '.join(possible)}" if possible else "; it has ended, create a new one")
    )
