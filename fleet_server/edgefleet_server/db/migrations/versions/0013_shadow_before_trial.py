"""Versions that run beside the committed one before their trial."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None
_COLUMNS = ("shadow_s", "shadow_agreement_percent_min")


def upgrade() -> None:
    """Add the columns. What is assigned already is tried at once."""
    for name in _COLUMNS:
        op.add_column("assignment", sa.Column(name, sa.Float(), nullable=False, server_default=sa.text("0")))


def downgrade() -> None:
    """Remove them."""
    for name in _COLUMNS:
        op.drop_column("assignment", name)
