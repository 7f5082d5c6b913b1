"""growth: the processes of a server and what they share; on PostgreSQL telemetry and events in partitions by day"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from edgefleet_server.db.backend import partitions

revision = "0008"
down_revision = "0016"
branch_labels = None
depends_on = None

_WHOLE = ("pid", "messages", "refused", "waiting", "broadcasts", "sent_alone", "sent_bytes")
_TEXTS = ("role", "host", "version")
_TIMES = ("started_at", "seen_at", "broker_up_at", "samples_per_s", "wait_p50_s", "wait_p99_s")


def upgrade() -> None:
    op.create_table(
        "member",
        sa.Column("id", sa.String(), nullable=False),
        *(sa.Column(name, sa.String(), nullable=False) for name in _TEXTS),
        *(sa.Column(name, sa.Integer(), nullable=False) for name in _WHOLE),
        *(sa.Column(name, sa.Float(), nullable=False) for name in _TIMES),
        *(sa.Column(name, sa.Boolean(), nullable=False) for name in ("leads", "ingests")),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "secret",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("value", sa.String(), nullable=False),
        sa.Column("made_at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    if op.get_bind().dialect.name == "postgresql":
        for table in partitions.TABLES:
            partitions.partition_table(op.get_bind(), table)


def downgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        for table in partitions.TABLES:
            partitions.merge_partitions(op.get_bind(), table)
    op.drop_table("secret")
    op.drop_table("member")
