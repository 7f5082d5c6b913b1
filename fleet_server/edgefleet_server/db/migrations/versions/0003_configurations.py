"""Configurations, and keys of rollouts."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables."""
    op.create_table(
        "configuration",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("resources", sa.JSON(), nullable=False),
        sa.Column("changed_at", sa.Float(), nullable=False),
        sa.Column("changed_by", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_table(
        "rollout_key",
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("rollout", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("key"),
        sa.ForeignKeyConstraint(["rollout"], ["rollout.id"]),
    )


def downgrade() -> None:
    """Remove the tables."""
    op.drop_table("rollout_key")
    op.drop_table("configuration")
