"""Detections of pipelines by the hour."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "camera_hour",
        sa.Column("device", sa.String(), nullable=False),
        sa.Column("pipeline", sa.String(), nullable=False),
        sa.Column("at", sa.Integer(), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.Column("detections", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("device", "pipeline", "at"),
        sqlite_with_rowid=False,
    )
    op.create_index("camera_hour_at", "camera_hour", ["at"])


def downgrade() -> None:
    """Remove the table."""
    op.drop_table("camera_hour")
