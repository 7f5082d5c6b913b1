"""people: users, sessions, API tokens, audit log"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from edgefleet_server.db.backend import append_only

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "person",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("password", sa.String(), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.Column("disabled", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_table(
        "session",
        sa.Column("hash", sa.String(), nullable=False),
        sa.Column("user", sa.String(), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.Column("seen_at", sa.Float(), nullable=False),
        sa.Column("expires_at", sa.Float(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("agent", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["user"], ["person.name"]),
        sa.PrimaryKeyConstraint("hash"),
    )
    op.create_index("ix_session_user", "session", ["user"], unique=False)
    op.create_index("ix_session_expires_at", "session", ["expires_at"], unique=False)
    op.create_table(
        "api_token",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.Column("user", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.Column("expires_at", sa.Float(), nullable=False),
        sa.Column("used_at", sa.Float(), nullable=True),
        sa.ForeignKeyConstraint(["user"], ["person.name"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("hash"),
    )
    op.create_index("ix_api_token_user", "api_token", ["user"], unique=False)
    op.create_table(
        "audit",
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("via", sa.String(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("action", sa.String(), nullable=False),
        sa.Column("target", sa.String(), nullable=False),
        sa.Column("status", sa.Integer(), nullable=False),
        sa.Column("detail", sa.String(), nullable=False),
        sa.Column("previous", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("seq"),
    )
    for column in ("at", "actor", "action"):
        op.create_index(f"ix_audit_{column}", "audit", [column], unique=False)
    append_only.forbid(op.get_bind(), "audit", "UPDATE")
    append_only.forbid(op.get_bind(), "audit", "DELETE")


def downgrade() -> None:
    for table in ("audit", "api_token", "session", "person"):
        op.drop_table(table)
