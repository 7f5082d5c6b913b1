"""rollouts: terms, approvals, several tries of a device, the catch-up lane, pins"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_ZERO = sa.text("0")
_COLUMNS: dict[str, list[sa.Column[object]]] = {
    "device": [sa.Column("released_at", sa.Float(), nullable=False, server_default=_ZERO)],
    "device_last": [
        sa.Column("births", sa.Float(), nullable=False, server_default=_ZERO),
        sa.Column("births_at", sa.Float(), nullable=False, server_default=_ZERO),
    ],
    "assignment": [
        sa.Column("hold", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("assigned_at", sa.Float(), nullable=False, server_default=_ZERO),
    ],
    "rollout": [
        sa.Column("terms", sa.JSON(), nullable=False, server_default="{}"),
        sa.Column("priority", sa.Integer(), nullable=False, server_default=sa.text("500")),
        sa.Column("created_by", sa.String(), nullable=False, server_default=""),
        sa.Column("approved_by", sa.String(), nullable=True),
    ],
    "wave": [
        sa.Column("approval", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("approved_by", sa.String(), nullable=True),
        sa.Column("lane", sa.Boolean(), nullable=False, server_default=sa.false()),
    ],
    "attempt": [
        sa.Column("latest", sa.Boolean(), nullable=False, server_default=sa.true()),
        sa.Column("staging", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("not_before", sa.Float(), nullable=False, server_default=_ZERO),
        sa.Column("baseline", sa.JSON(), nullable=True),
        sa.Column("regressed", sa.String(), nullable=False, server_default=""),
    ],
}


def upgrade() -> None:
    for table, columns in _COLUMNS.items():
        for column in columns:
            op.add_column(table, column)
    op.create_table(
        "pin",
        sa.Column("device", sa.String(), nullable=False),
        sa.Column("slot", sa.String(), nullable=False),
        sa.Column("package", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("pinned_by", sa.String(), nullable=False),
        sa.Column("pinned_at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["device"], ["device.id"]),
        sa.ForeignKeyConstraint(["package"], ["package.digest"]),
        sa.PrimaryKeyConstraint("device", "slot"),
    )
    op.create_table(
        "device_group",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("selector", sa.JSON(), nullable=False),
        sa.Column("note", sa.String(), nullable=False),
        sa.Column("changed_at", sa.Float(), nullable=False),
        sa.Column("changed_by", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_index("attempt_offered", "attempt", ["rollout", "offered_at"], unique=False)
    op.create_index("attempt_ended", "attempt", ["state", "finished_at"], unique=False)


def downgrade() -> None:
    op.drop_index("attempt_ended", "attempt")
    op.drop_index("attempt_offered", "attempt")
    op.drop_table("device_group")
    op.drop_table("pin")
    for table, columns in _COLUMNS.items():
        for column in columns:
            op.drop_column(table, column.name)
