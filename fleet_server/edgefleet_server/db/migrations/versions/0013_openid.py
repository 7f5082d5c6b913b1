"""people: sign-in with an OpenID provider"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("person", sa.Column("subject", sa.String(), nullable=True))
    op.create_index("ix_person_subject", "person", ["subject"], unique=True)
    op.create_table(
        "openid_login",
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("browser", sa.String(), nullable=False),
        sa.Column("nonce", sa.String(), nullable=False),
        sa.Column("verifier", sa.String(), nullable=False),
        sa.Column("redirect", sa.String(), nullable=False),
        sa.Column("begun_at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("state"),
    )
    op.create_index("ix_openid_login_begun_at", "openid_login", ["begun_at"], unique=False)


def downgrade() -> None:
    op.drop_table("openid_login")
    op.drop_index("ix_person_subject", "person")
    op.drop_column("person", "subject")
