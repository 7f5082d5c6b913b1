"""Labels that devices report stand beside those of the server, and select nothing."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, Final

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

ENDED: Final = (
    "Its query names labels that devices report, which select nothing any more ({}): no device joins late. Set the labels on the"
    " devices, and start a new rollout"
)
CHANGED: Final = (
    "Its query names labels that devices report, which select nothing any more ({}): check its devices before it is started"
)

_DEVICE: Final = sa.table(
    "device", sa.column("id"), *(sa.column(name, sa.JSON()) for name in ("labels", "labels_own", "label_edits"))
)
_TOKEN: Final = sa.table(
    "enrolment_token", sa.column("device"), sa.column("used_by"), sa.column("used_at"), sa.column("labels", sa.JSON())
)
_ENROLLED: Final = sa.table("enrolled_labels", sa.column("device"), sa.column("labels", sa.JSON()), sa.column("at"))
_ROLLOUT: Final = sa.table(
    "rollout", *map(sa.column, ("id", "state")), *(sa.column(name, sa.JSON()) for name in ("selector", "terms"))
)
_GROUP: Final = sa.table("device_group", sa.column("name"), sa.column("selector", sa.JSON()))
_TIMELINE: Final = sa.table("timeline", *map(sa.column, ("rollout", "at", "kind", "text")))


def upgrade() -> None:
    """Add the table, with the labels of tokens that devices have used, as far as the tokens say which. No rollout gets devices by
    this: one that takes late joiners by a query over the labels concerned takes none any more, and its timeline says so."""
    op.create_table(
        "enrolled_labels",
        sa.Column("device", sa.String(), nullable=False),
        sa.Column("labels", sa.JSON(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("device"),
    )
    connection = op.get_bind()
    enrolled = _enrolled(connection)
    for device, (labels, at) in enrolled.items():
        connection.execute(_ENROLLED.insert(), {"device": device, "labels": labels, "at": at})
    lost = _settle(connection, {device: labels for device, (labels, _) in enrolled.items()})
    if lost:
        _note(connection, lost)


def _enrolled(connection: sa.Connection) -> dict[str, tuple[dict[str, str], float]]:
    rows = connection.execute(
        sa.select(_TOKEN).where(_TOKEN.c.used_at.is_not(None), _TOKEN.c.used_by != "").order_by(_TOKEN.c.used_at)
    )
    found: dict[str, tuple[dict[str, str], float]] = {}
    for row in rows:
        before = found.get(row.used_by, ({}, 0.0))[0]
        found[row.used_by] = ({**before, **row.labels}, row.used_at)
    return found


def _settle(connection: sa.Connection, enrolled: Mapping[str, Mapping[str, str]]) -> set[str]:
    """Store the labels without those that only the device reports; returns the keys of these."""
    lost: set[str] = set()
    for row in connection.execute(sa.select(_DEVICE)).all():
        merged = {**enrolled.get(row.id, {}), **row.label_edits}
        labels = {key: value for key, value in merged.items() if value is not None}
        if labels != row.labels:
            lost |= {key for key, value in row.labels.items() if labels.get(key) != value}
            connection.execute(_DEVICE.update().where(_DEVICE.c.id == row.id), {"labels": labels})
    return lost


def _note(connection: sa.Connection, lost: set[str]) -> None:
    queries = {row.name: row.selector.get("query") or "" for row in connection.execute(sa.select(_GROUP))}
    for row in connection.execute(sa.select(_ROLLOUT).where(_ROLLOUT.c.state != "aborted")).all():
        query = row.selector.get("query") or queries.get(row.selector.get("group") or "", "")
        keys = sorted(key for key in lost if key in query)
        if not keys:
            continue
        follows = bool(row.terms.get("follow"))
        if follows:
            terms: dict[str, Any] = {**row.terms, "follow": False}
            connection.execute(_ROLLOUT.update().where(_ROLLOUT.c.id == row.id), {"terms": terms})
        if follows or row.state in ("draft", "awaiting_approval"):
            text = (ENDED if follows else CHANGED).format(", ".join(keys))
            entry = {"rollout": row.id, "at": time.time(), "kind": "labels_reported", "text": text}
            connection.execute(_TIMELINE.insert(), entry)


def downgrade() -> None:
    """Remove the table; labels that devices report select again. Rollouts that were ended stay so."""
    op.drop_table("enrolled_labels")
    connection = op.get_bind()
    for row in connection.execute(sa.select(_DEVICE)).all():
        merged = {**row.labels_own, **row.label_edits}
        labels = {key: value for key, value in merged.items() if value is not None}
        if labels != row.labels:
            connection.execute(_DEVICE.update().where(_DEVICE.c.id == row.id), {"labels": labels})
