"""Figures by the day, in the table of minutes and hours. Older versions know nothing of them."""

from __future__ import annotations

from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Change nothing: the server computes days from the stored hours."""


def downgrade() -> None:
    """Remove the days, which an older version would neither delete nor add late samples to."""
    op.execute("DELETE FROM rollup WHERE span_s = 86400")
    op.execute("DELETE FROM checkpoint WHERE name = 'rollup days'")
