"""Snoozes of alerts."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "alert_snooze",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("rule", sa.Integer(), nullable=True),
        sa.Column("device_group", sa.String(), nullable=False),
        sa.Column("device", sa.String(), nullable=False),
        sa.Column("until_at", sa.Float(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.Column("created_by", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.ForeignKeyConstraint(["rule"], ["alert_rule.id"]),
    )
    op.create_index("alert_snooze_until", "alert_snooze", ["until_at"])
    op.create_index("alert_snooze_rule", "alert_snooze", ["rule"])


def downgrade() -> None:
    """Remove the table."""
    op.drop_table("alert_snooze")
