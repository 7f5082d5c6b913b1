"""Settings that are changed while the server runs; what an experiment compares, and when somebody looks"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "setting",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("value", sa.JSON(), nullable=False),
        sa.Column("changed_at", sa.Float(), nullable=False),
        sa.Column("changed_by", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.add_column("experiment", sa.Column("compared", sa.String(), nullable=False, server_default=""))
    op.add_column("experiment", sa.Column("review_after_s", sa.Float(), nullable=True))


def downgrade() -> None:
    op.drop_column("experiment", "review_after_s")
    op.drop_column("experiment", "compared")
    op.drop_table("setting")
