"""What retention took away, by kind"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "retention",
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("removed", sa.Integer(), nullable=False),
        sa.Column("took_s", sa.Float(), nullable=False),
        sa.Column("problem", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("kind"),
    )


def downgrade() -> None:
    op.drop_table("retention")
