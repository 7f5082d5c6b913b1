"""Alembic's entry: runs the migrations on the connection that `Database.migrate` hands over."""

from __future__ import annotations

from typing import Any, Literal

from alembic import context
from sqlmodel import AutoString, SQLModel

from edgefleet_server.db.tables import core as tables
from edgefleet_server.db.tables import experiments as experiment_tables
from edgefleet_server.db.tables import identities as identity_tables
from edgefleet_server.db.tables import measurements as measurement_tables
from edgefleet_server.db.tables import people as people_tables
from edgefleet_server.db.tables import registry as registry_tables
from edgefleet_server.db.tables import retention as retention_tables
from edgefleet_server.db.tables import settings as setting_tables
from edgefleet_server.db.tables import telemetry as telemetry_tables
from edgefleet_server.db.tables import version_shares as share_tables


def render(kind: str, item: Any, _context: Any) -> str | Literal[False]:
    """SQLModel's text type is plain text in a migration."""
    return "sa.String()" if kind == "type" and isinstance(item, AutoString) else False


connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=SQLModel.metadata, render_as_batch=True, render_item=render)
with context.begin_transaction():
    context.run_migrations()
connection.commit()
