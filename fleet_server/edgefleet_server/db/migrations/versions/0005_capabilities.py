"""Capabilities of devices."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column. Devices report theirs when they connect."""
    op.add_column("device", sa.Column("capabilities", sa.JSON(), nullable=False, server_default=sa.text("'[]'")))


def downgrade() -> None:
    """Remove the column."""
    op.drop_column("device", "capabilities")
