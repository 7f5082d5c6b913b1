"""The effect that the approval of a proposal would have now: present values beside those of the
request, and whether it would be refused."""

from __future__ import annotations

import json
from typing import Any, Final

from starlette.types import ASGIApp, Scope

from edgefleet_server.api.proposals.inner_request import send_inner
from edgefleet_server.api.schemas.admin.proposals import FieldChange, ProposalEffect
from edgefleet_server.api.schemas.rollouts.rollouts import PreviewRequest
from edgefleet_server.domain.policy.hidden_secrets import without_secrets

TARGET_FIELDS_MAX: Final = 12
TEXT_CHARS_MAX: Final = 200


async def effect_of(app: ASGIApp, outer: Scope, record: dict[str, Any]) -> ProposalEffect:
    """The effect of a proposal, with the rights of the caller of `outer`."""
    body = json.loads(record["body"]) if record["body"] else None
    target = await _target(app, outer, record["method"], record["path"].partition("?")[0])
    state: dict[str, Any] = {"inner": "trial"}
    tried = await send_inner(app, outer, record["method"], record["path"], record["body"].encode(), state)
    proposed = body if isinstance(body, dict) else {}
    shown = without_secrets(proposed)
    return ProposalEffect(
        summary=record["summary"],
        refusal=tried.detail if tried.status >= 400 else "",
        checked=state.get("checked", "partly"),
        target={name: value for name, value in target.items() if _is_short(value)},
        changes=[FieldChange(field=name, before=target.get(name), after=value) for name, value in shown.items()],
        preview=await _preview(app, outer, proposed) if record["operation"] == "create_rollout" else None,
    )


async def _target(app: ASGIApp, outer: Scope, method: str, path: str) -> dict[str, Any]:
    """The present values of the object that a request changes: that of its path, or of the nearest path above it."""
    segments = path.strip("/").split("/")
    length = len(segments) - (1 if method == "POST" else 0)
    while length >= 2:
        found = await send_inner(app, outer, "GET", "/" + "/".join(segments[:length]), b"", {"inner": "read"})
        if found.status == 200 and isinstance(found.content, dict):
            shown = [name for name, value in found.content.items() if value is not None]
            scalars = [name for name in shown if _is_short(found.content[name])][:TARGET_FIELDS_MAX]
            rest = [name for name in shown if name not in scalars and not _is_short(found.content[name])]
            return {name: found.content[name] for name in (*scalars, *rest)}
        length -= 1
    return {}


async def _preview(app: ASGIApp, outer: Scope, body: dict[str, Any]) -> Any:
    fields = {name: value for name, value in body.items() if name in PreviewRequest.model_fields}
    found = await send_inner(app, outer, "POST", "/rollouts/preview", json.dumps(fields).encode(), {"inner": "read"})
    return found.content if found.status == 200 else None


def _is_short(value: Any) -> bool:
    return isinstance(value, (str, int, float, bool)) and len(str(value)) <= TEXT_CHARS_MAX
