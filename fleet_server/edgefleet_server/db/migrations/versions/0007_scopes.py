"""API tokens: scopes; the audit log: where its archive ends"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("api_token", sa.Column("scopes", sa.JSON(), nullable=False, server_default="[]"))
    op.create_table(
        "audit_archived",
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("seq"),
    )


def downgrade() -> None:
    op.drop_table("audit_archived")
    op.drop_column("api_token", "scopes")
