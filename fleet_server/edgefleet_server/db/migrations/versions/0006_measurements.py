"""measurements: how fast packages run on kinds of devices"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "measurement",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("package", sa.String(), nullable=False),
        sa.Column("profile", sa.String(), nullable=False),
        sa.Column("machine", sa.String(), nullable=False),
        sa.Column("measured_at", sa.Float(), nullable=False),
        sa.Column("variant", sa.String(), nullable=False),
        sa.Column("runtime", sa.String(), nullable=False),
        sa.Column("device", sa.String(), nullable=False),
        sa.Column("threads", sa.Integer(), nullable=False),
        sa.Column("streams", sa.Integer(), nullable=False),
        sa.Column("instances", sa.Integer(), nullable=False),
        sa.Column("batch", sa.Integer(), nullable=False),
        sa.Column("p50_ms", sa.Float(), nullable=False),
        sa.Column("p95_ms", sa.Float(), nullable=False),
        sa.Column("per_s", sa.Float(), nullable=False),
        sa.Column("memory_bytes", sa.Integer(), nullable=False),
        sa.Column("load_ms", sa.Float(), nullable=False),
        sa.Column("best", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["package"], ["package.digest"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("measurement_package", "measurement", ["package", "profile"], unique=False)


def downgrade() -> None:
    op.drop_table("measurement")
