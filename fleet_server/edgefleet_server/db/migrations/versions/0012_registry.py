"""the registry: channels, their history, versions that were retired"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("package", sa.Column("retired_at", sa.Float(), nullable=True))
    op.create_table(
        "channel",
        sa.Column("model", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("package", sa.String(), nullable=False),
        sa.Column("changed_at", sa.Float(), nullable=False),
        sa.Column("changed_by", sa.String(), nullable=False),
        sa.Column("note", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["package"], ["package.digest"]),
        sa.PrimaryKeyConstraint("model", "name"),
    )
    op.create_index("ix_channel_package", "channel", ["package"], unique=False)
    op.create_table(
        "channel_change",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("model", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("version", sa.String(), nullable=False),
        sa.Column("before", sa.String(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("note", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("channel_change_name", "channel_change", ["model", "name", "id"], unique=False)


def downgrade() -> None:
    op.drop_table("channel_change")
    op.drop_table("channel")
    op.drop_column("package", "retired_at")
