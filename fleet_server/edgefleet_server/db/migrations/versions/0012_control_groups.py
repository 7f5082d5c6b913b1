"""Number of devices that an updated device was compared with."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column. Devices of an earlier version were compared with their own past, or not at all."""
    op.add_column("attempt", sa.Column("controls", sa.Integer(), nullable=True))


def downgrade() -> None:
    """Remove it."""
    op.drop_column("attempt", "controls")
