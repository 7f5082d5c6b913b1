"""Proposals of API tokens."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table."""
    whose = ("state", "token", "token_name", "proposed_by")
    texts = (*whose, "operation", "summary", "needed", "method", "path", "body", "note", "checked")
    op.create_table(
        "proposal",
        sa.Column("id", sa.Integer(), nullable=False),
        *(sa.Column(name, sa.String(), nullable=False) for name in texts),
        *(sa.Column(name, sa.Float(), nullable=False) for name in ("made_at", "expires_at")),
        sa.Column("decided_at", sa.Float(), nullable=True),
        *(sa.Column(name, sa.String(), nullable=False) for name in ("decided_by", "reason")),
        sa.Column("status", sa.Integer(), nullable=False),
        sa.Column("outcome", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_proposal_state", "proposal", ["state"])
    op.create_index("ix_proposal_token", "proposal", ["token"])


def downgrade() -> None:
    """Remove the table, and the API tokens with scope `propose`: an older version would let them change what they may only
    propose to change."""
    tokens = sa.table("api_token", sa.column("id", sa.String()), sa.column("scopes", sa.JSON()))
    connection = op.get_bind()
    proposing = [row.id for row in connection.execute(sa.select(tokens.c.id, tokens.c.scopes)) if "propose" in row.scopes]
    if proposing:
        connection.execute(sa.delete(tokens).where(tokens.c.id.in_(proposing)))
    op.drop_table("proposal")
