"""telemetry by the minute and hour, alert rules, alerts, notices"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "rollup",
        sa.Column("span_s", sa.Integer(), nullable=False),
        sa.Column("device", sa.String(), nullable=False),
        sa.Column("at", sa.Integer(), nullable=False),
        sa.Column("figures", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("span_s", "device", "at"),
        sqlite_with_rowid=False,
    )
    op.create_index("rollup_at", "rollup", ["span_s", "at"], unique=False)
    op.create_table(
        "mark",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("value", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_table(
        "alert_rule",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("rule", sa.JSON(), nullable=False),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("silenced_until", sa.Float(), nullable=False),
        sa.Column("silenced_by", sa.String(), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.Column("created_by", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("name"),
    )
    op.create_table(
        "alert",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("rule", sa.Integer(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("value", sa.Float(), nullable=False),
        sa.Column("began_at", sa.Float(), nullable=False),
        sa.Column("ended_at", sa.Float(), nullable=True),
        sa.Column("acknowledged_at", sa.Float(), nullable=True),
        sa.Column("acknowledged_by", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["rule"], ["alert_rule.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_alert_rule", "alert", ["rule"], unique=False)
    op.create_index("alert_open", "alert", ["ended_at", "rule"], unique=False)
    op.create_table(
        "notice",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("target", sa.String(), nullable=False),
        sa.Column("alert", sa.Integer(), nullable=False),
        sa.Column("body", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("due_at", sa.Float(), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.Column("error", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("notice_due", "notice", ["state", "due_at"], unique=False)


def downgrade() -> None:
    for table in ("notice", "alert", "alert_rule", "mark", "rollup"):
        op.drop_table(table)
