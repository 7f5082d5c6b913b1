"""experiments: versions beside each other in the field"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "experiment",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("slot", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("split", sa.String(), nullable=False),
        sa.Column("label_key", sa.String(), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.Column("created_by", sa.String(), nullable=False),
        sa.Column("ended_at", sa.Float(), nullable=True),
        sa.Column("ended_by", sa.String(), nullable=False),
        sa.Column("taken", sa.String(), nullable=False),
        sa.Column("take_rollout", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "experiment_arm",
        sa.Column("experiment", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("package", sa.String(), nullable=False),
        sa.Column("share", sa.Float(), nullable=False),
        sa.Column("value", sa.String(), nullable=False),
        sa.Column("rollout", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["experiment"], ["experiment.id"]),
        sa.ForeignKeyConstraint(["package"], ["package.digest"]),
        sa.PrimaryKeyConstraint("experiment", "position"),
    )
    op.create_table(
        "experiment_member",
        sa.Column("experiment", sa.Integer(), nullable=False),
        sa.Column("device", sa.String(), nullable=False),
        sa.Column("arm", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["experiment"], ["experiment.id"]),
        sa.PrimaryKeyConstraint("experiment", "device"),
    )


def downgrade() -> None:
    op.drop_table("experiment_member")
    op.drop_table("experiment_arm")
    op.drop_table("experiment")
