"""Recipients of alerts."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table and the columns. No recipient has got a notice of the alerts that are open."""
    op.create_table(
        "alert_recipient",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("groups", sa.JSON(), nullable=False),
        sa.Column("severities", sa.JSON(), nullable=False),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("since_at", sa.Float(), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.Column("created_by", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("name"),
    )
    op.add_column("alert", sa.Column("notified", sa.JSON(), nullable=False, server_default=sa.text("'[]'")))
    op.add_column("notice", sa.Column("recipient", sa.Integer(), nullable=True))
    op.create_index("notice_recipient", "notice", ["recipient"])


def downgrade() -> None:
    """Remove them."""
    op.drop_index("notice_recipient", "notice")
    op.execute("DELETE FROM notice WHERE recipient IS NOT NULL")
    op.drop_column("notice", "recipient")
    op.drop_column("alert", "notified")
    op.drop_table("alert_recipient")
