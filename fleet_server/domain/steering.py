"""What an operator may do to a rollout, and when. *Submit* is what *start* becomes where a second person has to approve."""

from __future__ import annotations

from enum import Enum
from typing import Final

from fleet_server.domain.states import RolloutState
from fleet_server.errors import ConflictError


class Action(str, Enum):
    START = "start"
    SUBMIT = "submit"
    APPROVE = "approve"
    PAUSE = "pause"
    RESUME = "resume"
    ABORT = "abort"
    ROLLBACK = "rollback"


_S = RolloutState
_TABLE: Final = {
    (Action.START, _S.DRAFT): _S.RUNNING,
    (Action.SUBMIT, _S.DRAFT): _S.AWAITING_APPROVAL,
    (Action.APPROVE, _S.AWAITING_APPROVAL): _S.RUNNING,
    (Action.PAUSE, _S.RUNNING): _S.PAUSED,
    (Action.RESUME, _S.PAUSED): _S.RUNNING,
    (Action.ABORT, _S.DRAFT): _S.ABORTED,
    (Action.ABORT, _S.AWAITING_APPROVAL): _S.ABORTED,
    (Action.ABORT, _S.RUNNING): _S.ABORTING,
    (Action.ABORT, _S.PAUSED): _S.ABORTING,
    (Action.ROLLBACK, _S.RUNNING): _S.ROLLING_BACK,
    (Action.ROLLBACK, _S.PAUSED): _S.ROLLING_BACK,
    (Action.ROLLBACK, _S.COMPLETED): _S.ROLLING_BACK,
    (Action.ROLLBACK, _S.ABORTING): _S.ROLLING_BACK,
    (Action.ROLLBACK, _S.ABORTED): _S.ROLLING_BACK,
}


def steer(rollout: int, state: RolloutState, action: Action) -> RolloutState:
    """The state that `action` leads to.

    Raises:
        ConflictError: not from here; the text says from where, and what is possible instead.
    """
    following = _TABLE.get((action, state))
    if following is not None:
        return following
    origins = [origin.value for told, origin in _TABLE if told is action]
    possible = [told.value for told, origin in _TABLE if origin is state and told is not Action.SUBMIT]
    raise ConflictError(
        f"rollout {rollout} is {state.value}; {action.value} needs it to be {' or '.join(origins)}"
        + (f"; possible now: {', '.join(possible)}" if possible else "; it is over, create a new one")
    )
