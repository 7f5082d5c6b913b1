"""Installed components of devices."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables."""
    op.create_table(
        "environment_bill",
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("received_at", sa.Float(), nullable=True),
        sa.Column("ask_at", sa.Float(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("refused", sa.Integer(), nullable=False),
        sa.Column("left_out", sa.Integer(), nullable=False),
        sa.Column("content", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("digest"),
    )
    op.create_table(
        "bill_component",
        sa.Column("bill", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("version", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("bill", "kind", "name"),
        sa.ForeignKeyConstraint(["bill"], ["environment_bill.digest"]),
    )
    op.create_index("bill_component_name", "bill_component", ["name"])
    op.create_table(
        "device_bill",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("device", sa.String(), nullable=False),
        sa.Column("bill", sa.String(), nullable=False),
        sa.Column("since_at", sa.Float(), nullable=False),
        sa.Column("until_at", sa.Float(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sa.ForeignKeyConstraint(["device"], ["device.id"]),
    )
    op.create_index("device_bill_device", "device_bill", ["device"])
    op.create_index("device_bill_bill", "device_bill", ["bill"])


def downgrade() -> None:
    """Remove the tables."""
    for name in ("device_bill", "bill_component", "environment_bill"):
        op.drop_table(name)
