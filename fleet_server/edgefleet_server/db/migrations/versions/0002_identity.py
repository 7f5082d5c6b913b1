"""identity: enrolment tokens, device certificates, locks"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "enrolment_token",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("secret_sha256", sa.String(), nullable=False),
        sa.Column("device", sa.String(), nullable=False),
        sa.Column("labels", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.Column("expires_at", sa.Float(), nullable=False),
        sa.Column("used_at", sa.Float(), nullable=True),
        sa.Column("used_by", sa.String(), nullable=False),
        sa.Column("revoked_at", sa.Float(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("secret_sha256"),
    )
    op.create_table(
        "device_certificate",
        sa.Column("serial", sa.String(), nullable=False),
        sa.Column("device", sa.String(), nullable=False),
        sa.Column("issued_at", sa.Float(), nullable=False),
        sa.Column("expires_at", sa.Float(), nullable=False),
        sa.Column("revoked_at", sa.Float(), nullable=True),
        sa.PrimaryKeyConstraint("serial"),
    )
    with op.batch_alter_table("device_certificate", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_device_certificate_device"), ["device"], unique=False)
        batch_op.create_index(batch_op.f("ix_device_certificate_revoked_at"), ["revoked_at"], unique=False)
    op.create_table(
        "device_lock",
        sa.Column("device", sa.String(), nullable=False),
        sa.Column("locked_at", sa.Float(), nullable=False),
        sa.Column("why", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("device"),
    )


def downgrade() -> None:
    op.drop_table("device_lock")
    op.drop_table("device_certificate")
    op.drop_table("enrolment_token")
