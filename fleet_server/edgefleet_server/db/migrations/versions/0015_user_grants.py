"""Roles of users and API tokens for groups. Users keep their role for all devices."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

_PERSON = sa.table("person", sa.column("name"), sa.column("role"), sa.column("disabled", sa.Boolean()))
_TOKEN = sa.table("api_token", sa.column("id"), sa.column("groups", sa.JSON()))


def upgrade() -> None:
    """Add the table, and the groups of tokens."""
    op.create_table(
        "user_grant",
        sa.Column("user", sa.String(), nullable=False),
        sa.Column("device_group", sa.String(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["user"], ["person.name"]),
        sa.PrimaryKeyConstraint("user", "device_group"),
    )
    op.add_column("api_token", sa.Column("groups", sa.JSON(), nullable=False, server_default=sa.text("'[]'")))


def downgrade() -> None:
    """Remove them. Rights for groups would become rights for all: users without a role for all devices become disabled viewers,
    and API tokens for groups are deleted."""
    connection = op.get_bind()
    connection.execute(_PERSON.update().where(_PERSON.c.role == "").values(role="viewer", disabled=True))
    limited = [row.id for row in connection.execute(sa.select(_TOKEN)) if row.groups]
    connection.execute(_TOKEN.delete().where(_TOKEN.c.id.in_(limited)))
    op.drop_table("user_grant")
    op.drop_column("api_token", "groups")
