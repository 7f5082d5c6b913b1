"""The spread of versions over time"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "version_share",
        sa.Column("at", sa.Integer(), nullable=False),
        sa.Column("shares", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("at"),
    )


def downgrade() -> None:
    op.drop_table("version_share")
