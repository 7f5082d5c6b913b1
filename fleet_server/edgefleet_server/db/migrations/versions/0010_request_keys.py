"""Idempotency keys of requests, and the answers to them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "request_key",
        *(sa.Column(name, sa.String(), nullable=False) for name in ("hash", "who", "fingerprint", "owner")),
        *(sa.Column(name, sa.Float(), nullable=False) for name in ("made_at", "runs_until")),
        sa.Column("committed", sa.Boolean(), nullable=False),
        sa.Column("status", sa.Integer(), nullable=False),
        sa.Column("answer", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("hash"),
    )
    for column in ("who", "made_at"):
        op.create_index(f"ix_request_key_{column}", "request_key", [column])


def downgrade() -> None:
    """Remove the table."""
    op.drop_table("request_key")
