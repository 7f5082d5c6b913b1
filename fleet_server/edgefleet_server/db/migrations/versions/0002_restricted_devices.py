"""Restricted devices."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "restricted_device",
        *(sa.Column(name, sa.String(), nullable=False) for name in ("device", "state", "offence")),
        *(sa.Column(name, sa.Float(), nullable=False) for name in ("since_at", "until_at")),
        sa.Column("times", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("device"),
    )


def downgrade() -> None:
    """Remove the table."""
    op.drop_table("restricted_device")
