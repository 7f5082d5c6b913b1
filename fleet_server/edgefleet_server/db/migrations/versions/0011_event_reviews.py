"""Marks of users on events."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "event_review",
        sa.Column("event", sa.BigInteger(), autoincrement=False, nullable=False),
        *(sa.Column(name, sa.String(), nullable=False) for name in ("verdict", "by")),
        sa.Column("at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("event"),
    )


def downgrade() -> None:
    """Remove it."""
    op.drop_table("event_review")
