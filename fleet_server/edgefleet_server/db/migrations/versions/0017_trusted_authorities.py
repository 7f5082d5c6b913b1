"""The certificate authorities that devices trust."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column. Devices report theirs."""
    op.add_column("device_last", sa.Column("authorities", sa.JSON(), nullable=False, server_default=sa.text("'[]'")))


def downgrade() -> None:
    """Remove the column."""
    op.drop_column("device_last", "authorities")
