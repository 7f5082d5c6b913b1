"""Enrolment tokens for several devices, and devices that wait for approval."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add columns and table. A token of an earlier version was for one device."""
    op.add_column("enrolment_token", sa.Column("devices_max", sa.Integer(), nullable=False, server_default=sa.text("1")))
    op.add_column("enrolment_token", sa.Column("uses", sa.Integer(), nullable=False, server_default=sa.text("0")))
    op.add_column("enrolment_token", sa.Column("approval", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.execute("UPDATE enrolment_token SET uses = 1 WHERE used_at IS NOT NULL")
    op.create_table(
        "enrolment_request",
        *(sa.Column(name, sa.String(), nullable=False) for name in ("device", "token", "key_sha256", "state")),
        *(sa.Column(name, sa.Float(), nullable=False) for name in ("requested_at", "last_requested_at")),
        sa.Column("decided_at", sa.Float(), nullable=True),
        sa.Column("decided_by", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("device"),
    )
    op.create_index("ix_enrolment_request_token", "enrolment_request", ["token"])


def downgrade() -> None:
    """Remove them, and the tokens that require an approval: an earlier version would enrol a device without it."""
    op.drop_table("enrolment_request")
    op.execute("DELETE FROM enrolment_token WHERE approval")
    for name in ("devices_max", "uses", "approval"):
        op.drop_column("enrolment_token", name)
