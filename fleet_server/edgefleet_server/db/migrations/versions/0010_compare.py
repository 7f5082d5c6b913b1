"""rollouts of several packages at once"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "rollout_part",
        sa.Column("rollout", sa.Integer(), nullable=False),
        sa.Column("slot", sa.String(), nullable=False),
        sa.Column("package", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["rollout"], ["rollout.id"]),
        sa.ForeignKeyConstraint(["package"], ["package.digest"]),
        sa.PrimaryKeyConstraint("rollout", "slot"),
    )
    op.create_table(
        "attempt_part",
        sa.Column("attempt", sa.String(), nullable=False),
        sa.Column("slot", sa.String(), nullable=False),
        sa.Column("previous", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("attempt", "slot"),
    )
    op.add_column("assignment", sa.Column("together", sa.Boolean(), nullable=False, server_default=sa.false()))


def downgrade() -> None:
    op.drop_column("assignment", "together")
    op.drop_table("attempt_part")
    op.drop_table("rollout_part")
